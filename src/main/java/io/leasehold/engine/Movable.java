package io.leasehold.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** A lease that a plan may move: planned and not published, or running and its owner allows it. */
record Movable(Lease lease, Booking booking) {

  /** In order of arrival. */
  static List<Movable> all(Book book, long now) {
    List<Movable> all = new ArrayList<>();
    for (Lease lease : book.register().all()) {
      if (mayMove(book, lease, now)) {
        all.add(new Movable(lease, Objects.requireNonNull(lease.booking())));
      }
    }
    return all;
  }

  private static boolean mayMove(Book book, Lease lease, long now) {
    Booking booking = lease.booking();
    if (!lease.state().hasPromise() || booking == null || lease.ask().reservation() != null) {
      return false;
    }
    boolean begun = lease.state().hasPossession();
    boolean free =
        begun
            ? lease.ask().movable()
                && lease.change() == null
                && lease.notice() == null
                && !lease.degraded()
                && !lease.parked()
            : booking.hold().start() > now && lease.delayedBy() == null;
    return free
        && booking.gpuMilli() == Need.milli(lease.ask().shape(), book.model(booking.model()))
        && Soundness.isSound(book, booking);
  }

  static List<Movable> begun(List<Movable> all, boolean begun) {
    return all.stream().filter(each -> each.lease.state().hasPossession() == begun).toList();
  }

  /** When the clusters must have let go of all of them that run, if they moved now. */
  static long released(Book book, List<Movable> all, long now) {
    return begun(all, true).stream()
        .mapToLong(each -> Math.min(book.terms(each.lease).holdEnd(now), each.booking.hold().end()))
        .max()
        .orElse(now);
  }

  /** What they have, node by node, of a model in the way of a hold. */
  static List<Resettling.Part> parts(List<Movable> all, String model, Span hold) {
    List<Resettling.Part> parts = new ArrayList<>();
    for (Movable each : all) {
      if (each.booking.model().equals(model) && each.booking.hold().overlaps(hold)) {
        Map<UUID, Long> milli = new LinkedHashMap<>();
        each.booking
            .slots()
            .forEach(slot -> milli.merge(slot.node(), (long) slot.units().size(), Long::sum));
        milli.forEach((node, size) -> parts.add(new Resettling.Part(each.lease, node, size)));
      }
    }
    return parts;
  }
}
