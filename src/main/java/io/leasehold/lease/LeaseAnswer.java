package io.leasehold.lease;

import io.leasehold.web.ETag;
import org.springframework.http.ResponseEntity;

/**
 * What a door answers when it does not refuse.
 *
 * @param waited the wish to wait was honoured
 */
record LeaseAnswer(int status, LeaseResponse lease, boolean waited) {

  LeaseAnswer afterWaiting(boolean didWait) {
    return new LeaseAnswer(status, lease, didWait);
  }

  ResponseEntity<LeaseResponse> toEntity() {
    ResponseEntity.BodyBuilder response = ResponseEntity.status(status);
    if (lease.revision() != null) {
      response.eTag(ETag.of(lease.revision()));
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
