package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a booking counts over its lease's window: everything from the start, what came later from
 * then on.
 */
record Charge(Span span, long milli) {

  /** In order of start. */
  static List<Charge> of(Booking booking, Span window) {
    long early = 0;
    TreeMap<Long, Long> late = new TreeMap<>();
    for (Booking.Slot slot : booking.slots()) {
      if (slot.since() <= window.start()) {
        early += slot.units().size();
      } else if (slot.since() < window.end()) {
        late.merge(slot.since(), (long) slot.units().size(), Math::addExact);
      }
    }
    if (late.isEmpty()) {
      return List.of(new Charge(window, early));
    }
    List<Charge> charges = new ArrayList<>();
    if (early > 0) {
      charges.add(new Charge(window, early));
    }
    for (Map.Entry<Long, Long> each : late.entrySet()) {
      charges.add(new Charge(new Span(each.getKey(), window.end()), each.getValue()));
    }
    return charges;
  }
}
