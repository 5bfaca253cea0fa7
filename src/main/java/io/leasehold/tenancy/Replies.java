package io.leasehold.tenancy;

import io.leasehold.tenancy.Changes.Done;
import java.net.URI;
import org.springframework.http.ResponseEntity;

/** Begins the answer to a change: a replay says that it is one. */
final class Replies {

  private Replies() {}

  static ResponseEntity.BodyBuilder created(String path, Done<?> done) {
    return marked(ResponseEntity.created(URI.create(path)), done);
  }

  static ResponseEntity.BodyBuilder ok(Done<?> done) {
    return marked(ResponseEntity.ok(), done);
  }

  private static ResponseEntity.BodyBuilder marked(
      ResponseEntity.BodyBuilder builder, Done<?> done) {
    return done.replayed() ? builder.header("Idempotency-Replayed", "true") : builder;
  }
}
