package io.leasehold.contract;

import io.leasehold.engine.Decision.Shortfall;
import io.leasehold.fleet.Times;
import io.leasehold.web.WireTime;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Guarantees that can not be held, in the problem that refuses a signature.
 *
 * @param scope {@code pool}, or the parent tenant whose guarantee is too small
 * @param endTime absent = for ever
 */
record ShortfallResponse(
    String model,
    String scope,
    Instant startTime,
    @Nullable Instant endTime,
    long promised,
    long available) {

  static ShortfallResponse of(Shortfall shortfall, String canonicalModel) {
    return new ShortfallResponse(
        canonicalModel,
        shortfall.scope(),
        WireTime.ofMicros(shortfall.span().start()),
        Times.instant(shortfall.span().end()),
        shortfall.promised(),
        shortfall.available());
  }
}
