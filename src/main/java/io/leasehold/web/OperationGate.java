package io.leasehold.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Lets a request through to its controller method only if the caller may do the operation at all.
 */
final class OperationGate implements HandlerInterceptor {

  private static final String OPERATION = OperationGate.class.getName();

  private final Access access;
  private final Rights rights;
  private final ApplicationEventPublisher events;

  OperationGate(Access access, Rights rights, ApplicationEventPublisher events) {
    this.access = access;
    this.rights = rights;
    this.events = events;
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    Requires requires =
        handler instanceof HandlerMethod method ? method.getMethodAnnotation(Requires.class) : null;
    if (requires == null) {
      return true;
    }
    request.setAttribute(OPERATION, requires.value());
    if (access.scope().isEmpty()) {
      throw forbidden(requires.value());
    }
    Caller caller = access.caller();
    if (rights.isNoted(caller, requires.value())) {
      events.publishEvent(new Noted(caller, requires.value(), 200, access.traceId()));
    }
    return true;
  }

  /** The operation of the request; null where there is none. */
  static @Nullable String operation(HttpServletRequest request) {
    return request.getAttribute(OPERATION) instanceof String operation ? operation : null;
  }

  static Problem forbidden(String operation) {
    return Problem.of(
        403,
        "forbidden",
        "Forbidden",
        "Your roles here do not include " + operation + "; ask a tenant admin or the platform.");
  }
}
