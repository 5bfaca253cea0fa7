package io.leasehold.web;

import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Errors that the container found itself, outside of any controller. */
@Hidden
@RestController
final class ContainerErrors implements ErrorController {

  private final ProblemWriter problems;

  ContainerErrors(ProblemWriter problems) {
    this.problems = problems;
  }

  @RequestMapping("${server.error.path:/error}")
  ResponseEntity<Object> error(HttpServletRequest request) {
    Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
    return problems.entity(request, problem(status instanceof Integer code ? code : 404));
  }

  static Problem problem(int status) {
    return switch (status) {
      case 400 -> ProblemHandler.rejected();
      case 401 -> BearerFilter.unauthenticated();
      case 404 -> Problem.notFound();
      case 405 ->
          Problem.of(405, "method-not-allowed", "Method not allowed", "Not with this method.");
      case 413 -> Problem.of(413, "body-too-large", "Body too large", "The body is too large.");
      case 431 ->
          Problem.of(
              431,
              "headers-too-large",
              "Headers too large",
              "All headers together are at most 16 KiB.");
      case 501 ->
          Problem.of(501, "not-implemented", "Not implemented", "No path takes this method.");
      default -> status < 500 ? unreadable(status) : broken(status);
    };
  }

  private static Problem unreadable(int status) {
    return Problem.of(status, "invalid-request", "Invalid request", "The request can not be read.");
  }

  private static Problem broken(int status) {
    return Problem.of(
        status,
        "unexpected",
        "Unexpected error",
        "Something broke here that should not. The traceId finds it in our log.");
  }
}
