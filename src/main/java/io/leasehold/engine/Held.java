package io.leasehold.engine;

import java.util.Comparator;
import java.util.UUID;

/**
 * What a lease has on a node, and from when until when.
 *
 * @param gpus the GPUs touched, as a mask
 * @param milli thousandths of GPUs
 */
record Held(UUID lease, long start, long end, Booking.Slot slot, long gpus, int milli) {

  /** A total order that depends on nothing but what is held. */
  static final Comparator<Held> ORDER =
      Comparator.comparingLong(Held::start)
          .thenComparingLong(Held::end)
          .thenComparing(Held::lease)
          .thenComparingInt(held -> held.slot.group())
          .thenComparingInt(held -> held.slot.units().first());

  /** The same, soonest over first. */
  static final Comparator<Held> SOONEST_FREE =
      Comparator.comparingLong(Held::end).thenComparing(Held::lease);

  static Held of(UUID lease, Span hold, Booking.Slot slot) {
    Units units = slot.units();
    long start = Math.min(Math.max(hold.start(), slot.since()), hold.end() - 1);
    return new Held(lease, start, hold.end(), slot, units.gpus(), units.size());
  }

  boolean overlaps(long from, long to) {
    return start < to && from < end;
  }

  boolean contains(long instant) {
    return start <= instant && instant < end;
  }

  boolean isOfWholeGpus() {
    return milli == Long.bitCount(gpus) * Units.PER_GPU;
  }

  Mode mode() {
    return slot.mode();
  }
}
