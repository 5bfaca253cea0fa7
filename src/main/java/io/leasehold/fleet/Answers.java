package io.leasehold.fleet;

import io.leasehold.web.ETag;
import java.net.URI;
import org.springframework.http.ResponseEntity;

/** Status and headers of answers to changes. */
public final class Answers {

  private static final String REPLAYED = "Idempotency-Replayed";

  private Answers() {}

  /** What is there now, with its revision as ETag. */
  public static <T> ResponseEntity<T> found(T value, long revision) {
    return ResponseEntity.ok().eTag(ETag.of(revision)).body(value);
  }

  /** A POST that creates: 201, also when it is replayed. */
  public static <T> ResponseEntity<T> created(Written<T> written, long revision, String path) {
    return marked(ResponseEntity.created(URI.create(path)), written)
        .eTag(ETag.of(revision))
        .body(written.value());
  }

  /** A POST that creates what is never changed, and so has no revision. */
  public static <T> ResponseEntity<T> created(Written<T> written, String path) {
    return marked(ResponseEntity.created(URI.create(path)), written).body(written.value());
  }

  /** A PUT: 201 when it creates, else 200. */
  public static <T> ResponseEntity<T> put(Written<T> written, long revision, String path) {
    return written.how() == Written.How.CREATED
        ? created(written, revision, path)
        : changed(written, revision);
  }

  public static <T> ResponseEntity<T> changed(Written<T> written, long revision) {
    return marked(ResponseEntity.ok(), written).eTag(ETag.of(revision)).body(written.value());
  }

  /** A verb whose answer is a report and has no revision. */
  public static <T> ResponseEntity<T> report(Written<T> written) {
    return marked(ResponseEntity.ok(), written).body(written.value());
  }

  private static ResponseEntity.BodyBuilder marked(
      ResponseEntity.BodyBuilder answer, Written<?> written) {
    return written.how() == Written.How.REPLAYED ? answer.header(REPLAYED, "true") : answer;
  }
}
