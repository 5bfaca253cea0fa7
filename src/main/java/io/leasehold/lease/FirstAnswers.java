package io.leasehold.lease;

import io.leasehold.ledger.Key;
import io.leasehold.ledger.Outcome;
import io.leasehold.ledger.Outcome.Committed;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The first answer under an idempotency key stands, whatever has passed since: the start that was
 * asked for, the contract, the revision. So a request is looked up before it is refused for that.
 */
@Component
class FirstAnswers {

  private final LeaseReads reads;

  FirstAnswers(LeaseReads reads) {
    this.reads = reads;
  }

  /** The answer that is kept for a key and this body; the response says that it is one. */
  Optional<Committed> to(@Nullable Key key) {
    Optional<Committed> first =
        key == null
            ? Optional.empty()
            : reads.answered(key).map(List::getFirst).map(FirstAnswers::committed);
    first.ifPresent(_ -> ReplayMark.put());
    return first;
  }

  private static @Nullable Committed committed(Outcome outcome) {
    return outcome instanceof Committed committed ? committed : null;
  }
}
