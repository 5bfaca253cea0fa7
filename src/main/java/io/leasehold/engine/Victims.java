package io.leasehold.engine;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The leases that may be preempted at all, where a search for victims begins: of each cluster and
 * model by tenant and class, each lot with those first that are missed least.
 */
final class Victims {

  /** Nodes of one model in one cluster. */
  record Ground(String cluster, String model) {}

  /** Leases of one tenant and class. */
  record Lot(String tenant, String serviceClass) implements Comparable<Lot> {

    private static final Comparator<Lot> ORDER =
        Comparator.comparing(Lot::tenant).thenComparing(Lot::serviceClass);

    static Lot of(Lease lease) {
      return new Lot(lease.ask().tenant(), lease.ask().serviceClass());
    }

    @Override
    public int compareTo(Lot other) {
      return ORDER.compare(this, other);
    }
  }

  /**
   * One lease in its lot, or what it has above the least that it needs.
   *
   * @param begun what has not begun loses no work and goes first
   * @param whole the lease ends; else it gives of its surplus, which goes before any ends
   * @param cost the owner's hint
   * @param since its start: of equals the last to start goes first
   */
  record Entry(UUID lease, boolean begun, boolean whole, int cost, long since)
      implements Comparable<Entry> {

    @Override
    public int compareTo(Entry other) {
      int order = Boolean.compare(begun, other.begun);
      if (order == 0) {
        order = Boolean.compare(whole, other.whole);
      }
      if (order == 0) {
        order = Integer.compare(cost, other.cost);
      }
      if (order == 0) {
        order = Long.compare(other.since, since);
      }
      return order != 0 ? order : lease.compareTo(other.lease);
    }
  }

  /** Where a lease stands in the index. */
  private record Spot(Ground ground, Lot lot, List<Entry> entries, long milli) {

    static @Nullable Spot of(@Nullable Lease lease) {
      if (lease == null || !isExposed(lease)) {
        return null;
      }
      Booking booking = lease.booking();
      return new Spot(
          new Ground(booking.cluster(), booking.model()),
          Lot.of(lease),
          Surplus.of(lease) > 0
              ? List.of(entry(lease, false), entry(lease, true))
              : List.of(entry(lease, true)),
          booking.gpuMilli());
    }

    private static Entry entry(Lease lease, boolean whole) {
      return new Entry(
          lease.id(),
          lease.state() != LeaseState.PLANNED,
          whole,
          lease.ask().preemptionCost(),
          lease.window().start());
    }
  }

  /** The leases of a lot, and what they hold together in thousandths of GPUs. */
  private static final class Herd {
    private final TreeSet<Entry> entries = new TreeSet<>();
    private long milli;
  }

  private final Map<Ground, TreeMap<Lot, Herd>> grounds = new HashMap<>();
  private final Undo undo;

  Victims(Undo undo) {
    this.undo = undo;
  }

  /** What draws on a reservation has it; what is to end already is taken once only. */
  private static boolean isExposed(Lease lease) {
    return lease.ask().preemptible()
        && lease.state().hasPromise()
        && lease.booking() != null
        && lease.window() != null
        && lease.ask().reservation() == null
        && (lease.notice() == null || !lease.notice().cause().equals(Life.PREEMPTED));
  }

  void moved(@Nullable Lease before, Lease after) {
    Spot was = Spot.of(before);
    Spot is = Spot.of(after);
    if (was == null ? is == null : was.equals(is)) {
      return;
    }
    replace(was, is);
    undo.record(() -> replace(is, was));
  }

  /** Whose leases lie there, in the order of tenant and class. */
  List<Lot> lots(Ground ground) {
    TreeMap<Lot, Herd> lots = grounds.get(ground);
    return lots == null ? List.of() : List.copyOf(lots.keySet());
  }

  /** What the leases of a lot hold together, in thousandths of GPUs. */
  long milli(Ground ground, Lot lot) {
    Herd herd = herd(ground, lot);
    return herd == null ? 0 : herd.milli;
  }

  /** The next of a lot, which may have changed in between; null after the last. */
  @Nullable Entry next(Ground ground, Lot lot, @Nullable Entry after) {
    Herd herd = herd(ground, lot);
    if (herd == null) {
      return null;
    }
    return after == null ? herd.entries.first() : herd.entries.higher(after);
  }

  private @Nullable Herd herd(Ground ground, Lot lot) {
    TreeMap<Lot, Herd> lots = grounds.get(ground);
    return lots == null ? null : lots.get(lot);
  }

  private void replace(@Nullable Spot out, @Nullable Spot in) {
    if (out != null) {
      TreeMap<Lot, Herd> lots = grounds.get(out.ground());
      Herd herd = lots.get(out.lot());
      out.entries().forEach(herd.entries::remove);
      herd.milli -= out.milli();
      if (herd.entries.isEmpty()) {
        lots.remove(out.lot());
      }
    }
    if (in != null) {
      Herd herd =
          grounds
              .computeIfAbsent(in.ground(), _ -> new TreeMap<>())
              .computeIfAbsent(in.lot(), _ -> new Herd());
      herd.entries.addAll(in.entries());
      herd.milli += in.milli();
    }
  }
}
