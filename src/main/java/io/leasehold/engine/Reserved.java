package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is set aside, and what of it nobody has: the devices of an occurrence over its window,
 * without those that leases hold right then. So an occurrence and the leases on it never hold the
 * same, and what a lease gives back is set aside again.
 */
final class Reserved {

  private static final Comparator<Occurrence> BY_START =
      Comparator.comparingLong((Occurrence each) -> each.window().start())
          .thenComparing(Occurrence::id);

  private static final Comparator<Span> BY_SPAN =
      Comparator.comparingLong(Span::start).thenComparingLong(Span::end);

  private final Table<UUID, Occurrence> byId;
  private final Table<UUID, List<Occurrence>> bySeries;
  private final Table<UUID, List<Occurrence>> byNode;

  /** What of each is taken of the fleet: never more than nobody has. */
  private final Table<UUID, List<Booking>> undrawn;

  private final Table<UUID, Occurrence> lenders;
  private final Set<UUID> touched = new HashSet<>();
  private final Capacity capacity;
  private final Usage usage;
  private final Dues dues;

  Reserved(Capacity capacity, Usage usage, Dues dues, Undo undo) {
    this.capacity = capacity;
    this.usage = usage;
    this.dues = dues;
    byId = Table.sorted(undo);
    lenders = Table.sorted(undo);
    bySeries = Table.hashed(undo);
    byNode = Table.hashed(undo);
    undrawn = Table.hashed(undo);
  }

  boolean isEmpty() {
    return byId.size() == 0;
  }

  @Nullable Occurrence get(UUID id) {
    return byId.get(id);
  }

  /** By id. */
  List<Occurrence> all() {
    return List.copyOf(byId.values());
  }

  /** Those of a reservation that are not over, soonest first. */
  List<Occurrence> of(UUID reservation) {
    List<Occurrence> series = bySeries.get(reservation);
    return series == null ? List.of() : series;
  }

  /** The one that a lease draws on; null for a lease that draws on none, or on one that is over. */
  @Nullable Occurrence under(Lease lease) {
    Span window = lease.window();
    return lease.ask().reservation() == null || window == null
        ? null
        : openAt(lease.ask().reservation(), window.start());
  }

  /** The occurrence of a reservation that an instant lies in; they never overlap. */
  @Nullable Occurrence openAt(UUID reservation, long instant) {
    for (Occurrence each : of(reservation)) {
      if (each.window().contains(instant)) {
        return each;
      }
    }
    return null;
  }

  /** What nobody has of it. */
  List<Booking> undrawn(UUID occurrence) {
    List<Booking> pieces = undrawn.get(occurrence);
    return pieces == null ? List.of() : pieces;
  }

  /** Occurrences whose undrawn part may have changed since this was last asked to forget. */
  Set<UUID> touched() {
    return new TreeSet<>(touched);
  }

  void forgetTouched() {
    touched.clear();
  }

  /** Puts an occurrence as it is now in place of what it was. */
  void set(Occurrence after) {
    Occurrence before = byId.get(after.id());
    touched.add(after.id());
    if (before != null) {
      lift(before);
      usage.remove(before);
      index(before, false);
      eachDue(before, dues::remove);
      byId.remove(before.id());
      lenders.remove(before.id());
    }
    if (after.isLive()) {
      byId.put(after.id(), after);
      if (after.lend()) {
        lenders.put(after.id(), after);
      }
      index(after, true);
      usage.add(after);
      eachDue(after, dues::add);
      lay(after);
    }
  }

  /** Whether anything is set aside that goes to others while it is idle. */
  boolean isAnyLent() {
    return lenders.size() > 0;
  }

  /** Gives to the fleet what lenders have idle over a time; to be undone. */
  void lend(Span hold) {
    for (Occurrence each : List.copyOf(lenders.values())) {
      if (each.window().overlaps(hold)) {
        lift(each);
      }
    }
  }

  /** Whether a booking lies on what is set aside, for whomever. */
  boolean isSetAside(Booking booking) {
    Set<Occurrence> found = new LinkedHashSet<>();
    find(booking, found);
    return !found.isEmpty();
  }

  /** Leases that hold some of its devices within its window, in the order of the nodes. */
  Set<UUID> holdersOf(Occurrence occurrence) {
    Set<UUID> holders = new LinkedHashSet<>();
    for (Booking.Slot slot : Objects.requireNonNull(occurrence.booking()).slots()) {
      capacity.eachHeld(
          slot.node(),
          held -> {
            if ((held.gpus() & slot.units().gpus()) != 0
                && held.overlaps(occurrence.window().start(), occurrence.window().end())) {
              holders.add(held.lease());
            }
          });
    }
    holders.remove(occurrence.id());
    return holders;
  }

  /** Those that hold, or would hold, some of the devices that a lease gets or gives back. */
  Set<Occurrence> touchedBy(@Nullable Lease before, @Nullable Lease after) {
    if (isEmpty()) {
      return Set.of();
    }
    Set<Occurrence> found = new LinkedHashSet<>();
    findUnlessSame(
        before == null ? null : before.taken(), after == null ? null : after.taken(), found);
    findUnlessSame(
        before == null ? null : before.leaving(), after == null ? null : after.leaving(), found);
    return found;
  }

  private void findUnlessSame(
      @Nullable Booking before, @Nullable Booking after, Set<Occurrence> found) {
    if (!Objects.equals(before, after)) {
      for (Booking booking : new Booking[] {before, after}) {
        if (booking != null) {
          find(booking, found);
        }
      }
    }
  }

  private void find(Booking booking, Set<Occurrence> found) {
    for (Booking.Slot slot : booking.slots()) {
      for (Occurrence each : onNode(slot.node())) {
        if (each.window().start() >= booking.hold().end()) {
          break;
        }
        if (each.window().overlaps(booking.hold()) && shares(each, slot)) {
          found.add(each);
        }
      }
    }
  }

  private static boolean shares(Occurrence occurrence, Booking.Slot slot) {
    for (Booking.Slot own : Objects.requireNonNull(occurrence.booking()).slots()) {
      if (own.node().equals(slot.node()) && (own.units().gpus() & slot.units().gpus()) != 0) {
        return true;
      }
    }
    return false;
  }

  /** On a node, soonest first. */
  List<Occurrence> onNode(UUID node) {
    List<Occurrence> on = byNode.get(node);
    return on == null ? List.of() : on;
  }

  /** Gives back to the fleet what nobody has of it. */
  void lift(Occurrence occurrence) {
    for (Booking piece : undrawn(occurrence.id())) {
      capacity.give(occurrence.id(), piece);
    }
    undrawn.remove(occurrence.id());
  }

  /** Takes of the fleet what nobody has of it. */
  void lay(Occurrence occurrence) {
    touched.add(occurrence.id());
    List<Booking> pieces = pieces(occurrence, Objects.requireNonNull(occurrence.booking()));
    pieces.forEach(piece -> capacity.take(occurrence.id(), piece));
    undrawn.put(occurrence.id(), pieces);
  }

  /**
   * The devices without what others hold of them, by the time over which that is the same. Whole
   * GPUs only are lent and drawn: a part of one is held by who is late, and the rest is nobody's.
   */
  private List<Booking> pieces(Occurrence occurrence, Booking booking) {
    TreeMap<Span, List<Booking.Slot>> bySpan = new TreeMap<>(BY_SPAN);
    for (Booking.Slot slot : booking.slots()) {
      pieces(occurrence, slot, bySpan);
    }
    List<Booking> pieces = new ArrayList<>();
    bySpan.forEach(
        (span, slots) -> pieces.add(new Booking(booking.cluster(), booking.model(), span, slots)));
    return List.copyOf(pieces);
  }

  private void pieces(
      Occurrence occurrence, Booking.Slot slot, TreeMap<Span, List<Booking.Slot>> bySpan) {
    Span window = occurrence.window();
    long all = slot.units().gpus();
    List<Held> others = new ArrayList<>();
    TreeSet<Long> edges = new TreeSet<>(List.of(window.start(), window.end()));
    capacity.eachHeld(
        slot.node(),
        held -> {
          if (!held.lease().equals(occurrence.id())
              && (held.gpus() & all) != 0
              && held.isOfWholeGpus()
              && held.overlaps(window.start(), window.end())) {
            others.add(held);
            edges.add(Math.max(window.start(), held.start()));
            edges.add(Math.min(window.end(), held.end()));
          }
        });
    long from = window.start();
    long free = free(all, others, from);
    for (long edge : edges.tailSet(from, false)) {
      long next = edge == window.end() ? 0 : free(all, others, edge);
      if (next != free || edge == window.end()) {
        if (free != 0) {
          bySpan
              .computeIfAbsent(new Span(from, edge), _ -> new ArrayList<>())
              .add(part(slot, free));
        }
        from = edge;
        free = next;
      }
    }
  }

  private static long free(long gpus, List<Held> others, long instant) {
    long free = gpus;
    for (Held each : others) {
      free &= each.contains(instant) ? ~each.gpus() : -1L;
    }
    return free;
  }

  private static Booking.Slot part(Booking.Slot slot, long gpus) {
    return new Booking.Slot(
        slot.group(), slot.node(), slot.mode(), Units.ofGpus(gpus), List.of(), 0, 0);
  }

  private interface Entry {
    void put(long instant, Dues.Kind kind, long sequence, UUID id);
  }

  private static void eachDue(Occurrence occurrence, Entry entry) {
    long start = occurrence.begun() ? Span.FOREVER : occurrence.window().start();
    entry.put(start, Dues.Kind.START, 0, occurrence.id());
    entry.put(occurrence.window().end(), Dues.Kind.OVER, 0, occurrence.id());
    entry.put(occurrence.noShowAt(), Dues.Kind.NO_SHOW, 0, occurrence.id());
  }

  private void index(Occurrence occurrence, boolean in) {
    index(bySeries, occurrence.reservation(), occurrence, in);
    Set<UUID> nodes = new LinkedHashSet<>();
    Objects.requireNonNull(occurrence.booking()).slots().forEach(slot -> nodes.add(slot.node()));
    nodes.forEach(node -> index(byNode, node, occurrence, in));
  }

  private static void index(
      Table<UUID, List<Occurrence>> table, UUID key, Occurrence occurrence, boolean in) {
    List<Occurrence> old = table.get(key);
    List<Occurrence> changed = old == null ? new ArrayList<>() : new ArrayList<>(old);
    changed.removeIf(each -> each.id().equals(occurrence.id()));
    if (in) {
      changed.add(occurrence);
      changed.sort(BY_START);
    }
    if (changed.isEmpty()) {
      table.remove(key);
    } else {
      table.put(key, changed);
    }
  }
}
