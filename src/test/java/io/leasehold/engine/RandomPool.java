package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/**
 * A small pool to which anything may happen. What happens in a step follows from the step's own
 * salt and the pool as it stands, so any steps can be left out and the others still mean something.
 */
final class RandomPool {

  /** One thing that happens. */
  record Step(long salt) {

    @Override
    public String toString() {
      return Long.toString(salt);
    }
  }

  final Story story;
  final PoolTruth truth = new PoolTruth();
  private final List<UUID> ids = new ArrayList<>();

  /** Alike for equal seeds: with two models, racks and blocks, with contracts or without. */
  RandomPool(long seed) {
    story = Story.of("h100");
    List<Move> facts = new ArrayList<>();
    facts.add(new Move.ModelSet(Fleet.h100()));
    facts.add(new Move.ModelSet(new GpuModel("a30", "A30", List.of(), 24_576, 0, 0, List.of(), 0)));
    for (String tenant : List.of("acme", "vision", "nlp")) {
      facts.add(new Move.TenantSet(story.book.tenant(tenant)));
    }
    facts.add(new Move.TenantSet(new Tenant("sub", "vision", false)));
    for (String slug : List.of("realtime", "batch")) {
      facts.add(new Move.ClassSet(story.book.serviceClass(slug)));
    }
    for (int i = 0; i < 6; i++) {
      facts.add(new Move.NodeSet(node(i, i < 4 ? "h100" : "a30", i == 3 ? 2 : 4)));
    }
    facts.add(new Move.ClusterSet("east", false));
    if (seed % 2 == 0) {
      Random random = new Random(seed);
      facts.add(new Move.ContractSet(contract(1, "acme", 10, null, random)));
      facts.add(new Move.ContractSet(contract(2, "vision", 6, 4, random)));
      facts.add(new Move.ContractSet(contract(3, "nlp", 4, 8, random)));
      facts.add(new Move.ContractSet(contract(4, "sub", 2, null, random)));
    }
    story.book.apply(story.now - 1, facts);
    story.book.settle();
    truth.furnish(facts);
  }

  static List<Step> steps(long seed, int count) {
    Random random = new Random(seed);
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      steps.add(new Step(random.nextLong()));
    }
    return steps;
  }

  private static Contract contract(
      long id, String tenant, int guaranteed, Integer borrowing, Random random) {
    Integer lending = random.nextInt(3) == 0 ? Integer.valueOf(1) : null;
    Span valid = new Span(0, Story.T + (20 + random.nextInt(60)) * Time.HOUR);
    return new Contract(
        new UUID(3, id),
        tenant,
        valid,
        List.of(
            new Contract.Entitlement("h100", guaranteed, borrowing, lending, random.nextInt(4)),
            new Contract.Entitlement("a30", guaranteed / 2, borrowing, null, 1)));
  }

  private static Node node(int ordinal, String model, int gpus) {
    Domain domain = new Domain("eu", "eu-1", "b" + ordinal / 2, "r" + ordinal % 3, null);
    return new Node(
        new UUID(7, ordinal),
        ordinal,
        "east",
        "n" + ordinal,
        model,
        domain,
        0,
        0,
        java.util.Collections.nCopies(gpus, new Node.Gpu(null, Health.OK)),
        null,
        false);
  }

  /** What is wrong after a step; nothing, if all is well. */
  List<String> take(Step step) {
    Random random = new Random(step.salt());
    story.now += pause(random);
    List<Command> commands = new ArrayList<>();
    for (int n = random.nextInt(4); n >= 0; n--) {
      commands.add(command(random));
    }
    Batch batch = Engine.decide(story.book, commands, story.now);
    story.book.settle();
    List<String> faults = new ArrayList<>(truth.follow(batch, story.book));
    faults.addAll(Engine.audit(story.book));
    int mark = story.book.mark();
    Batch idle = Engine.decide(story.book, List.of(), story.now);
    story.book.undo(mark);
    if (!idle.moves().isEmpty()) {
      faults.add("I14: deciding again moves " + idle.moves());
    }
    return faults;
  }

  private long pause(Random random) {
    return 1_000
        + switch (random.nextInt(5)) {
          case 0 -> 0;
          case 1 -> random.nextInt(1_000_000);
          case 2 -> random.nextLong(10 * Time.MINUTE);
          case 3 -> Math.max(0, Math.min(story.book.nextDue(), story.now + Time.DAY) - story.now);
          default -> random.nextLong(Time.HOUR);
        };
  }

  private Command command(Random random) {
    int kind = random.nextInt(24);
    if (kind < 9 || ids.isEmpty()) {
      return new Command.Create(ask(random));
    }
    UUID id = ids.get(ids.size() - 1 - random.nextInt(Math.min(ids.size(), 30)));
    Lease lease = story.book.lease(id);
    int generation = lease == null ? 1 : lease.generation();
    Command.Report.News[] news = Command.Report.News.values();
    return switch (kind) {
      case 9, 10, 11, 12 ->
          new Command.Report(
              id, Math.max(1, generation - random.nextInt(2)), news[random.nextInt(3)]);
      case 13, 14 -> new Command.Report(id, generation, news[random.nextInt(news.length)]);
      case 15 -> new Command.Release(id);
      case 16 -> new Command.Cancel(id);
      case 17 -> new Command.Extend(id, story.now + random.nextLong(4 * Time.HOUR));
      case 18 -> new Command.Shorten(id, story.now + random.nextLong(2 * Time.HOUR));
      case 19 -> new Command.SetNodes(List.of(health(random)), Command.Shrink.DEGRADE);
      case 20 ->
          new Command.Drain(
              List.of(new UUID(7, random.nextInt(6))),
              random.nextBoolean() ? Long.valueOf(story.now + Time.HOUR) : null);
      case 21 -> new Command.SetCluster("east", random.nextInt(4) == 0);
      case 22 -> new Command.CreateAtomic(List.of(ask(random), ask(random)));
      default -> new Command.Terminate(new UUID(3, 1 + random.nextInt(4)), story.now + Time.HOUR);
    };
  }

  private Node health(Random random) {
    Node node = story.book.node(new UUID(7, random.nextInt(6)));
    List<Node.Gpu> gpus = new ArrayList<>(node.gpus());
    Health[] health = {Health.OK, Health.OK, Health.SUSPECT, Health.BROKEN};
    gpus.set(random.nextInt(gpus.size()), new Node.Gpu(null, health[random.nextInt(4)]));
    return node.withGpus(gpus);
  }

  private Ask ask(Random random) {
    String[] tenants = {"vision", "nlp", "sub", "acme"};
    int count = 1 + random.nextInt(random.nextInt(4) == 0 ? 9 : 3);
    Story.AskMaker maker = story.asks(tenants[random.nextInt(4)], count);
    maker.shape(shape(random, count));
    if (random.nextInt(4) == 0) {
      maker.of("realtime");
    }
    long start = Time.roundUp(story.now + random.nextLong(3 * Time.HOUR));
    long length = Time.MINUTE + random.nextLong(2 * Time.HOUR);
    switch (random.nextInt(7)) {
      case 0 -> maker.at(start, start + length);
      case 1 -> maker.within(start, start + 4 * Time.HOUR, length);
      case 2 -> maker.when(new Ask.When.NowUntil(story.now + length));
      default -> maker.lasting(length);
    }
    maker.waitingUntil(story.now + random.nextLong(12 * Time.HOUR));
    if (random.nextInt(6) == 0) {
      maker.orRefuse();
    }
    if (random.nextInt(10) == 0 && !ids.isEmpty()) {
      maker.after(ids.get(random.nextInt(ids.size())));
    }
    Ask ask = maker.ask();
    ids.add(ask.lease());
    return ask;
  }

  private static Shape shape(Random random, int count) {
    List<String> models =
        switch (random.nextInt(4)) {
          case 0 -> List.of();
          case 1 -> List.of("a30");
          case 2 -> List.of("h100", "a30");
          default -> List.of("h100");
        };
    List<Shape.Spread> topology =
        random.nextInt(5) > 0
            ? List.of()
            : List.of(
                new Shape.Spread(
                    random.nextBoolean() ? Level.BLOCK : Level.RACK,
                    Shape.Spread.Rule.values()[random.nextInt(3)],
                    null));
    Shape.Slice slice = Shape.Slice.WHOLE;
    int groups = 0;
    switch (random.nextInt(8)) {
      case 0 -> slice = new Shape.Slice.Share(100 + random.nextInt(800));
      case 1 -> {
        slice = new Shape.Slice.Mig(random.nextBoolean() ? "1g.10gb" : "3g.40gb");
        models = List.of("h100");
      }
      case 2 -> groups = 1 + random.nextInt(2);
      default -> {}
    }
    return new Shape(
        models,
        0,
        groups,
        groups > 0 ? Math.min(count, 4) : count,
        slice,
        0,
        0,
        topology,
        Shape.Where.ANYWHERE);
  }
}
