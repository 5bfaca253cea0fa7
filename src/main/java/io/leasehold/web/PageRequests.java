package io.leasehold.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/**
 * Gives a controller method its {@link PageRequest}, bound to all other parameters of the query.
 */
final class PageRequests implements HandlerMethodArgumentResolver {

  @Override
  public boolean supportsParameter(MethodParameter parameter) {
    return parameter.getParameterType() == PageRequest.class;
  }

  @Override
  public Object resolveArgument(
      MethodParameter parameter,
      @Nullable ModelAndViewContainer container,
      NativeWebRequest web,
      @Nullable WebDataBinderFactory binders) {
    HttpServletRequest request = web.getNativeRequest(HttpServletRequest.class);
    String filters =
        request.getParameterMap().entrySet().stream()
            .filter(e -> !e.getKey().equals("pageSize") && !e.getKey().equals("pageToken"))
            .sorted(java.util.Map.Entry.comparingByKey())
            .map(e -> e.getKey() + "=" + sorted(e.getValue()))
            .collect(Collectors.joining("&", request.getRequestURI() + "?", ""));
    return PageRequest.of(
        request.getParameter("pageSize"), request.getParameter("pageToken"), filters);
  }

  private static String sorted(String[] values) {
    String[] copy = values.clone();
    Arrays.sort(copy);
    return Arrays.toString(copy);
  }
}
