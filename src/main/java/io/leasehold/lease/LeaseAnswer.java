package io.leasehold.lease;

import io.leasehold.web.ETag;
import org.springframework.http.ResponseEntity;

/**
 * What a door answers when it does not refuse.
 *
 * @param replayed an earlier request with the same idempotency key had this answer
 * @param waited the wish to wait was honoured
 */
record LeaseAnswer(int status, LeaseResponse lease, boolean replayed, boolean waited) {

  ResponseEntity<LeaseResponse> toEntity() {
    ResponseEntity.BodyBuilder response = ResponseEntity.status(status);
    if (lease.revision() != null) {
      response.eTag(ETag.of(lease.revision()));
    }
    if (replayed) {
      response.header("Idempotency-Replayed", "true");
    }
    if (waited) {
      response.header("Preference-Applied", "wait");
    }
    if (status == 201 || status == 202) {
      response.header("Location", "/api/v1/leases/" + lease.id());
    }
    return response.body(lease);
  }
}
