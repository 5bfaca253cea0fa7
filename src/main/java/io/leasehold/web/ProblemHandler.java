package io.leasehold.web;

import jakarta.servlet.http.HttpServletRequest;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.catalina.connector.ClientAbortException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.validation.BindException;
import org.springframework.validation.FieldError;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.MissingRequestValueException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import tools.jackson.core.JacksonException;

/**
 * Turns what controllers and Spring MVC throw into problems. No message of a library, no class name
 * and no detail of a constraint reaches the caller.
 */
@RestControllerAdvice
@Order(0)
final class ProblemHandler {

  private static final Logger LOG = LoggerFactory.getLogger(ProblemHandler.class);

  private final ProblemWriter problems;
  private final Access access;
  private final ApplicationEventPublisher events;

  ProblemHandler(ProblemWriter problems, Access access, ApplicationEventPublisher events) {
    this.problems = problems;
    this.access = access;
    this.events = events;
  }

  @ExceptionHandler
  ResponseEntity<Object> any(Exception cause, HttpServletRequest request) {
    if (isAbandoned(cause)) {
      return ResponseEntity.status(HttpStatus.BAD_REQUEST).build();
    }
    Problem problem = problem(cause);
    record(request, problem);
    ResponseEntity<Object> answer = problems.entity(request, problem);
    if (!(cause instanceof ErrorResponse response) || response.getHeaders().isEmpty()) {
      return answer;
    }
    HttpHeaders headers = new HttpHeaders(response.getHeaders());
    headers.remove(HttpHeaders.CONTENT_TYPE);
    headers.addAll(answer.getHeaders());
    return new ResponseEntity<>(answer.getBody(), headers, answer.getStatusCode());
  }

  /** The caller went away: there is nobody to tell. */
  private static boolean isAbandoned(Exception cause) {
    return cause instanceof ClientAbortException
        || cause instanceof AsyncRequestNotUsableException
        || cause instanceof UncheckedIOException io
            && io.getCause() instanceof ClientAbortException;
  }

  private void record(HttpServletRequest request, Problem problem) {
    boolean refused = problem.status() == 403 || problem.status() == 404;
    String operation = OperationGate.operation(request);
    if (refused && operation != null) {
      events.publishEvent(
          new Noted(access.caller(), operation, problem.status(), access.traceId()));
    }
  }

  private static Problem problem(Exception cause) {
    return switch (cause) {
      case Problem problem -> problem;
      case HttpMessageNotReadableException unreadable -> unreadable(unreadable);
      case MethodArgumentTypeMismatchException mismatch
          when mismatch.getParameter().hasParameterAnnotation(PathVariable.class) ->
          Problem.notFound();
      case TypeMismatchException mismatch -> mismatch(mismatch);
      case BindException bind -> Problem.invalid(faults(bind));
      case MissingServletRequestParameterException missing ->
          Problem.invalid(
              Problem.Fault.in(
                  missing.getParameterName(),
                  "required",
                  "The parameter " + missing.getParameterName() + " is required."));
      case MissingRequestValueException missing ->
          Problem.invalid(Problem.Fault.in("header", "required", "A required header is missing."));
      case HandlerMethodValidationException invalid -> Problem.invalid(faults(invalid));
      case HttpRequestMethodNotSupportedException method ->
          Problem.of(
              405,
              "method-not-allowed",
              "Method not allowed",
              "This path takes " + supported(method) + ", not " + method.getMethod() + ".");
      case HttpMediaTypeNotSupportedException media ->
          Problem.of(
              415,
              "media-type-not-supported",
              "Media type not supported",
              "This path reads " + types(media.getSupportedMediaTypes()) + ".");
      case HttpMediaTypeNotAcceptableException media ->
          Problem.of(
              406,
              "not-acceptable",
              "Not acceptable",
              "This path answers in " + types(media.getSupportedMediaTypes()) + ".");
      case NoResourceFoundException nothing -> Problem.notFound();
      case RequestRejectedException rejected -> rejected();
      case ErrorResponse response when response.getStatusCode().is4xxClientError() ->
          Problem.of(
              response.getStatusCode().value(),
              "invalid-request",
              "Invalid request",
              "The request does not follow the rules of HTTP or of this path.");
      default -> Absence.isBehind(cause) ? unavailable(cause) : ProblemWriter.unexpected(cause);
    };
  }

  private static Problem unreadable(HttpMessageNotReadableException cause) {
    for (Throwable t = cause; t != null; t = t.getCause()) {
      if (t instanceof Problem problem) {
        return problem;
      }
      if (t instanceof JacksonException json) {
        return JsonFaults.of(json);
      }
    }
    return Problem.invalid(Problem.Fault.at("", "body-required", "This request needs a body."));
  }

  private static Problem mismatch(TypeMismatchException cause) {
    String name =
        cause instanceof MethodArgumentTypeMismatchException argument
            ? argument.getName()
            : String.valueOf(cause.getPropertyName());
    return Problem.invalid(
        Problem.Fault.in(name, "wrong-value", name + " does not take this value."));
  }

  private static List<Problem.Fault> faults(BindException cause) {
    boolean query =
        !(cause instanceof org.springframework.web.bind.MethodArgumentNotValidException)
            || cause.getBindingResult().getTarget() == null;
    List<Problem.Fault> faults = new ArrayList<>();
    for (FieldError error : cause.getFieldErrors()) {
      String detail = error.getField() + " " + detail(error);
      faults.add(
          query
              ? Problem.Fault.in(error.getField(), code(error), detail)
              : Problem.Fault.at(pointer(error.getField()), code(error), detail));
    }
    return faults;
  }

  private static String detail(FieldError error) {
    return error.isBindingFailure() ? "does not take this value." : error.getDefaultMessage() + ".";
  }

  private static String code(FieldError error) {
    return error.isBindingFailure() ? "wrong-value" : kebab(String.valueOf(error.getCode()));
  }

  private static List<Problem.Fault> faults(HandlerMethodValidationException cause) {
    return cause.getParameterValidationResults().stream()
        .flatMap(
            result ->
                result.getResolvableErrors().stream()
                    .map(
                        error ->
                            Problem.Fault.in(
                                String.valueOf(result.getMethodParameter().getParameterName()),
                                "out-of-range",
                                result.getMethodParameter().getParameterName()
                                    + " "
                                    + error.getDefaultMessage()
                                    + ".")))
        .toList();
  }

  /** {@code gpu.models[0]} as {@code /gpu/models/0}. */
  static String pointer(String field) {
    return "/" + field.replaceAll("\\[(\\w+)]", "/$1").replace('.', '/');
  }

  private static String kebab(String camel) {
    return camel.replaceAll("([a-z])([A-Z])", "$1-$2").toLowerCase(java.util.Locale.ROOT);
  }

  static Problem rejected() {
    return Problem.invalid(
        new Problem.Fault(
            null,
            null,
            null,
            null,
            "request-rejected",
            "The path, a header, a parameter or the host has something that is not taken here."));
  }

  /** One line for each, since while the database is away everybody meets it. */
  private static Problem unavailable(Exception cause) {
    LOG.warn(
        "The database did not answer: {}",
        NestedExceptionUtils.getMostSpecificCause(cause).toString());
    LOG.debug("The database did not answer", cause);
    return Problem.of(
            503, "unavailable", "Not able now", "The database did not answer; try again soon.")
        .retryable(2);
  }

  private static String supported(HttpRequestMethodNotSupportedException cause) {
    Set<?> methods = cause.getSupportedHttpMethods();
    return methods == null
        ? "other methods"
        : methods.stream().map(String::valueOf).sorted().collect(Collectors.joining(", "));
  }

  private static String types(@Nullable List<MediaType> types) {
    return types == null || types.isEmpty()
        ? "application/json"
        : types.stream()
            .map(String::valueOf)
            .filter(t -> !t.contains("*"))
            .distinct()
            .collect(Collectors.joining(", "));
  }
}
