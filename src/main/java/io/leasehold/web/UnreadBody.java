package io.leasehold.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A field sent to an operation that takes none is a fault, not something to pass over: who sends a
 * reason believes that it counts. Nothing and the empty object are the same.
 */
final class UnreadBody implements HandlerInterceptor {

  private final JsonMapper json;

  UnreadBody(JsonMapper json) {
    this.json = json;
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (request.getMethod().equals("POST")
        && handler instanceof HandlerMethod method
        && method.hasMethodAnnotation(Requires.class)
        && !isRead(method)) {
      requireEmpty(RawBody.of(request));
    }
    return true;
  }

  private static boolean isRead(HandlerMethod method) {
    for (MethodParameter parameter : method.getMethodParameters()) {
      if (parameter.hasParameterAnnotation(RequestBody.class)) {
        return true;
      }
    }
    return false;
  }

  private void requireEmpty(byte[] body) {
    if (body.length == 0) {
      return;
    }
    JsonNode sent;
    try {
      sent = json.readTree(body);
    } catch (JacksonException malformed) {
      throw JsonFaults.of(malformed);
    }
    if (sent.isObject() && !sent.isEmpty()) {
      List<Problem.Fault> faults =
          sent.propertyNames().stream()
              .filter(Text::isSound)
              .map(
                  name ->
                      Problem.Fault.at(
                          "/" + name, "unknown-field", "There is no field here: send no body."))
              .toList();
      throw Problem.invalid(faults);
    }
    if (!sent.isObject() && !sent.isNull() && !sent.isMissingNode()) {
      throw Problem.invalid(
          Problem.Fault.at("", "wrong-type", "There is no field here: send no body."));
    }
  }
}
