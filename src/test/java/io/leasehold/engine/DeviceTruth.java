package io.leasehold.engine;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** What lies where: nothing twice, nothing on what is broken, gone, shut or of another kind. */
final class DeviceTruth {

  private final PoolTruth truth;

  DeviceTruth(PoolTruth truth) {
    this.truth = truth;
  }

  private record Edge(long at, boolean isStart, UUID lease, Booking.Slot slot) {}

  private static final Comparator<Edge> ENDS_FIRST =
      Comparator.comparingLong(Edge::at).thenComparing(Edge::isStart);

  /** I1: a node painted from its first hold to its last; ends come before starts. */
  void nothingTwice(UUID node) {
    List<Edge> edges = new ArrayList<>();
    BitSet possessed = new BitSet();
    for (Lease lease : truth.leases.values()) {
      edges(lease, lease.taken(), node, edges);
      edges(lease, lease.leaving(), node, edges);
      possesses(lease, lease.possessed(), node, possessed);
      possesses(lease, lease.leaving(), node, possessed);
    }
    edges.sort(ENDS_FIRST);
    sweep(truth.nodes.get(node), edges);
  }

  private static void edges(Lease lease, Booking booking, UUID node, List<Edge> edges) {
    if (booking != null) {
      Span hold = booking.hold();
      for (Booking.Slot slot : booking.slots()) {
        if (slot.node().equals(node)) {
          long from = Math.min(Math.max(hold.start(), slot.since()), hold.end() - 1);
          edges.add(new Edge(from, true, lease.id(), slot));
          edges.add(new Edge(hold.end(), false, lease.id(), slot));
        }
      }
    }
  }

  private void possesses(Lease lease, Booking booking, UUID node, BitSet possessed) {
    if (booking != null) {
      for (Booking.Slot slot : booking.slots()) {
        if (slot.node().equals(node)) {
          truth.check(paint(possessed, slot, true), "I1: %s possesses what another does", lease);
        }
      }
    }
  }

  private void sweep(Node node, List<Edge> edges) {
    BitSet units = new BitSet();
    int[][] modes = new int[Node.MOST_GPUS][Mode.values().length];
    long cpu = 0;
    for (Edge edge : edges) {
      int sign = edge.isStart() ? 1 : -1;
      cpu += sign * edge.slot().cpuMilli();
      for (long left = edge.slot().units().gpus(); left != 0; left &= left - 1) {
        modes[Long.numberOfTrailingZeros(left)][edge.slot().mode().ordinal()] += sign;
      }
      if (!paint(units, edge.slot(), edge.isStart())) {
        truth.fault("I1: " + edge.lease() + " has what another holds");
      }
      if (edge.isStart()) {
        if (node.cpuMilli() > 0 && cpu > node.cpuMilli()) {
          truth.fault("I1: " + edge.lease() + " has CPU that others hold");
        }
        if (isMixed(modes, edge.slot().units().gpus())) {
          truth.fault("I1: " + edge.lease() + " shares a GPU in another mode");
        }
      }
    }
  }

  private static boolean isMixed(int[][] modes, long gpus) {
    for (long left = gpus; left != 0; left &= left - 1) {
      int used = 0;
      for (int count : modes[Long.numberOfTrailingZeros(left)]) {
        used += count > 0 ? 1 : 0;
      }
      if (used > 1) {
        return true;
      }
    }
    return false;
  }

  /** False where something to be set is set already. */
  private static boolean paint(BitSet node, Booking.Slot slot, boolean set) {
    int[] bounds = slot.units().bounds();
    boolean free = true;
    for (int i = 0; i < bounds.length; i += 2) {
      if (set) {
        int first = node.nextSetBit(bounds[i]);
        free &= first < 0 || first >= bounds[i + 1];
      }
      node.set(bounds[i], bounds[i + 1], set);
    }
    return free;
  }

  Set<String> of(Lease lease) {
    Set<String> devices = new HashSet<>();
    if (lease.booking() != null) {
      lease.booking().slots().forEach(slot -> devices.add(slot.node() + " " + slot.units()));
    }
    return devices;
  }

  /** What was booked just now lies where it may: hardware, cluster, model, shape, instant. */
  void sound(Lease lease, long now) {
    Shape shape = lease.ask().shape();
    Booking booking = lease.booking();
    truth.check(
        shape.models().isEmpty() || shape.models().contains(booking.model()),
        "%s has another model than it asked for",
        lease);
    booking.slots().forEach(slot -> sound(lease, slot));
    size(lease);
    topology(lease);
    when(lease, now);
  }

  /** It may keep what it has, however that is by now; what is new must be good. */
  void soundWhereNew(Lease was, Lease is) {
    Map<UUID, Long> had = new HashMap<>();
    was.booking().slots().forEach(s -> had.merge(s.node(), s.units().gpus(), (a, b) -> a | b));
    for (Booking.Slot slot : is.booking().slots()) {
      if ((slot.units().gpus() & ~had.getOrDefault(slot.node(), 0L)) != 0) {
        sound(is, slot);
      }
    }
    size(is);
    topology(is);
  }

  private void sound(Lease lease, Booking.Slot slot) {
    Booking booking = lease.booking();
    Node node = truth.nodes.get(slot.node());
    truth.check(node.model().equals(booking.model()), "%s lies on another model", lease);
    truth.check(node.cluster().equals(booking.cluster()), "%s lies in two clusters", lease);
    truth.check(!node.retired(), "%s lies on a retired node", lease);
    truth.check(
        node.drainDeadline() == null
            || lease.ask().reservation() != null
                && booking.hold().end() <= node.drainDeadline() + Time.MINUTE * 2,
        "%s lies on a drained node",
        lease);
    truth.check(
        !truth.paused.getOrDefault(node.cluster(), false), "%s lies in a paused cluster", lease);
    truth.check(
        slot.mode() == lease.ask().shape().slice().mode(), "%s is shared in another way", lease);
    for (long left = slot.units().gpus(); left != 0; left &= left - 1) {
      Health health = node.gpus().get(Long.numberOfTrailingZeros(left)).health();
      truth.check(health == Health.OK, "%s has a bad GPU", lease);
    }
  }

  private void size(Lease lease) {
    Shape shape = lease.ask().shape();
    int pieces = 0;
    for (Booking.Slot slot : lease.booking().slots()) {
      int here =
          switch (shape.slice()) {
            case Shape.Slice.Whole _ -> slot.units().size() / Units.PER_GPU;
            case Shape.Slice.Mig _ -> slot.instances().size();
            case Shape.Slice.Share share -> slot.units().size() / share.milli();
          };
      truth.check(
          shape.groups() == 0 || here == shape.count(), "a group of %s is not on one node", lease);
      pieces += here;
    }
    truth.check(pieces == shape.pieces(), "%s has not what it asked for", lease);
  }

  private void topology(Lease lease) {
    for (Shape.Spread spread : lease.ask().shape().topology()) {
      Map<String, Integer> gpus = new HashMap<>();
      for (Booking.Slot slot : lease.booking().slots()) {
        Domain domain = truth.nodes.get(slot.node()).domain();
        gpus.merge(
            String.valueOf(domain.path(spread.level())),
            Long.bitCount(slot.units().gpus()),
            Integer::sum);
      }
      truth.check(
          spread.rule() != Shape.Spread.Rule.REQUIRED
              || gpus.size() == 1 && !gpus.containsKey("null"),
          "%s is torn over domains",
          lease);
      truth.check(
          spread.atMost() == null
              || lease.ask().shape().slice() != Shape.Slice.WHOLE
              || gpus.values().stream().allMatch(each -> each <= spread.atMost()),
          "%s has too much in a domain",
          lease);
    }
  }

  private void when(Lease lease, long now) {
    Span window = lease.window();
    long end = window.end();
    switch (lease.ask().when()) {
      case Ask.When.Now(long length) ->
          truth.check(end == Time.plus(window.start(), length), "%s has another length", lease);
      case Ask.When.NowUntil(long until) -> truth.check(end == until, "%s has another end", lease);
      case Ask.When.At at -> truth.check(end == at.span().end(), "%s has another end", lease);
      case Ask.When.Within(Span span, long length) ->
          truth.check(
              window.start() >= span.start() && end <= span.end() && end - window.start() == length,
              "%s is outside its span",
              lease);
    }
    truth.check(window.start() >= Math.min(now, lease.createdAt()), "%s starts in the past", lease);
  }

  /** I2: who has something broken in its hands is told so. */
  void lost() {
    for (Lease lease : truth.leases.values()) {
      if (lease.state().hasPromise() && lease.state() != LeaseState.PLANNED && !lease.degraded()) {
        for (Booking.Slot slot : lease.booking().slots()) {
          Node node = truth.nodes.get(slot.node());
          for (long left = slot.units().gpus(); left != 0; left &= left - 1) {
            Health health = node.gpus().get(Long.numberOfTrailingZeros(left)).health();
            truth.check(health != Health.BROKEN, "I2: %s is broken and not degraded", lease);
          }
        }
      }
    }
  }

  /** Without limits nobody who asks for one GPU waits beside one that nobody holds now or later. */
  void idle() {
    if (!truth.contracts.isEmpty()) {
      return;
    }
    Map<UUID, Long> touched = new HashMap<>();
    for (Lease lease : truth.leases.values()) {
      touch(lease.taken(), touched);
      touch(lease.possessed(), touched);
      touch(lease.leaving(), touched);
    }
    truth.occurrences.values().forEach(each -> touch(each.booking(), touched));
    for (Lease lease : truth.leases.values()) {
      if (lease.state() == LeaseState.WAITING && asksForOne(lease)) {
        for (Node node : truth.nodes.values()) {
          truth.check(
              !isFree(node, lease, touched.getOrDefault(node.id(), 0L)),
              "%s waits beside a free GPU of " + node.name(),
              lease);
        }
      }
    }
  }

  private static void touch(Booking booking, Map<UUID, Long> touched) {
    if (booking != null) {
      booking
          .slots()
          .forEach(slot -> touched.merge(slot.node(), slot.units().gpus(), (a, b) -> a | b));
    }
  }

  private boolean asksForOne(Lease lease) {
    Shape shape = lease.ask().shape();
    return lease.ask().when() instanceof Ask.When.Now
        && lease.ask().after().isEmpty()
        && lease.ask().reservation() == null
        && shape.pieces() == 1
        && shape.slice() == Shape.Slice.WHOLE
        && shape.topology().isEmpty()
        && shape.cpuMilli() == 0
        && shape.where().equals(Shape.Where.ANYWHERE);
  }

  private boolean isFree(Node node, Lease lease, long touched) {
    List<String> models = lease.ask().shape().models();
    if (node.retired()
        || node.drainDeadline() != null
        || truth.paused.getOrDefault(node.cluster(), false)
        || !models.isEmpty() && !models.contains(node.model())) {
      return false;
    }
    for (int gpu = 0; gpu < node.gpus().size(); gpu++) {
      if ((touched >>> gpu & 1) == 0 && node.gpus().get(gpu).health() == Health.OK) {
        return true;
      }
    }
    return false;
  }
}
