package io.leasehold.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * A parameter of the query that the operation does not know is a fault, not something to pass over:
 * a misspelt filter must not show everything. Nor is one that is named and left empty, where a yes
 * or no, a number or a choice is asked for: a dry run must not come true for an empty variable.
 */
final class KnownParameters implements HandlerInterceptor {

  private final Map<java.lang.reflect.Method, Map<String, Class<?>>> known =
      new ConcurrentHashMap<>();

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (!(handler instanceof HandlerMethod method)
        || !method.hasMethodAnnotation(Requires.class)
        || request.getQueryString() == null) {
      return true;
    }
    Map<String, Class<?>> types = known.computeIfAbsent(method.getMethod(), m -> types(method));
    List<Problem.Fault> faults = new ArrayList<>();
    request
        .getParameterMap()
        .forEach(
            (name, values) -> {
              Problem.Fault fault = fault(name, values, types);
              if (fault != null) {
                faults.add(fault);
              }
            });
    if (!faults.isEmpty()) {
      throw Problem.invalid(faults);
    }
    return true;
  }

  private static Problem.@Nullable Fault fault(
      String name, String[] values, Map<String, Class<?>> types) {
    Class<?> type = types.get(name);
    if (type == null) {
      return types.containsKey("*")
          ? null
          : Problem.Fault.in(
              name,
              "unknown-parameter",
              "There is no parameter "
                  + name
                  + "; known here: "
                  + new TreeSet<>(types.keySet())
                  + ".");
    }
    return isText(type) || List.of(values).stream().noneMatch(String::isEmpty)
        ? null
        : Problem.Fault.in(name, "empty", "Nothing stands after " + name + "=; leave it out.");
  }

  /** What may be empty: a text, or several of them. */
  private static boolean isText(Class<?> type) {
    return !(type.isPrimitive()
        || type.isEnum()
        || type == Boolean.class
        || Number.class.isAssignableFrom(type));
  }

  static Set<String> names(HandlerMethod method) {
    return types(method).keySet();
  }

  private static Map<String, Class<?>> types(HandlerMethod method) {
    Map<String, Class<?>> types = new HashMap<>();
    for (MethodParameter parameter : method.getMethodParameters()) {
      types.putAll(types(parameter));
    }
    return types;
  }

  private static Map<String, Class<?>> types(MethodParameter parameter) {
    Class<?> type = parameter.getParameterType();
    RequestParam named = parameter.getParameterAnnotation(RequestParam.class);
    if (named != null && Map.class.isAssignableFrom(type)) {
      return Map.of("*", String.class);
    }
    if (named != null) {
      return Map.of(named.name().isEmpty() ? name(parameter) : named.name(), type);
    }
    if (type == PageRequest.class) {
      return Map.of("pageSize", Integer.class, "pageToken", String.class);
    }
    if (type.isRecord() && isOfTheQuery(parameter)) {
      Map<String, Class<?>> types = new HashMap<>();
      for (RecordComponent component : type.getRecordComponents()) {
        types.put(component.getName(), component.getType());
      }
      return types;
    }
    return Map.of();
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
