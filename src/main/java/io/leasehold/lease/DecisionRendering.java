package io.leasehold.lease;

import io.leasehold.engine.Answer;
import io.leasehold.engine.Span;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Shows an answer to a caller: of other tenants no id, name or class, and no exact time. */
final class DecisionRendering {

  private static final long QUARTER = 15 * 60 * Wire.SECOND;

  private final Requests requests;
  private final Sight sight;

  DecisionRendering(Requests requests, Sight sight) {
    this.requests = requests;
    this.sight = sight;
  }

  /**
   * @param base where the names of alternatives come from; asked for only if there are any
   */
  DecisionResponse of(Answer answer, String pool, long bookRevision, Supplier<LeaseRequest> base) {
    Instant start = Wire.instant(answer.start());
    return new DecisionResponse(
        answer.verdict().name(),
        answer.refusal() == null ? null : answer.refusal().name().toLowerCase(Locale.ROOT),
        Wire.instant(answer.decidedAt()),
        pool + ":" + bookRevision,
        answer.expected() ? null : start,
        answer.expected() ? start : null,
        answer.reasons().stream().map(each -> reason(each, pool)).toList(),
        answer.blockedBy().stream().map(this::blocker).toList(),
        answer.alternatives().stream().map(each -> alternative(each, pool, base)).toList());
  }

  /** The engine decides in one pool and does not know its name. */
  static DecisionResponse.Reason reason(Answer.Reason reason, String pool) {
    return new DecisionResponse.Reason(
        reason.code(),
        reason.detail(),
        reason.scope(),
        reason.name().isEmpty() ? pool : reason.name(),
        reason.need(),
        reason.used(),
        reason.limit(),
        reason.unit());
  }

  DecisionResponse.Blocker blocker(Answer.Blocker blocker) {
    boolean own = sight.sees(blocker.tenant());
    return new DecisionResponse.Blocker(
        "lease",
        own,
        own ? blocker.lease() : null,
        gpus(blocker.gpuMilli()),
        Wire.instant(own ? Long.valueOf(blocker.until()) : quarterAfter(blocker.until())));
  }

  private DecisionResponse.Alternative alternative(
      Answer.Alternative alternative, String pool, Supplier<LeaseRequest> base) {
    return new DecisionResponse.Alternative(
        alternative.kind(),
        Wire.instant(alternative.start()),
        requests.of(alternative.ask(), pool, base.get()));
  }

  /** Rounded up, so that a fraction of a GPU is not shown as none. */
  static long gpus(long gpuMilli) {
    return (gpuMilli + 999) / 1000;
  }

  static @Nullable Long quarterAfter(@Nullable Long micros) {
    return micros == null || micros == Span.FOREVER
        ? null
        : (Math.floorDiv(micros - 1, QUARTER) + 1) * QUARTER;
  }
}
