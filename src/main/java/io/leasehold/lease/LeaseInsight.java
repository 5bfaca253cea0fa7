package io.leasehold.lease;

import io.leasehold.engine.Answer;
import io.leasehold.engine.Engine;
import io.leasehold.engine.Lease;
import io.leasehold.engine.LeaseState;
import io.leasehold.engine.Place;
import io.leasehold.ledger.LeaseRecord;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Explains a lease: from the book of this moment while it waits or is planned. */
@Service
class LeaseInsight {

  private final BookQuestions questions;
  private final LeaseRendering rendering;
  private final Viewer viewer;

  LeaseInsight(BookQuestions questions, LeaseRendering rendering, Viewer viewer) {
    this.questions = questions;
    this.rendering = rendering;
    this.viewer = viewer;
  }

  /** What the book says; the lease may have moved on since its row was read. */
  private record Live(Lease lease, Answer answer, @Nullable Place place) {}

  ExplanationResponse explain(LeaseRecord lease) {
    Live live = isUndecided(lease.lease()) ? live(lease) : null;
    if (live == null) {
      return response(lease.lease(), rendering.decision(lease, viewer.sight()), null);
    }
    DecisionResponse decision =
        rendering.decision(
            live.answer(), lease.pool(), lease.bookRevision(), lease.text(), viewer.sight());
    return response(live.lease(), decision, live.place());
  }

  /** Something is still to be decided: its start, or other nodes for some of its own. */
  private static boolean isUndecided(Lease lease) {
    return lease.state() == LeaseState.WAITING
        || lease.state() == LeaseState.PLANNED
        || (lease.change() != null && !lease.change().replacing().isEmpty());
  }

  private @Nullable Live live(LeaseRecord lease) {
    UUID id = lease.lease().id();
    return questions.ask(
        lease.pool(),
        (book, now) -> {
          Lease present = book.lease(id);
          if (present == null || !isUndecided(present)) {
            return null;
          }
          Place place =
              present.state() != LeaseState.WAITING
                  ? null
                  : Engine.queue(book, now).stream()
                      .filter(each -> each.lease().equals(id))
                      .findAny()
                      .orElse(null);
          return new Live(present, Engine.explain(book, id, now), place);
        });
  }

  private static ExplanationResponse response(
      Lease lease, DecisionResponse decision, @Nullable Place place) {
    return new ExplanationResponse(
        lease.id(),
        lease.revision(),
        lease.state().name(),
        place == null ? null : place.position(),
        place == null ? null : Wire.instant(place.expectedStart()),
        place == null ? null : place.earmarked(),
        decision);
  }
}
