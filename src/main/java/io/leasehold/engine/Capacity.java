package io.leasehold.engine;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The fleet and what is taken of it over time. Knows nothing of tenants, queues or precedence: it
 * answers what fits where and when. Every change can be taken back through the {@link Undo} given.
 *
 * <p>Every order it follows is a function of what is in it (nodes by domain path and ordinal),
 * never of history.
 */
final class Capacity {

  private final Undo undo;
  private final Mix mix;
  private final Hardware hardware;

  Capacity(Undo undo) {
    this.undo = undo;
    this.mix = new Mix(undo);
    this.hardware = new Hardware(undo, mix);
  }

  /** What is asked for, which the book tells. */
  Mix mix() {
    return mix;
  }

  void set(GpuModel model) {
    hardware.set(model);
  }

  void set(Node node) {
    hardware.set(node);
  }

  /** A paused cluster gets nothing new. */
  void setPaused(String cluster, boolean pause) {
    hardware.setPaused(cluster, pause);
  }

  @Nullable GpuModel model(String slug) {
    return hardware.model(slug);
  }

  @Nullable Node node(UUID id) {
    return hardware.node(id);
  }

  /** By ordinal. */
  Collection<Node> nodes() {
    return hardware.nodes();
  }

  /** GPUs of a model that are not retired and healthy (draining ones until their deadline). */
  long healthyGpus(String model) {
    return hardware.healthyGpus(model);
  }

  /** The models that occur, by slug. */
  List<String> models() {
    return hardware.models();
  }

  /** The stocks of a model, whoever may have them. */
  List<Stock> all(String model) {
    return hardware.stocks(model);
  }

  /** Where a shape may lie at all: the stocks of a model in clusters that take leases. */
  List<Stock> open(Shape.Where where, String model) {
    return hardware.open(where, model);
  }

  /** What nodes are measured with as things stand. */
  Score score() {
    return hardware.score();
  }

  /** Takes the devices over the booking's hold. The caller has searched; overlaps are a bug. */
  void take(UUID lease, Booking booking) {
    for (Booking.Slot slot : booking.slots()) {
      NodeTimeline at = hardware.timeline(slot);
      Held held = Held.of(lease, booking.hold(), slot);
      at.take(held);
      undo.record(() -> at.give(held));
    }
  }

  /** Gives back exactly what {@link #take} took. */
  void give(UUID lease, Booking booking) {
    for (Booking.Slot slot : booking.slots()) {
      NodeTimeline at = hardware.timeline(slot);
      Held held = Held.of(lease, booking.hold(), slot);
      at.give(held);
      undo.record(() -> at.take(held));
    }
  }

  /**
   * The cluster has these devices in its hands until {@link #dispossess}: whatever the holds say,
   * they are not free <em>now</em>.
   */
  void possess(UUID lease, Booking booking) {
    for (Booking.Slot slot : booking.slots()) {
      NodeTimeline at = hardware.timeline(slot);
      Held held = Held.of(lease, booking.hold(), slot);
      at.possess(held);
      undo.record(() -> at.dispossess(held));
    }
  }

  void dispossess(UUID lease, Booking booking) {
    for (Booking.Slot slot : booking.slots()) {
      NodeTimeline at = hardware.timeline(slot);
      Held held = Held.of(lease, booking.hold(), slot);
      at.dispossess(held);
      undo.record(() -> at.possess(held));
    }
  }

  /** Whether another lease still possesses any of these devices; that lease, or null. */
  @Nullable UUID possessorInTheWay(UUID lease, Booking booking) {
    for (Booking.Slot slot : booking.slots()) {
      UUID possessor = hardware.timeline(slot).possessorInTheWay(lease, slot.units());
      if (possessor != null) {
        return possessor;
      }
    }
    return null;
  }

  /**
   * Devices for exactly this hold, one model tried.
   *
   * @param now holds that start now (or before) also avoid what is possessed
   */
  Found place(Shape shape, String model, Span hold, long now, Budget budget) {
    return lookFor(shape, model, hold, now, budget).found(model, hold, budget);
  }

  /** The same for who needs no numbers: where nothing fits, {@link Found.None#UNTOLD}. */
  Found placeUntold(Shape shape, String model, Span hold, long now, Budget budget) {
    Look look = lookFor(shape, model, hold, now, budget);
    return look.best == null && !budget.isSpent()
        ? Found.None.UNTOLD
        : look.found(model, hold, budget);
  }

  /** Where it would lie on one model, without the booking; null where it does not fit. */
  @Nullable Fit fit(Shape shape, String model, Span hold, long now, Budget budget) {
    return lookFor(shape, model, hold, now, budget).best;
  }

  private Look lookFor(Shape shape, String model, Span hold, long now, Budget budget) {
    hardware.moveTo(now);
    return look(shape, model, Over.of(hold, now), now, budget, true);
  }

  /**
   * Devices for more of a lease, beside those it keeps: of the same model in the same cluster, so
   * that all of it together keeps to the topology. What it keeps is not free for it a second time.
   */
  Found beside(Shape more, Booking kept, Span hold, long now, Budget budget) {
    hardware.moveTo(now);
    Look look =
        new Look(Demand.of(more, hardware.model(kept.model())), Topology.of(more.topology()));
    for (Stock stock : hardware.stocks(kept.model())) {
      if (look.demand == null || !stock.cluster().equals(kept.cluster())) {
        continue;
      }
      if (hardware.isPaused(stock.cluster())) {
        look.held = stock.cluster();
        continue;
      }
      stock.advance(now);
      Window window = Window.exact(stock, look.demand, Over.of(hold, now), more.where(), budget);
      Fit fit = Packing.beside(window, look.topology, kept).pack();
      if (fit == null) {
        look.tried.add(window);
      } else {
        look.best = fit;
      }
    }
    return look.found(kept.model(), hold, budget);
  }

  /** Devices on the empty fleet, broken ones counted as usable: {@code None} means never. */
  Found placeOnEmpty(Shape shape, String model, Budget budget) {
    Span ever = new Span(0, Span.FOREVER);
    Look look = look(shape, model, Over.emptyFleet(), hardware.clock(), budget, false);
    return look.found(model, ever, budget);
  }

  /** Looks into each cluster that may be chosen; the best that fits. */
  private Look look(Shape shape, String slug, Over over, long now, Budget budget, boolean scored) {
    Look look = new Look(Demand.of(shape, hardware.model(slug)), Topology.of(shape.topology()));
    for (Stock stock : hardware.stocks(slug)) {
      if (look.demand == null || !Hardware.allows(shape.where(), stock.cluster())) {
        continue;
      }
      if (hardware.isPaused(stock.cluster()) && !over.empty()) {
        look.held = stock.cluster();
        continue;
      }
      stock.advance(now);
      look.into(Window.exact(stock, look.demand, over, shape.where(), budget), scored);
    }
    return look;
  }

  /**
   * The earliest hold of this length that starts in {@code [from, latest]} (whole seconds unless it
   * is {@code from} itself), and the devices for it. Where {@code None}: the closest miss at {@code
   * from}.
   */
  Found earliest(
      Shape shape, String model, long from, long latest, long length, long now, Budget budget) {
    Found first = placeUntold(shape, model, span(from, length), now, budget);
    if (!(first instanceof Found.None)) {
      return first;
    }
    Demand demand = Demand.of(shape, hardware.model(model));
    if (demand != null) {
      Starts.When when = new Starts.When(from, latest, length, now);
      Starts starts = Starts.of(open(shape.where(), model), demand, shape, when, budget);
      long none = Span.FOREVER; // also where a start may be as late as one likes
      for (long start = starts.after(from);
          start <= latest && start < none;
          start = starts.after(start)) {
        Look look = look(shape, model, Over.of(when.hold(start), now), now, budget, true);
        if (look.best != null || budget.isSpent()) {
          return look.found(model, when.hold(start), budget);
        }
      }
      if (budget.isSpent()) {
        return new Found.GaveUp();
      }
    }
    return place(shape, model, span(from, length), now, budget);
  }

  private static Span span(long start, long length) {
    return new Span(start, length >= Span.FOREVER - start ? Span.FOREVER : start + length);
  }

  /** No more pieces are free in any one cluster, whatever the topology says of them. */
  long mostPieces(Shape shape, String model, Span hold, long now) {
    Demand demand = Demand.of(shape, hardware.model(model));
    long most = 0;
    for (Stock stock : demand == null ? List.<Stock>of() : open(shape.where(), model)) {
      stock.advance(now);
      Budget budget = new Budget(Long.MAX_VALUE);
      Window window = Window.exact(stock, demand, Over.of(hold, now), shape.where(), budget);
      most = Math.max(most, window.mostItems() * demand.each());
    }
    return most;
  }

  /**
   * Whether a demand may lie somewhere at this instant if nothing planned were in the way: false is
   * sure.
   */
  boolean mayBegin(Shape shape, String model, Demand demand, long now) {
    boolean mayBegin = false;
    for (Stock stock : open(shape.where(), model)) {
      stock.advance(now);
      mayBegin |= stock.present().mayServe(demand, false);
    }
    return mayBegin;
  }

  /** Whether a piece of it may lie on one of these nodes then: false is sure. */
  boolean mayBeginOn(List<Booking.Slot> slots, String model, Demand demand) {
    for (Stock stock : all(model)) {
      for (Booking.Slot slot : slots) {
        int node = stock.indexOf(slot.node());
        if (node >= 0 && stock.present().mayTakePiece(node, demand)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Whether the same devices are free over {@code more} as well (nothing of this lease is in the
   * way of itself); the leases in the way otherwise, soonest first.
   */
  List<UUID> inTheWay(UUID lease, Booking booking, Span more) {
    Over over = new Over(more.start(), more.end(), false, false);
    TreeSet<Held> inTheWay = new TreeSet<>(Held.ORDER);
    Map<UUID, List<Booking.Slot>> byNode =
        booking.slots().stream().collect(Collectors.groupingBy(Booking.Slot::node));
    byNode.forEach(
        (_, slots) ->
            hardware.timeline(slots.getFirst()).inTheWay(lease, slots, over, inTheWay::add));
    return inTheWay.stream().map(Held::lease).distinct().toList();
  }

  /** All that is held on a node, whenever: what is set aside as well. */
  void eachHeld(UUID node, Consumer<Held> action) {
    Objects.requireNonNull(hardware.timeline(node)).forEachHeld(action);
  }

  /** What a cluster has in its hands on a node. */
  void eachPossessed(UUID node, Consumer<Held> action) {
    Objects.requireNonNull(hardware.timeline(node)).forEachPossessed(action);
  }
}
