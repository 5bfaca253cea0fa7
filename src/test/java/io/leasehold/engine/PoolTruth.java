package io.leasehold.engine;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * A second opinion on a pool: what follows from its moves alone, kept as plain lists and looked
 * through from end to end. Shares no code with the engine's indexes, profiles and searches; says in
 * a sentence what the engine's book, or a move, has wrong.
 */
final class PoolTruth {

  private final Map<UUID, Lease> leases = new TreeMap<>();
  private final Map<UUID, Node> nodes = new HashMap<>();
  private final Map<String, Tenant> tenants = new TreeMap<>();
  private final Map<UUID, Contract> contracts = new HashMap<>();
  private final Map<String, ServiceClass> classes = new HashMap<>();
  private final Map<String, Boolean> paused = new HashMap<>();
  private final List<String> faults = new ArrayList<>();

  /** Facts that no decision made. */
  void furnish(List<Move> facts) {
    facts.forEach(this::apply);
  }

  /** Takes the moves of a batch, and compares what then is with the book that made them. */
  List<String> follow(Batch batch, Book book) {
    faults.clear();
    Map<UUID, Lease> before = new HashMap<>(leases);
    for (Move move : batch.moves()) {
      if (move instanceof Move.LeaseMoved moved) {
        judge(moved, batch.at());
      }
      apply(move);
    }
    sameLeases(book);
    nothingTwice();
    usage(book, batch.at());
    Set<UUID> booked = newlyBooked(before);
    limits(booked);
    booked.forEach(id -> sound(leases.get(id), batch.at()));
    idle();
    return List.copyOf(faults);
  }

  private void apply(Move move) {
    switch (move) {
      case Move.LeaseMoved moved -> {
        if (moved.after().state().isFinal()) {
          leases.remove(moved.after().id());
        } else {
          leases.put(moved.after().id(), moved.after());
        }
      }
      case Move.NodeSet set -> nodes.put(set.node().id(), set.node());
      case Move.TenantSet set -> tenants.put(set.tenant().slug(), set.tenant());
      case Move.ContractSet set -> contracts.put(set.contract().id(), set.contract());
      case Move.ClassSet set -> classes.put(set.serviceClass().slug(), set.serviceClass());
      case Move.ClusterSet set -> paused.put(set.cluster(), set.paused());
      default -> {}
    }
  }

  /** I7, and that every version follows the one before. */
  private void judge(Move.LeaseMoved moved, long at) {
    Lease was = leases.get(moved.after().id());
    Lease is = moved.after();
    if (was == null) {
      check(
          moved.before() == null || moved.before().state().isFinal(), "%s comes from nowhere", is);
      check(is.state() != LeaseState.ENDED && is.state() != LeaseState.ACTIVE, "%s at once", is);
      return;
    }
    check(was.equals(moved.before()), "%s was not as the move says", is);
    check(was.state() == is.state() || was.state().mayBecome(is.state()), "illegal: %s", is);
    check(is.revision() == was.revision() + 1, "revision of %s does not follow", is);
    check(is.generation() >= was.generation(), "generation of %s falls", is);
    check(is.sequence() == was.sequence(), "sequence of %s changes", is);
    boolean moves =
        was.state().hasPossession()
            && is.state().hasPossession()
            && is.state() != LeaseState.ENDING
            && !Set.of("resized", "replaced", "rebound", "regrown").contains(moved.cause());
    check(!moves || devices(was).equals(devices(is)), "devices of %s move silently", is);
    check(
        !moved.cause().equals("expired") || was.window() == null || was.window().end() <= at,
        "%s expires before its end",
        is);
  }

  private static List<String> devices(Lease lease) {
    List<String> devices = new ArrayList<>();
    if (lease.booking() != null) {
      for (Booking.Slot slot : lease.booking().slots()) {
        devices.add(slot.node() + " " + java.util.Arrays.toString(slot.units().bounds()));
      }
    }
    return devices;
  }

  private void sameLeases(Book book) {
    Map<UUID, Lease> theirs = new TreeMap<>();
    book.leases().forEach(lease -> theirs.put(lease.id(), lease));
    check(theirs.equals(leases), "the book has other leases than its moves say", null);
  }

  private record Edge(long at, boolean isStart, Lease lease, Booking.Slot slot) {}

  /** I1: each node painted from its first hold to its last; ends come before starts. */
  private void nothingTwice() {
    Map<UUID, List<Edge>> edges = new HashMap<>();
    Map<UUID, BitSet> possessed = new HashMap<>();
    for (Lease lease : leases.values()) {
      Booking taken = lease.taken();
      if (taken != null) {
        for (Booking.Slot slot : taken.slots()) {
          List<Edge> of = edges.computeIfAbsent(slot.node(), _ -> new ArrayList<>());
          of.add(new Edge(taken.hold().start(), true, lease, slot));
          of.add(new Edge(taken.hold().end(), false, lease, slot));
        }
      }
      if (lease.state().hasPossession() && lease.booking() != null) {
        for (Booking.Slot slot : lease.booking().slots()) {
          BitSet node = possessed.computeIfAbsent(slot.node(), _ -> new BitSet());
          paint(node, slot, true, () -> lease.id() + " possesses what another does");
        }
      }
    }
    edges.values().forEach(this::sweep);
  }

  private void sweep(List<Edge> edges) {
    edges.sort(Comparator.comparingLong(Edge::at).thenComparing(edge -> edge.isStart() ? 1 : 0));
    BitSet node = new BitSet();
    Map<Integer, Map<Lease, Mode>> modes = new HashMap<>();
    for (Edge edge : edges) {
      paint(node, edge.slot(), edge.isStart(), () -> edge.lease().id() + " has what another holds");
      for (int gpu = 0; gpu < Long.SIZE; gpu++) {
        if ((edge.slot().units().gpus() >>> gpu & 1) == 1) {
          Map<Lease, Mode> on = modes.computeIfAbsent(gpu, _ -> new HashMap<>());
          if (edge.isStart()) {
            on.put(edge.lease(), edge.slot().mode());
          } else {
            on.remove(edge.lease());
          }
          check(
              new HashSet<>(on.values()).size() <= 1,
              "%s shares a GPU in another mode",
              edge.lease());
        }
      }
    }
  }

  private void paint(
      BitSet node, Booking.Slot slot, boolean set, java.util.function.Supplier<String> fault) {
    int[] bounds = slot.units().bounds();
    for (int i = 0; i < bounds.length; i += 2) {
      if (set) {
        int first = node.nextSetBit(bounds[i]);
        if (first >= 0 && first < bounds[i + 1]) {
          faults.add(fault.get());
        }
        node.set(bounds[i], bounds[i + 1]);
      } else {
        node.clear(bounds[i], bounds[i + 1]);
      }
    }
  }

  /** I8, now and at every instant at which a promise begins. */
  private void usage(Book book, long now) {
    Set<Long> instants = new TreeSet<>(Set.of(now));
    Set<String> models = new TreeSet<>();
    for (Lease lease : leases.values()) {
      if (lease.state().hasPromise()) {
        instants.add(Math.max(now, lease.window().start()));
        models.add(lease.booking().model());
      }
    }
    for (String tenant : tenants.keySet()) {
      for (String model : models) {
        for (long instant : instants) {
          long ours = used(tenant, model, instant, true);
          long theirs = book.usage().of(tenant, model).at(instant);
          if (ours != theirs) {
            faults.add(
                "I8: %s uses %d of %s at %d, the book says %d"
                    .formatted(tenant, ours, model, instant, theirs));
          }
        }
      }
    }
  }

  private long used(String tenant, String model, long instant, boolean preemptible) {
    long sum = 0;
    for (Lease lease : leases.values()) {
      if (lease.state().hasPromise()
          && (preemptible || !lease.ask().preemptible())
          && lease.booking().model().equals(model)
          && lease.window().start() <= instant
          && instant < lease.window().end()
          && isBelow(lease.ask().tenant(), tenant)) {
        sum += lease.booking().gpuMilli();
      }
    }
    return sum;
  }

  private boolean isBelow(String tenant, String above) {
    for (String at = tenant; at != null; at = tenants.get(at).parent()) {
      if (at.equals(above)) {
        return true;
      }
    }
    return false;
  }

  private Set<UUID> newlyBooked(Map<UUID, Lease> before) {
    Set<UUID> booked = new HashSet<>();
    for (Lease lease : leases.values()) {
      Lease was = before.get(lease.id());
      if (lease.state().hasPromise() && (was == null || !was.state().hasPromise())) {
        booked.add(lease.id());
      }
    }
    return booked;
  }

  /** Who was let in lies under every hard limit, at every instant of its window. */
  private void limits(Set<UUID> booked) {
    for (UUID id : booked) {
      Lease lease = leases.get(id);
      String model = lease.booking().model();
      Set<Long> instants = new TreeSet<>(Set.of(lease.window().start()));
      for (Lease other : leases.values()) {
        if (other.state().hasPromise() && lease.window().contains(other.window().start())) {
          instants.add(other.window().start());
        }
      }
      for (Contract contract : contracts.values()) {
        if (lease.window().contains(contract.valid().start())) {
          instants.add(contract.valid().start());
        }
        if (lease.window().contains(contract.valid().end())) {
          instants.add(contract.valid().end());
        }
      }
      for (String at = lease.ask().tenant(); at != null; at = tenants.get(at).parent()) {
        for (long instant : instants) {
          Long limit = limit(at, model, instant, true);
          check(
              limit == null || used(at, model, instant, true) <= limit,
              "%s is let in over the limit of " + at,
              lease);
        }
      }
      for (long instant : instants) {
        Long guaranteed = limit(lease.ask().tenant(), model, instant, false);
        check(
            lease.ask().preemptible()
                || contracts.isEmpty()
                || used(lease.ask().tenant(), model, instant, false)
                    <= (guaranteed == null ? 0 : guaranteed),
            "%s may not be preempted and is let in above its guarantee",
            lease);
      }
    }
  }

  /** In thousandths; null = none at this level. */
  private Long limit(String tenant, String model, long instant, boolean mayBorrow) {
    boolean given = false;
    boolean bounded = true;
    long limit = 0;
    for (Contract contract : contracts.values()) {
      if (contract.tenant().equals(tenant) && contract.valid().contains(instant)) {
        for (Contract.Entitlement each : contract.entitlements()) {
          if (each.model().equals(model)) {
            given = true;
            limit += 1_000L * each.guaranteed();
            if (mayBorrow) {
              bounded &= each.borrowingLimit() != null;
              limit += each.borrowingLimit() == null ? 0 : 1_000L * each.borrowingLimit();
            }
          }
        }
      }
    }
    return given && bounded ? Long.valueOf(limit) : null;
  }

  /** What was booked just now lies where it may: hardware, cluster, model, shape, instant. */
  private void sound(Lease lease, long now) {
    Shape shape = lease.ask().shape();
    Booking booking = lease.booking();
    check(
        shape.models().isEmpty() || shape.models().contains(booking.model()),
        "%s has another model than it asked for",
        lease);
    int pieces = 0;
    for (Booking.Slot slot : booking.slots()) {
      Node node = nodes.get(slot.node());
      check(node.model().equals(booking.model()), "%s lies on another model", lease);
      check(node.cluster().equals(booking.cluster()), "%s lies in two clusters", lease);
      check(!node.retired() && node.drainDeadline() == null, "%s lies on a drained node", lease);
      check(!paused.getOrDefault(node.cluster(), false), "%s lies in a paused cluster", lease);
      for (int gpu = 0; gpu < node.gpus().size(); gpu++) {
        if ((slot.units().gpus() >>> gpu & 1) == 1) {
          check(node.gpus().get(gpu).health() == Health.OK, "%s has a bad GPU", lease);
        }
      }
      check(slot.mode() == shape.slice().mode(), "%s is shared in another way", lease);
      int here =
          switch (shape.slice()) {
            case Shape.Slice.Whole _ -> slot.units().size() / Units.PER_GPU;
            case Shape.Slice.Mig _ -> slot.instances().size();
            case Shape.Slice.Share share -> slot.units().size() / share.milli();
          };
      check(
          shape.groups() == 0 || here == shape.count(), "a group of %s is not on one node", lease);
      pieces += here;
    }
    int least = shape.minCount() > 0 ? shape.minCount() : shape.pieces();
    check(pieces >= least && pieces <= shape.pieces(), "%s has not what it asked for", lease);
    topology(lease);
    when(lease, now);
  }

  private void topology(Lease lease) {
    for (Shape.Spread spread : lease.ask().shape().topology()) {
      if (spread.rule() == Shape.Spread.Rule.REQUIRED && spread.level() != Level.NODE) {
        Set<String> domains = new HashSet<>();
        for (Booking.Slot slot : lease.booking().slots()) {
          domains.add(String.valueOf(nodes.get(slot.node()).domain().path(spread.level())));
        }
        check(
            domains.size() == 1 && !domains.contains("null") || spread.atMost() != null,
            "%s is torn over domains",
            lease);
      }
    }
  }

  private void when(Lease lease, long now) {
    Span window = lease.window();
    long end = window.end();
    switch (lease.ask().when()) {
      case Ask.When.Now(long length) ->
          check(end - window.start() == length, "%s has another length", lease);
      case Ask.When.NowUntil(long until) -> check(end == until, "%s has another end", lease);
      case Ask.When.At at -> check(end == at.span().end(), "%s has another end", lease);
      case Ask.When.Within(Span span, long length) ->
          check(
              window.start() >= span.start() && end <= span.end() && end - window.start() == length,
              "%s is outside its span",
              lease);
    }
    check(window.start() >= Math.min(now, lease.createdAt()), "%s starts in the past", lease);
  }

  /** Without limits nobody who asks for one GPU waits beside one that nobody holds now or later. */
  private void idle() {
    Map<UUID, Long> touched = new HashMap<>();
    for (Lease lease : leases.values()) {
      List<Booking> holds = new ArrayList<>();
      if (lease.taken() != null) {
        holds.add(lease.taken());
      }
      if (lease.state().hasPossession() && lease.booking() != null) {
        holds.add(lease.booking());
      }
      for (Booking booking : holds) {
        for (Booking.Slot slot : booking.slots()) {
          touched.merge(slot.node(), slot.units().gpus(), (a, b) -> a | b);
        }
      }
    }
    for (Lease lease : leases.values()) {
      if (lease.state() == LeaseState.WAITING && asksForOne(lease) && contracts.isEmpty()) {
        for (Node node : nodes.values()) {
          check(
              !isFree(node, lease, touched.getOrDefault(node.id(), 0L)),
              "%s waits beside a free GPU of " + node.name(),
              lease);
        }
      }
    }
  }

  private static boolean asksForOne(Lease lease) {
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
    if (node.retired()
        || node.drainDeadline() != null
        || paused.getOrDefault(node.cluster(), false)
        || !(lease.ask().shape().models().isEmpty()
            || lease.ask().shape().models().contains(node.model()))) {
      return false;
    }
    for (int gpu = 0; gpu < node.gpus().size(); gpu++) {
      if ((touched >>> gpu & 1) == 0 && node.gpus().get(gpu).health() == Health.OK) {
        return true;
      }
    }
    return false;
  }

  private void check(boolean holds, String fault, Lease lease) {
    if (!holds) {
      faults.add(lease == null ? fault : fault.formatted(lease.id() + " " + lease.state()));
    }
  }
}
