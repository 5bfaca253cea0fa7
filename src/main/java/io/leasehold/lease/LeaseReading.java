package io.leasehold.lease;

import io.leasehold.fleet.GpuModels;
import io.leasehold.lease.LeaseRendering.View;
import io.leasehold.ledger.LeaseRecord;
import io.leasehold.web.Access;
import io.leasehold.web.ETag;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Preference;
import io.leasehold.web.Problem;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Service;

/** Shows leases: one, when it changes, or a list. */
@Service
class LeaseReading {

  private final LeaseReads reads;
  private final LeaseRendering rendering;
  private final Events events;
  private final Waits waits;
  private final GpuModels models;
  private final Access access;
  private final Viewer viewer;

  LeaseReading(
      LeaseReads reads,
      LeaseRendering rendering,
      Events events,
      Waits waits,
      GpuModels models,
      Access access,
      Viewer viewer) {
    this.reads = reads;
    this.rendering = rendering;
    this.events = events;
    this.waits = waits;
    this.models = models;
    this.access = access;
    this.viewer = viewer;
  }

  /** A lease that the caller may see; otherwise there is none. */
  LeaseRecord visible(UUID id) {
    LeaseRecord lease = reads.find(id).orElseThrow(Problem::notFound);
    access.require(lease.lease().ask().tenant());
    return lease;
  }

  ResponseEntity<LeaseResponse> get(
      UUID id, @Nullable String ifNoneMatch, @Nullable String prefer) {
    LeaseRecord lease = visible(id);
    Duration wait = Preference.waiting(prefer);
    if (ifNoneMatch != null) {
      lease = waits.until(lease, wait, seen -> !ETag.isKnown(ifNoneMatch, seen.lease().revision()));
    }
    long revision = lease.lease().revision();
    if (ETag.isKnown(ifNoneMatch, revision)) {
      return ResponseEntity.status(HttpStatus.NOT_MODIFIED).eTag(ETag.of(revision)).build();
    }
    return new LeaseAnswer(
            200,
            rendering.of(lease, View.FULL, viewer.sight()),
            ifNoneMatch != null && !wait.isZero())
        .toEntity();
  }

  LeasePage list(LeaseFilter.Query query, String view, PageRequest page) {
    View shown = view(view);
    LeaseFilter filter = LeaseFilter.of(query, models::find);
    String position = events.head();
    Page<LeaseRecord> leases = reads.list(filter, viewer.scope(), page);
    Sight sight = viewer.sight();
    return new LeasePage(
        leases.items().stream().map(lease -> rendering.of(lease, shown, sight)).toList(),
        leases.nextPageToken(),
        position);
  }

  private static View view(String name) {
    return switch (name) {
      case "basic" -> View.BASIC;
      case "full" -> View.FULL;
      default ->
          throw Problem.invalid(
              Problem.Fault.in("view", "unknown-value", "view is basic or full."));
    };
  }

  static UUID chosen(UUID id) {
    return Wire.chosenId(id.toString())
        .orElseThrow(
            () ->
                Problem.invalid(
                    Problem.Fault.in("id", "malformed", "An id is a UUID of version 4 or 7.")));
  }
}
