package io.leasehold.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes problems of every origin in the one shape: from controllers, filters and the container.
 */
final class ProblemWriter {

  private static final Logger LOG = LoggerFactory.getLogger(ProblemWriter.class);

  private final JsonMapper json;

  ProblemWriter(JsonMapper json) {
    this.json = json;
  }

  ResponseEntity<Object> entity(HttpServletRequest request, Problem problem) {
    HttpHeaders headers = headers(problem);
    return new ResponseEntity<>(body(request, problem), headers, problem.status());
  }

  void write(HttpServletRequest request, HttpServletResponse response, Problem problem)
      throws IOException {
    if (response.isCommitted()) {
      return;
    }
    byte[] body = json.writeValueAsBytes(body(request, problem));
    response.resetBuffer();
    response.setStatus(problem.status());
    headers(problem).forEach((name, values) -> response.setHeader(name, values.getFirst()));
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
    response.flushBuffer();
  }

  void writeUnexpected(HttpServletRequest request, HttpServletResponse response, Exception cause)
      throws IOException {
    write(request, response, unexpected(cause));
  }

  /** 500: the log has the cause, the caller has the trace id to name. */
  static Problem unexpected(Throwable cause) {
    LOG.error("A request ended in an error nobody expected", cause);
    return Problem.of(
        500,
        "unexpected",
        "Unexpected error",
        "Something broke here that should not. The traceId finds it in our log.");
  }

  private static ProblemBody body(HttpServletRequest request, Problem problem) {
    Object failedPath = request.getAttribute("jakarta.servlet.error.request_uri");
    String instance = failedPath instanceof String path ? path : request.getRequestURI();
    return ProblemBody.of(problem, instance, Trace.of(request).id());
  }

  private static HttpHeaders headers(Problem problem) {
    HttpHeaders headers = new HttpHeaders();
    headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
    Integer after = problem.retryAfterSeconds();
    if (after != null) {
      headers.set(HttpHeaders.RETRY_AFTER, after.toString());
    }
    if (problem.status() == 401) {
      headers.set(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
    }
    return headers;
  }
}
