package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What is held of one node over time, and what a cluster has in its hands there. Kept in the order
 * of {@link Held#ORDER}, so that it is the same whatever order it came in.
 */
final class NodeTimeline {

  private static final Held[] NOTHING = {};

  /** From so much on a node on its sums are kept. */
  private static final int CROWDED = 12;

  private Node node;
  private long usable;
  private @Nullable Stock stock;
  private int index;
  private Held[] held = NOTHING;
  private Held[] possessed = NOTHING;
  private @Nullable Crowd crowd;

  NodeTimeline(Node node) {
    this.node = node;
    this.usable = usable(false);
  }

  /** Tells each change to this stock from now on. */
  void standIn(Stock stock, int index) {
    this.stock = stock;
    this.index = index;
  }

  private void changed() {
    if (stock != null) {
      stock.refresh(index);
    }
  }

  /** The GPUs that may be chosen, as a mask. */
  long usable() {
    return usable;
  }

  void present(NodeState state, long clock) {
    if (isCrowded(clock)) {
      crowd.present(state, node, usable);
    } else {
      state.present(node, usable, held, possessed, clock);
    }
  }

  /** Whether so much lies here that its sums are kept; then they are good at this instant. */
  private boolean isCrowded(long clock) {
    if (held.length + possessed.length < CROWDED) {
      crowd = null;
    } else if (crowd == null || !crowd.isGoodAt(clock)) {
      crowd = new Crowd(node.gpus().size(), held, possessed, clock);
    }
    return crowd != null;
  }

  void over(NodeState state, Over over) {
    if (over.empty()) {
      state.over(node, usable(true), NOTHING, NOTHING, over);
    } else {
      state.over(node, usable, held, possessed, over);
    }
  }

  void hostOver(NodeState state, Over over) {
    state.hostOver(node, held, possessed, over);
  }

  void forGood(NodeState state, long clock) {
    if (isCrowded(clock)) {
      crowd.forGood(state, node, usable);
    } else {
      state.forGood(node, usable, held, clock);
    }
  }

  Node node() {
    return node;
  }

  void become(Node changed) {
    this.node = changed;
    this.crowd = null;
    this.usable = usable(false);
    changed();
  }

  void take(Held one) {
    held = with(held, one);
    if (crowd != null) {
      crowd.take(one, find(possessed, one) >= 0);
    }
    changed();
  }

  void give(Held one) {
    held = without(held, one);
    if (crowd != null) {
      crowd.give(one, find(possessed, one) >= 0);
    }
    changed();
  }

  void possess(Held one) {
    possessed = with(possessed, one);
    if (crowd != null) {
      crowd.possess(one, find(held, one) >= 0);
    }
    changed();
  }

  void dispossess(Held one) {
    possessed = without(possessed, one);
    if (crowd != null) {
      crowd.dispossess(one, find(held, one) >= 0);
    }
    changed();
  }

  private static int find(Held[] all, Held one) {
    return Arrays.binarySearch(all, one, Held.ORDER);
  }

  private static Held[] with(Held[] all, Held one) {
    int at = find(all, one);
    int index = at < 0 ? -at - 1 : at;
    Held[] more = Arrays.copyOf(all, all.length + 1);
    System.arraycopy(all, index, more, index + 1, all.length - index);
    more[index] = one;
    return more;
  }

  private static Held[] without(Held[] all, Held one) {
    int at = find(all, one);
    if (at < 0) {
      throw new IllegalStateException(one + " is not held");
    }
    Held[] fewer = Arrays.copyOf(all, all.length - 1);
    System.arraycopy(all, at + 1, fewer, at, fewer.length - at);
    return fewer.length == 0 ? NOTHING : fewer;
  }

  /** GPUs that may be chosen: healthy, on a node that stays. */
  private long usable(boolean empty) {
    if (node.retired() || (node.drainDeadline() != null && !empty)) {
      return 0;
    }
    long mask = 0;
    for (int k = 0; k < node.gpus().size(); k++) {
      Health health = node.gpus().get(k).health();
      if (health == Health.OK || (empty && health != Health.RETIRED)) {
        mask |= 1L << k;
      }
    }
    return mask;
  }

  /** GPUs that work, whether or not the node drains. */
  int healthyGpus() {
    int sum = 0;
    for (Node.Gpu gpu : node.gpus()) {
      sum += !node.retired() && gpu.health() == Health.OK ? 1 : 0;
    }
    return sum;
  }

  /** Whether a shape may lie here. */
  boolean isAllowed(Shape.Where where) {
    if (where.avoidNodes().contains(node.id())) {
      return false;
    }
    if (where.within().isEmpty()) {
      return true;
    }
    String path = node.domain().pathOf(node.name());
    for (String prefix : where.within()) {
      if (path.equals(prefix) || path.startsWith(prefix.endsWith("/") ? prefix : prefix + "/")) {
        return true;
      }
    }
    return false;
  }

  /** Everything in the way over this time: what is held and, where it is due, what is possessed. */
  void forEach(Over over, Consumer<Held> action) {
    if (over.empty()) {
      return;
    }
    for (Held one : held) {
      if (one.overlaps(over.start(), over.end())) {
        action.accept(one);
      }
    }
    if (over.due()) {
      for (Held one : possessed) {
        action.accept(one);
      }
    }
  }

  /** In the order of {@link Held#ORDER}; not to be changed. */
  Held[] held() {
    return held;
  }

  /** All that is held, whenever. */
  void forEachHeld(Consumer<Held> action) {
    for (Held one : held) {
      action.accept(one);
    }
  }

  void forEachPossessed(Consumer<Held> action) {
    for (Held one : possessed) {
      action.accept(one);
    }
  }

  int usableGpus() {
    return Long.bitCount(usable);
  }

  /** What is overdue included; {@link Span#FOREVER} without any. */
  long firstEndOfPossessed() {
    long first = Span.FOREVER;
    for (Held one : possessed) {
      first = Math.min(first, one.end());
    }
    return first;
  }

  boolean isPossessed() {
    return possessed.length > 0;
  }

  /** What this node has free for a demand over this time; null where it can not be chosen. */
  @Nullable Gap gap(Demand demand, Over over) {
    long chosen = over.empty() ? usable(true) : usable;
    if (chosen == 0) {
      return null;
    }
    long cpu =
        node.cpuMilli() == 0
            ? Gap.UNKNOWN
            : node.cpuMilli() - peak(over, one -> one.slot().cpuMilli());
    long memory =
        node.memoryMiB() == 0
            ? Gap.UNKNOWN
            : node.memoryMiB() - peak(over, one -> one.slot().memoryMiB());
    return new Gap(this, over, chosen, pieces(demand, over, chosen), cpu, memory);
  }

  private Pieces pieces(Demand demand, Over over, long chosen) {
    Mode mode = demand.mode();
    long[] touched = new long[2];
    forEach(over, one -> touched[one.mode() == mode ? 0 : 1] |= one.gpus());
    long untouched = chosen & ~touched[0] & ~touched[1];
    long open = chosen & touched[0] & ~touched[1];
    long otherwise = chosen & touched[1];
    return switch (demand.slice()) {
      case Shape.Slice.Whole _ -> new WholePieces(untouched);
      case Shape.Slice.Share share ->
          new SharePieces(share.milli(), units(over), open, untouched, otherwise);
      case Shape.Slice.Mig _ -> migPieces(demand, over, open, untouched, otherwise);
    };
  }

  private MigPieces migPieces(Demand demand, Over over, long open, long untouched, long otherwise) {
    List<MigPieces.Layout> layouts = new ArrayList<>();
    for (long left = open; left != 0; left &= left - 1) {
      layouts.add(layout(demand, over, Long.numberOfTrailingZeros(left)));
    }
    BitSet busy = units(over);
    int lost = 0;
    for (long left = otherwise; left != 0; left &= left - 1) {
      int from = Long.numberOfTrailingZeros(left) * Units.PER_GPU;
      int free = Units.PER_GPU - busy.get(from, from + Units.PER_GPU).cardinality();
      lost += free / demand.pieceMilli();
    }
    return new MigPieces(demand.model(), demand.profile(), layouts, untouched, lost);
  }

  /** What the instances of a time leave of a GPU that nothing else lies on. */
  MigPieces.Layout layout(Demand demand, Over over, int gpu) {
    GpuModel model = demand.model();
    GpuModel.Profile profile = demand.profile();
    long[] busy = new long[1];
    forEach(
        over,
        one -> {
          for (Booking.Instance instance : one.slot().instances()) {
            if (instance.gpu() == gpu) {
              busy[0] |= MigTable.slices(instance.start(), instance.size());
            }
          }
        });
    long compute =
        peak(over, one -> sum(one, gpu, each -> MigTable.profile(model, each).compute()));
    long same = peak(over, one -> sum(one, gpu, each -> each.equals(profile.name()) ? 1 : 0));
    long most = profile.most() - same;
    if (MigTable.hasMedia(profile.name())) {
      long media = peak(over, one -> sum(one, gpu, each -> MigTable.hasMedia(each) ? 1 : 0));
      most = Math.min(most, 1 - media);
    }
    return new MigPieces.Layout(gpu, busy[0], (int) (model.computeSlices() - compute), (int) most);
  }

  private static long sum(Held one, int gpu, ToLongFunction<String> ofProfile) {
    long sum = 0;
    for (Booking.Instance instance : one.slot().instances()) {
      if (instance.gpu() == gpu) {
        sum += ofProfile.applyAsLong(instance.profile());
      }
    }
    return sum;
  }

  /** Units that are held at some instant. */
  BitSet units(Over over) {
    BitSet units = new BitSet(node.gpus().size() * Units.PER_GPU);
    forEach(over, one -> one.slot().units().mark(units));
    return units;
  }

  private long peak(Over over, ToLongFunction<Held> weight) {
    return Peak.of(held, possessed, over, weight);
  }

  /** Another lease that possesses some of these units; the first in order, or null. */
  @Nullable UUID possessorInTheWay(UUID lease, Units units) {
    for (Held one : possessed) {
      if (!one.lease().equals(lease) && one.slot().units().overlaps(units)) {
        return one.lease();
      }
    }
    return null;
  }

  /** Other leases that keep these slots from being held together over this time as well. */
  void inTheWay(UUID lease, List<Booking.Slot> slots, Over more, Consumer<Held> action) {
    long cpu = slots.stream().mapToLong(Booking.Slot::cpuMilli).sum();
    long memory = slots.stream().mapToLong(Booking.Slot::memoryMiB).sum();
    boolean hostShort =
        isShort(lease, cpu, node.cpuMilli(), more, one -> one.slot().cpuMilli())
            || isShort(lease, memory, node.memoryMiB(), more, one -> one.slot().memoryMiB());
    for (Held one : held) {
      if (!one.lease().equals(lease) && one.overlaps(more.start(), more.end())) {
        if (hostShort || slots.stream().anyMatch(slot -> exclude(one, slot))) {
          action.accept(one);
        }
      }
    }
  }

  /** The same units, or another mode on the same GPU. */
  private static boolean exclude(Held one, Booking.Slot slot) {
    return one.slot().units().overlaps(slot.units())
        || (one.mode() != slot.mode() && (one.gpus() & slot.units().gpus()) != 0);
  }

  private boolean isShort(
      UUID lease, long wanted, long available, Over more, ToLongFunction<Held> weight) {
    return available > 0
        && wanted > 0
        && wanted + peak(more, one -> one.lease().equals(lease) ? 0 : weight.applyAsLong(one))
            > available;
  }
}
