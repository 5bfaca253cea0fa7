package io.leasehold.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One change of a book. Enough to apply it anywhere: a book that applied the same moves in the same
 * order decides as the one that made them. Written to the log, followed by the other replicas.
 */
public sealed interface Move {

  /**
   * A lease came into being or changed.
   *
   * @param before null for a new lease
   * @param cause a kebab-case code: admitted, planned, waiting, refused, started, accepted, active,
   *     expired, released, cancelled, revoked, withdrawn, extended, shortened, rebound, degraded,
   *     healed, health-changed, noticed, notice-lifted, delayed, earmarked, wait-expired, changed,
   *     ...
   */
  record LeaseMoved(@Nullable Lease before, Lease after, String cause) implements Move {}

  /**
   * Something was set aside, or changed; a final one leaves the book.
   *
   * @param cause reserved, started, changed, drawn, lent, returned, no-show, over, cancelled,
   *     rebound, degraded, healed, postponed, no-room
   */
  record OccurrenceMoved(Occurrence after, String cause) implements Move {}

  record NodeSet(Node node) implements Move {}

  record ModelSet(GpuModel model) implements Move {}

  record ClassSet(ServiceClass serviceClass) implements Move {}

  record TenantSet(Tenant tenant) implements Move {}

  /** Signed, or cut short: replaces the contract of the same id. */
  record ContractSet(Contract contract) implements Move {}

  /** A cluster came, or pauses admissions (stale inventory, quarantine), or takes them again. */
  record ClusterSet(String cluster, boolean paused) implements Move {}

  /**
   * Some use of a tenant's own leases of a model is over: its history, brought to a tick of a
   * minute (engine rule 7).
   *
   * @param usage faded, in thousandths of GPUs times milliseconds
   * @param tick minutes since the epoch
   */
  record UsageSet(String tenant, String model, long usage, long tick) implements Move {}

  /**
   * By how much the healthy GPUs of a model fall short of what is promised (law I2).
   *
   * @param losses in order of tenant; empty where nothing is short
   */
  record LossSet(String model, List<Loss> losses) implements Move {
    public LossSet {
      losses = List.copyOf(losses);
    }
  }

  /**
   * Leases of a tenant and class were preempted at these instants: those that still count against
   * the disruption budget of the class.
   *
   * @param at microseconds, in order
   */
  record DisruptionSet(String tenant, String serviceClass, List<Long> at) implements Move {
    public DisruptionSet {
      at = List.copyOf(at);
    }
  }
}
