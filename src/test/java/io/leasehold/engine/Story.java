package io.leasehold.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A pool in which a test tells what happens; its clock is moved by hand, audited at every step. */
final class Story {

  static final long T = 1_800_000_000L * Time.SECOND;

  final Book book = new Book();
  final List<Batch> batches = new ArrayList<>();
  long now = T;
  private long ids;
  private int nodes;

  /** One node for each number of GPUs, of one model. */
  static Story of(String model, int... gpus) {
    Story story = new Story();
    story.facts(
        new Move.ModelSet(
            new GpuModel(model, model.toUpperCase(), List.of(), 81_920, 0, 0, List.of(), 0)),
        new Move.TenantSet(new Tenant("acme", null, false)),
        new Move.TenantSet(new Tenant("vision", "acme", false)),
        new Move.TenantSet(new Tenant("nlp", "acme", false)),
        new Move.ClassSet(serviceClass("realtime", 1000, false, true)),
        new Move.ClassSet(serviceClass("batch", 100, true, false)));
    for (int count : gpus) {
      story.facts(new Move.NodeSet(story.node(model, count)));
    }
    return story;
  }

  static ServiceClass serviceClass(
      String slug, int priority, boolean preemptible, boolean openEnded) {
    return new ServiceClass(
        slug,
        priority,
        !preemptible,
        preemptible,
        openEnded,
        0,
        0,
        30 * Time.SECOND,
        60 * Time.SECOND,
        4 * Time.HOUR,
        366 * Time.DAY,
        90 * Time.DAY);
  }

  /** A class may say that its leases run for a while before anybody takes from them. */
  static ServiceClass runningFor(long minimumRun, ServiceClass of) {
    return new ServiceClass(
        of.slug(),
        of.priority(),
        of.mayPreempt(),
        of.mayBePreempted(),
        of.mayBeOpenEnded(),
        minimumRun,
        of.prepare(),
        of.grace(),
        of.withdrawAllowance(),
        of.agingAfter(),
        of.longestDuration(),
        of.horizon(),
        of.notice(),
        of.disruption());
  }

  /** A class may say how long before, and how often, its leases are taken. */
  static ServiceClass noticed(long notice, Disruption disruption, ServiceClass of) {
    return new ServiceClass(
        of.slug(),
        of.priority(),
        of.mayPreempt(),
        of.mayBePreempted(),
        of.mayBeOpenEnded(),
        of.minimumRun(),
        of.prepare(),
        of.grace(),
        of.withdrawAllowance(),
        of.agingAfter(),
        of.longestDuration(),
        of.horizon(),
        notice,
        disruption);
  }

  /** In this story nobody is ended for another: batch runs for a day first. */
  Story withoutPreemption() {
    facts(new Move.ClassSet(runningFor(Time.DAY, book.serviceClass("batch"))));
    return this;
  }

  void facts(Move... moves) {
    book.apply(book.now(), List.of(moves));
  }

  Node node(String model, int gpus) {
    List<Node.Gpu> devices = new ArrayList<>();
    for (int k = 0; k < gpus; k++) {
      devices.add(new Node.Gpu(null, Health.OK));
    }
    int ordinal = nodes++;
    return new Node(
        new UUID(7, ordinal),
        ordinal,
        "east",
        "n" + ordinal,
        model,
        Domain.NOWHERE,
        0,
        0,
        devices,
        null,
        false);
  }

  Contract contract(String tenant, int guaranteed, Integer borrowing) {
    return contract(tenant, "h100", guaranteed, borrowing, new Span(T - 1, Span.FOREVER));
  }

  Contract contract(String tenant, String model, int guaranteed, Integer borrowing, Span valid) {
    return new Contract(
        new UUID(3, ++ids),
        tenant,
        valid,
        List.of(new Contract.Entitlement(model, guaranteed, borrowing, null, 1)));
  }

  /** A device fails, or comes back. */
  Decision setHealth(int ordinal, int gpu, Health health) {
    Node node = book.node(new UUID(7, ordinal));
    List<Node.Gpu> gpus = new ArrayList<>(node.gpus());
    gpus.set(gpu, new Node.Gpu(null, health));
    return on(
        new Command.SetNodes(
            List.of(
                new Node(
                    node.id(),
                    ordinal,
                    node.cluster(),
                    node.name(),
                    node.model(),
                    node.domain(),
                    0,
                    0,
                    gpus,
                    node.drainDeadline(),
                    node.retired())),
            Command.Shrink.DEGRADE));
  }

  Decision breakGpu(int ordinal, int gpu) {
    return setHealth(ordinal, gpu, Health.BROKEN);
  }

  UUID id() {
    return new UUID(1, ++ids);
  }

  Batch decide(Command... commands) {
    Batch batch = Engine.decide(book, List.of(commands), now);
    book.settle();
    batches.add(batch);
    List<String> faults = Engine.audit(book);
    if (!faults.isEmpty()) {
      throw new AssertionError(faults.toString());
    }
    return batch;
  }

  /** The decision on one command. */
  Decision on(Command command) {
    return decide(command).decisions().getFirst();
  }

  Decision.Decided ask(Ask ask) {
    return (Decision.Decided) on(new Command.Create(ask));
  }

  /** Moves the clock and lets time do what is due. */
  Batch after(long length) {
    now += length;
    return decide(new Command.Tick());
  }

  /** The cluster makes true whatever is ordered, at once. */
  void clusterObeys() {
    List<Command> reports = new ArrayList<>();
    for (Lease lease : book.leases()) {
      if (lease.state() == LeaseState.ALLOCATED || lease.state() == LeaseState.PUBLISHING) {
        reports.add(usable(lease));
      } else if (lease.change() != null && lease.change().ordered()) {
        reports.add(lease.state() == LeaseState.ENDING ? withdrawn(lease) : usable(lease));
      } else if (lease.state() == LeaseState.ENDING) {
        reports.add(withdrawn(lease));
      }
    }
    decide(reports.toArray(Command[]::new));
  }

  static Command usable(Lease lease) {
    return new Command.Report(lease.id(), lease.generation(), Command.Report.News.USABLE);
  }

  static Command withdrawn(Lease lease) {
    return new Command.Report(lease.id(), lease.generation(), Command.Report.News.WITHDRAWN);
  }

  Lease lease(UUID id) {
    return book.lease(id);
  }

  LeaseState state(UUID id) {
    Lease lease = book.lease(id);
    return lease == null ? last(id).state() : lease.state();
  }

  /** The last version of a lease that left the book. */
  Lease last(UUID id) {
    Map<UUID, Lease> last = new HashMap<>();
    for (Batch batch : batches) {
      for (Move move : batch.moves()) {
        if (move instanceof Move.LeaseMoved moved) {
          last.put(moved.after().id(), moved.after());
        }
      }
    }
    return last.get(id);
  }

  AskMaker asks(String tenant, int gpus) {
    return new AskMaker(this, tenant, gpus);
  }

  /** Sets whole GPUs aside for each of the windows, all or nothing; gives what was decided. */
  Decision reserves(String tenant, Shape shape, Span... windows) {
    return reserves(new UUID(5, ++ids), tenant, shape, false, Span.FOREVER, windows);
  }

  Decision reserves(
      UUID reservation,
      String tenant,
      Shape shape,
      boolean lend,
      long noShowAfter,
      Span... windows) {
    List<Occurrence.Ask> asks = new ArrayList<>();
    for (Span window : windows) {
      asks.add(
          new Occurrence.Ask(
              new UUID(6, ++ids),
              reservation,
              tenant,
              shape,
              window.start(),
              window,
              lend,
              noShowAfter));
    }
    return on(new Command.Reserve(asks, Command.Reserve.Misfit.REFUSE_ALL));
  }

  /** The occurrences that were set aside. */
  static List<Occurrence> setAside(Decision decision) {
    return ((Decision.Reserved) decision).occurrences();
  }

  Occurrence occurrence(UUID id) {
    return book.reserved().get(id);
  }

  /** A request, spelled out as far as the test cares. */
  static final class AskMaker {
    private final Story story;
    private final String tenant;
    private String serviceClass = "batch";
    private Shape shape;
    private Ask.When when = new Ask.When.Now(Time.HOUR);
    private boolean preemptible = true;
    private Ask.Shortage shortage = Ask.Shortage.WAIT;
    private long waitUntil;
    private List<UUID> after = List.of();
    private UUID reservation;
    private int cost;
    private Long silence;

    AskMaker(Story story, String tenant, int gpus) {
      this.story = story;
      this.tenant = tenant;
      this.shape = whole(gpus);
      this.waitUntil = story.now + 7 * Time.DAY;
    }

    static Shape whole(int gpus, String... models) {
      return new Shape(
          List.of(models), 0, 0, gpus, Shape.Slice.WHOLE, 0, 0, List.of(), Shape.Where.ANYWHERE);
    }

    AskMaker shape(Shape value) {
      shape = value;
      return this;
    }

    AskMaker groups(int groups, int each) {
      shape =
          new Shape(
              List.of(), 0, groups, each, Shape.Slice.WHOLE, 0, 0, List.of(), Shape.Where.ANYWHERE);
      return this;
    }

    AskMaker orAtLeast(int least) {
      shape =
          new Shape(
              shape.models(),
              shape.minMemoryMiB(),
              shape.groups(),
              shape.count(),
              shape.slice(),
              shape.cpuMilli(),
              shape.memoryMiB(),
              shape.topology(),
              shape.where(),
              least);
      return this;
    }

    AskMaker of(String value) {
      serviceClass = value;
      preemptible = !value.equals("realtime");
      return this;
    }

    AskMaker lasting(long length) {
      when = new Ask.When.Now(length);
      return this;
    }

    AskMaker at(long start, long end) {
      when = new Ask.When.At(new Span(start, end));
      return this;
    }

    AskMaker within(long start, long end, long length) {
      when = new Ask.When.Within(new Span(start, end), length);
      return this;
    }

    AskMaker when(Ask.When value) {
      when = value;
      return this;
    }

    AskMaker orRefuse() {
      shortage = Ask.Shortage.REFUSE;
      return this;
    }

    AskMaker waitingUntil(long value) {
      waitUntil = value;
      return this;
    }

    AskMaker costing(int value) {
      cost = value;
      return this;
    }

    /** Of a class that is never preempted, offered all the same. */
    AskMaker preemptible() {
      preemptible = true;
      return this;
    }

    AskMaker protectedFromPreemption() {
      preemptible = false;
      return this;
    }

    AskMaker after(UUID... leases) {
      after = List.of(leases);
      return this;
    }

    /** Its holder is to be heard from. */
    AskMaker silentFor(long atMost) {
      silence = atMost;
      return this;
    }

    /** Draws on what is set aside. */
    AskMaker on(UUID value) {
      reservation = value;
      return this;
    }

    Ask ask() {
      return new Ask(
          story.id(),
          tenant,
          serviceClass,
          shape,
          when,
          preemptible,
          shortage,
          waitUntil,
          after,
          cost,
          reservation,
          false,
          silence);
    }

    Decision.Decided decided() {
      return story.ask(ask());
    }

    /** Asks, and gives the lease as it then stands. */
    Lease lease() {
      return decided().lease();
    }
  }
}
