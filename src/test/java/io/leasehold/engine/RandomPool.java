package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Collections;
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

  static final List<String> TENANTS = List.of("vision", "nlp", "sub", "acme");
  static final int NODES = 6;

  final Story story = Story.of("h100");
  final PoolTruth truth = new PoolTruth();

  private List<Command> lastCommands = List.of();
  private Batch last;

  /** Sown anew by each step. */
  private final Random random = new Random();

  private final RandomCommands commands;

  /**
   * Alike for equal seeds: with two models, racks and blocks; with contracts or without, with CPU
   * or without; in one of four people wait for half a day, so that there is a crowd.
   */
  RandomPool(long seed) {
    long longestWait = seed / 2 % 4 == 0 ? 12 * Time.HOUR : Time.HOUR;
    commands = new RandomCommands(random, story, longestWait);
    random.setSeed(seed);
    List<Move> facts = new ArrayList<>();
    facts.add(new Move.ModelSet(Fleet.h100()));
    facts.add(new Move.ModelSet(new GpuModel("a30", "A30", List.of(), 24_576, 0, 0, List.of(), 0)));
    for (String tenant : List.of("acme", "vision", "nlp")) {
      facts.add(new Move.TenantSet(story.book.tenant(tenant)));
    }
    facts.add(new Move.TenantSet(new Tenant("sub", "vision", false)));
    RandomClasses.all(random).forEach(each -> facts.add(new Move.ClassSet(each)));
    long cpuOfGpu = seed % 3 == 1 ? 8_000 : 0;
    for (int i = 0; i < NODES; i++) {
      facts.add(new Move.NodeSet(node(i, i < 4 ? "h100" : "a30", i == 3 ? 2 : 4, cpuOfGpu)));
    }
    facts.add(new Move.ClusterSet("east", false));
    if (seed % 2 == 0) {
      facts.add(new Move.ContractSet(commands.contract(1, "acme", 10, null)));
      facts.add(new Move.ContractSet(commands.contract(2, "vision", 6, 4)));
      facts.add(new Move.ContractSet(commands.contract(3, "nlp", 4, 8)));
      facts.add(new Move.ContractSet(commands.contract(4, "sub", 2, null)));
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

  private static Node node(int ordinal, String model, int gpus, long cpuOfGpu) {
    return new Node(
        new UUID(7, ordinal),
        ordinal,
        "east",
        "n" + ordinal,
        model,
        new Domain("eu", "eu-1", "b" + ordinal / 2, "r" + ordinal % 3, null),
        gpus * cpuOfGpu,
        0,
        Collections.nCopies(gpus, new Node.Gpu(null, Health.OK)),
        null,
        false);
  }

  /** What happened in the last step, a line for each command and move. */
  String told() {
    return Told.of(lastCommands, last);
  }

  /** What is wrong after a step; nothing, if all is well. */
  List<String> take(Step step) {
    random.setSeed(step.salt());
    story.now += pause();
    if (random.nextInt(30) == 0) {
      Move changed = new Move.ClassSet(RandomClasses.batch(random));
      story.book.apply(story.now, List.of(changed));
      story.book.settle();
      truth.furnish(List.of(changed));
    }
    List<Command> next = commands.next();
    List<String> faults = new ArrayList<>();
    Book rebuilt = random.nextInt(12) == 0 ? Rebuilt.of(story.book) : null;
    Batch rehearsed = random.nextInt(8) == 0 ? rehearsed(story.book, next) : null;
    Batch batch = Engine.decide(story.book, next, story.now);
    story.book.settle();
    lastCommands = next;
    last = batch;
    if (rehearsed != null && !rehearsed.moves().equals(batch.moves())) {
      faults.add("I13: rehearsed " + difference(rehearsed, batch));
    }
    if (rebuilt != null) {
      Batch again = Engine.decide(rebuilt, next, story.now);
      if (!again.moves().equals(batch.moves())) {
        faults.add("I13: rebuilt " + difference(again, batch));
      }
    }
    faults.addAll(truth.follow(next, batch, story.book));
    faults.addAll(Engine.audit(story.book));
    faults.addAll(idle());
    return faults;
  }

  /** I14. What moves nothing leaves the book as it was, so it need not be undone. */
  private List<String> idle() {
    int mark = story.book.mark();
    Batch idle = Engine.decide(story.book, List.of(), story.now);
    if (idle.moves().isEmpty()) {
      story.book.settle();
      return List.of();
    }
    story.book.undo(mark);
    return List.of("I14: deciding again moves " + idle.moves());
  }

  private Batch rehearsed(Book book, List<Command> next) {
    int mark = book.mark();
    Batch rehearsed = Engine.decide(book, next, story.now);
    book.undo(mark);
    return rehearsed;
  }

  private static String difference(Batch one, Batch other) {
    return Dump.difference(Dump.ofMoves(one), Dump.ofMoves(other));
  }

  private long pause() {
    return 1_000
        + switch (random.nextInt(5)) {
          case 0 -> 0;
          case 1 -> random.nextInt(1_000_000);
          case 2 -> random.nextLong(10 * Time.MINUTE);
          case 3 -> Math.max(0, Math.min(story.book.nextDue(), story.now + Time.DAY) - story.now);
          default -> random.nextLong(Time.HOUR);
        };
  }
}
