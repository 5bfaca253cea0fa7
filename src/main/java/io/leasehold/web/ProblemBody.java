package io.leasehold.web;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;

/** How a {@link Problem} stands in an answer (RFC 9457). */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonPropertyOrder({
  "type",
  "title",
  "status",
  "detail",
  "instance",
  "code",
  "traceId",
  "retryable",
  "errors"
})
@Schema(name = "Problem", description = "Why there is no other answer. Codes are stable.")
public record ProblemBody(
    @Schema(example = "urn:leasehold:problem:not-found") String type,
    String title,
    @Schema(minimum = "400", maximum = "599") int status,
    String detail,
    @Schema(example = "/api/v1/leases") String instance,
    @Schema(example = "not-found") String code,
    @Schema(example = "4bf92f3577b34da6a3ce929d0e0e4736") String traceId,
    @JsonInclude(JsonInclude.Include.ALWAYS) boolean retryable,
    List<Problem.Fault> errors,
    @JsonAnyGetter @Hidden Map<String, Object> members) {

  public static ProblemBody of(Problem problem, String instance, String traceId) {
    return new ProblemBody(
        "urn:leasehold:problem:" + problem.code(),
        problem.title(),
        problem.status(),
        problem.getMessage(),
        instance,
        problem.code(),
        traceId,
        problem.isRetryable(),
        List.copyOf(problem.faults()),
        problem.members());
  }
}
