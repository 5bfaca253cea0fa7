package io.leasehold.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * A parameter of the query that the operation does not know is a fault, not something to pass over:
 * a misspelt filter must not show everything.
 */
final class KnownParameters implements HandlerInterceptor {

  private final Map<java.lang.reflect.Method, Set<String>> known = new ConcurrentHashMap<>();

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (!(handler instanceof HandlerMethod method)
        || !method.hasMethodAnnotation(Requires.class)
        || request.getQueryString() == null) {
      return true;
    }
    Set<String> names = known.computeIfAbsent(method.getMethod(), m -> names(method));
    List<Problem.Fault> faults = new ArrayList<>();
    for (String name : request.getParameterMap().keySet()) {
      if (!names.contains(name) && !names.contains("*")) {
        faults.add(
            Problem.Fault.in(
                name,
                "unknown-parameter",
                "There is no parameter " + name + "; known here: " + new TreeSet<>(names) + "."));
      }
    }
    if (!faults.isEmpty()) {
      throw Problem.invalid(faults);
    }
    return true;
  }

  static Set<String> names(HandlerMethod method) {
    Set<String> names = new HashSet<>();
    for (MethodParameter parameter : method.getMethodParameters()) {
      names.addAll(names(parameter));
    }
    return names;
  }

  private static Set<String> names(MethodParameter parameter) {
    Class<?> type = parameter.getParameterType();
    RequestParam named = parameter.getParameterAnnotation(RequestParam.class);
    if (named != null && Map.class.isAssignableFrom(type)) {
      return Set.of("*");
    }
    if (named != null) {
      return Set.of(named.name().isEmpty() ? name(parameter) : named.name());
    }
    if (type == PageRequest.class) {
      return Set.of("pageSize", "pageToken");
    }
    if (type.isRecord() && isOfTheQuery(parameter)) {
      Set<String> names = new HashSet<>();
      for (RecordComponent component : type.getRecordComponents()) {
        names.add(component.getName());
      }
      return names;
    }
    return Set.of();
  }

  /** A record that is neither the body nor from the path is bound from the query. */
  private static boolean isOfTheQuery(MethodParameter parameter) {
    return parameter.getParameterType() != IdempotencyKey.class
        && java.util.Arrays.stream(parameter.getParameterAnnotations())
            .map(a -> a.annotationType().getSimpleName())
            .noneMatch(Set.of("RequestBody", "PathVariable", "RequestHeader")::contains);
  }

  private static String name(MethodParameter parameter) {
    parameter.initParameterNameDiscovery(
        new org.springframework.core.DefaultParameterNameDiscoverer());
    return String.valueOf(parameter.getParameterName());
  }
}
