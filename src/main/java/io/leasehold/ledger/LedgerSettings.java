package io.leasehold.ledger;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the deciders work.
 *
 * @param follow how often a replica looks at the log of the others
 * @param cap how long a batch may hold the pool's lock
 * @param urgentCap the same within a second of a real-time request
 * @param mostInBatch commands in one batch, whatever the time
 * @param answerWithin how long a caller waits for a decision before it is told "not now"
 * @param largeWithin the same for an inventory of more nodes than a usual batch takes
 * @param connections of the deciders, apart from those of the doors
 * @param keepKeys how long an idempotency key is remembered
 * @param keepLog how long followers and readers of events may be behind
 * @param keepAudit how long audit facts, refusals and what was promised before are kept
 * @param audit how often the laws are checked
 */
@ConfigurationProperties("leasehold.ledger")
public record LedgerSettings(
    @DefaultValue("50ms") Duration follow,
    @DefaultValue("50ms") Duration cap,
    @DefaultValue("5ms") Duration urgentCap,
    @DefaultValue("1000") int mostInBatch,
    @DefaultValue("10s") Duration answerWithin,
    @DefaultValue("60s") Duration largeWithin,
    @DefaultValue("8") int connections,
    @DefaultValue("48h") Duration keepKeys,
    @DefaultValue("7d") Duration keepLog,
    @DefaultValue("400d") Duration keepAudit,
    @DefaultValue("60s") Duration audit) {

  /** The defaults, without Spring. */
  static LedgerSettings defaults() {
    return new LedgerSettings(
        Duration.ofMillis(50),
        Duration.ofMillis(50),
        Duration.ofMillis(5),
        1000,
        Duration.ofSeconds(10),
        Duration.ofSeconds(60),
        8,
        Duration.ofHours(48),
        Duration.ofDays(7),
        Duration.ofDays(400),
        Duration.ofSeconds(60));
  }
}
