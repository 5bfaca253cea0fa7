package io.leasehold.web;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** The access of the request that this thread serves. */
@Component
final class RequestAccess implements Access {

  private final Rights rights;

  RequestAccess(Rights rights) {
    this.rights = rights;
  }

  @Override
  public Caller caller() {
    Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
    if (authentication != null && authentication.getPrincipal() instanceof Caller caller) {
      return caller;
    }
    throw BearerFilter.unauthenticated();
  }

  @Override
  public Scope scope() {
    return scope(operation());
  }

  @Override
  public Scope scope(String operation) {
    return rights.scope(caller(), operation);
  }

  @Override
  public boolean covers(String tenant) {
    return rights.covers(scope(), tenant);
  }

  @Override
  public void require(String tenant) {
    if (!rights.isVisible(caller(), tenant)) {
      throw Problem.notFound();
    }
    if (!covers(tenant)) {
      throw OperationGate.forbidden(operation());
    }
  }

  @Override
  public String traceId() {
    return Trace.of(request()).id();
  }

  private static String operation() {
    String operation = OperationGate.operation(request());
    if (operation == null) {
      throw new IllegalStateException("This request runs no operation of the matrix.");
    }
    return operation;
  }

  private static HttpServletRequest request() {
    return ((ServletRequestAttributes) RequestContextHolder.currentRequestAttributes())
        .getRequest();
  }
}
