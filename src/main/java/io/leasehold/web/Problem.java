package io.leasehold.web;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is not a success, as {@code application/problem+json}. The codes are stable; the
 * detail names the value and the rule and hints the way out.
 */
public final class Problem extends RuntimeException {

  private final int status;
  private final String code;
  private final String title;
  private final boolean retryable;
  private final @Nullable Integer retryAfterSeconds;
  private final List<Fault> faults;
  private final Map<String, Object> members;

  private Problem(
      int status,
      String code,
      String title,
      String detail,
      boolean retryable,
      @Nullable Integer retryAfterSeconds,
      List<Fault> faults,
      Map<String, Object> members) {
    super(detail, null, false, false);
    this.status = status;
    this.code = code;
    this.title = title;
    this.retryable = retryable;
    this.retryAfterSeconds = retryAfterSeconds;
    this.faults = List.copyOf(faults);
    this.members = members;
  }

  /** Where a fault of the input is, and which rule it breaks. */
  public record Fault(
      @Nullable String pointer,
      @Nullable String parameter,
      @Schema(minimum = "1", maximum = "2147483647") @Nullable Integer line,
      @Schema(minimum = "1", maximum = "2147483647") @Nullable Integer column,
      String code,
      String detail) {

    /** In the body, by JSON pointer ({@code /gpu/count}). */
    public static Fault at(String pointer, String code, String detail) {
      return new Fault(pointer, null, null, null, code, detail);
    }

    /** In the query, the path or a header. */
    public static Fault in(String parameter, String code, String detail) {
      return new Fault(null, parameter, null, null, code, detail);
    }
  }

  public static Problem of(int status, String code, String title, String detail) {
    return new Problem(status, code, title, detail, false, null, List.of(), new LinkedHashMap<>());
  }

  /** 400 with its faults. */
  public static Problem invalid(List<Fault> faults) {
    String detail =
        faults.isEmpty() ? "The request does not follow the rules." : faults.getFirst().detail();
    return new Problem(
        400,
        "invalid-request",
        "Invalid request",
        detail,
        false,
        null,
        faults,
        new LinkedHashMap<>());
  }

  public static Problem invalid(Fault fault) {
    return invalid(List.of(fault));
  }

  /** 404, word for word the same whether it is not there or not yours. */
  public static Problem notFound() {
    return of(404, "not-found", "Not found", "There is no such thing here, or it is not yours.");
  }

  /** 412 for {@code If-Match}. */
  public static Problem changedMeanwhile(String detail) {
    return of(412, "changed-meanwhile", "Changed meanwhile", detail);
  }

  public Problem retryable(@Nullable Integer afterSeconds) {
    return new Problem(
        status,
        code,
        title,
        getMessage(),
        true,
        afterSeconds,
        faults,
        new LinkedHashMap<>(members));
  }

  /** An extension member, such as {@code decision} or {@code leaseId}. */
  public Problem with(String member, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(members);
    more.put(member, value);
    return new Problem(
        status, code, title, getMessage(), retryable, retryAfterSeconds, faults, more);
  }

  public int status() {
    return status;
  }

  public String code() {
    return code;
  }

  public String title() {
    return title;
  }

  public boolean isRetryable() {
    return retryable;
  }

  public @Nullable Integer retryAfterSeconds() {
    return retryAfterSeconds;
  }

  public List<Fault> faults() {
    return faults;
  }

  public Map<String, Object> members() {
    return members;
  }
}
