package io.leasehold.lease;

import io.leasehold.ledger.Key;
import io.leasehold.ledger.Outcome;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The idempotency key of a batch. A batch is decided in each pool it touches, in parts, so one
 * answer is kept for each of them.
 */
final class BatchKeys {

  private final @Nullable Key key;
  private final Collection<String> pools;
  private final LeaseReads reads;

  /**
   * @param key as sent; null without one
   * @param pools all there are
   */
  BatchKeys(@Nullable Key key, Collection<String> pools, LeaseReads reads) {
    this.key = key;
    this.pools = pools;
    this.reads = reads;
  }

  @Nullable Key in(String pool) {
    return key == null
        ? null
        : new Key(key.scope() + " in " + pool, key.value(), key.fingerprint());
  }

  /** Refuses a key that came with another body before, in whatever pool. */
  void requireSameBody() {
    if (key != null && reads.isReused(all())) {
      throw Outcomes.keyReused();
    }
  }

  /** What was answered under the key before, over all pools. */
  List<Outcome> answered() {
    return key == null
        ? List.of()
        : all().stream()
            .flatMap(each -> reads.answered(each).stream())
            .flatMap(List::stream)
            .toList();
  }

  private List<Key> all() {
    return pools.stream()
        .map(this::in)
        .filter(Objects::nonNull)
        .flatMap(each -> each.parts(BatchReader.MOST).stream())
        .toList();
  }
}
