package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random histories: whatever happens, the laws hold and every copy of the book decides alike. */
class HistoryTest {

  private static final int STEPS = 120;

  /** More with {@code -Dseeds=1000}. */
  static LongStream seeds() {
    return LongStream.rangeClosed(Long.getLong("first", 1), Long.getLong("seeds", 6));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void everyCopyOfTheBookDecidesAlike(long seed) {
    RandomHistory history = new RandomHistory(seed);
    Book follower = history.fresh();
    for (int step = 0; step < STEPS; step++) {
      List<Command> commands = history.next();
      String where = "seed " + seed + ", step " + step;
      Book rebuilt = history.rebuilt();
      String before = Dump.of(history.book());
      int mark = history.book().mark();
      Batch rehearsed = Engine.decide(history.book(), commands, history.now());
      history.book().undo(mark);
      assertThat(Dump.difference(Dump.of(history.book()), before)).as("undo, " + where).isEmpty();

      assertThat(Dump.difference(Dump.of(rebuilt), before)).as("loaded, " + where).isEmpty();

      Batch live = Engine.decide(history.book(), commands, history.now());
      history.book().settle();
      assertThat(live.moves()).as("again after undo, " + where).isEqualTo(rehearsed.moves());
      assertThat(Engine.audit(history.book())).as("laws, " + where).isEmpty();
      assertLegal(live.moves(), where);
      for (int i = 0; i < commands.size(); i++) {
        if (commands.get(i) instanceof Command.Create
            && live.decisions().get(i) instanceof Decision.Decided decided
            && !decided.lease().state().isFinal()) {
          assertThat(decided.lease())
              .as("answered as stored, " + where)
              .isEqualTo(history.book().lease(decided.lease().id()));
        }
      }

      Batch again = Engine.decide(rebuilt, commands, history.now());
      assertThat(Dump.difference(Dump.of(again), Dump.of(live)))
          .as("rebuilt book, " + where)
          .isEmpty();

      follower.apply(live.at(), live.moves());
      follower.decided();
      follower.settle();
      assertThat(Dump.difference(Dump.of(follower), Dump.of(history.book())))
          .as("follower, " + where)
          .isEmpty();

      mark = history.book().mark();
      Batch idle = Engine.decide(history.book(), List.of(), history.now());
      history.book().undo(mark);
      assertThat(Dump.ofMoves(idle)).as("I14, " + where).isEmpty();
      mark = follower.mark();
      idle = Engine.decide(follower, List.of(), history.now());
      follower.undo(mark);
      assertThat(Dump.ofMoves(idle)).as("I14 in the follower, " + where).isEmpty();
      assertThat(Dump.room(history.book()))
          .as("room, " + where)
          .isEqualTo(Dump.room(history.rebuilt()));
      idle = Engine.decide(history.rebuilt(), List.of(), history.now());
      assertThat(Dump.ofMoves(idle)).as("I14 in a rebuilt book, " + where).isEmpty();
      long next = Math.min(history.book().nextDue() - 1, history.now() + Time.HOUR);
      idle = Engine.decide(history.rebuilt(), List.of(), next);
      assertThat(Dump.ofMoves(idle)).as("nothing is due until " + next + ", " + where).isEmpty();
      history.sawMoves(live);
    }
    assertThat(history.seen())
        .as("states reached")
        .contains("ENDED", "WAITING", "PLANNED", "earmarked", "reserved", "started", "drew");
  }

  private static void assertLegal(List<Move> moves, String where) {
    for (Move move : moves) {
      if (move instanceof Move.LeaseMoved moved && moved.before() != null) {
        LeaseState from = moved.before().state();
        LeaseState to = moved.after().state();
        assertThat(from == to || from.mayBecome(to)).as(where + ": " + from + " to " + to).isTrue();
        assertThat(moved.after().revision()).isEqualTo(moved.before().revision() + 1);
      }
    }
  }

  /** Makes up what happens. */
  private static final class RandomHistory {
    private final Random random;
    private final Random order = new Random(0);
    private final Story story = Story.of("h100", 8, 8, 4, 2);
    private final List<UUID> ids = new ArrayList<>();
    private final java.util.Set<String> seen = new java.util.TreeSet<>();
    private final RandomReservations reservations;

    RandomHistory(long seed) {
      random = new Random(seed);
      reservations = new RandomReservations(random, story);
      preemption();
      if (seed % 2 == 0) {
        story.facts(
            new Move.ContractSet(contract(1, "acme", 12, 8)),
            new Move.ContractSet(contract(2, "vision", 6, null)),
            new Move.ContractSet(contract(3, "nlp", 4, 4)));
      }
    }

    /** Batch runs for a while, is told before, or is spared for a while, or at some hours. */
    private void preemption() {
      ServiceClass batch = story.book.serviceClass("batch");
      List<Disruption.Quiet> night =
          List.of(new Disruption.Quiet(22 * 60, 6 * 60 + 30, "Europe/Berlin"));
      batch =
          switch (random.nextInt(5)) {
            case 0 -> Story.runningFor(10 * Time.MINUTE, batch);
            case 1 -> Story.noticed(2 * Time.MINUTE, null, batch);
            case 2 -> Story.noticed(0, new Disruption(2, 3 * Time.HOUR, List.of()), batch);
            case 3 -> Story.noticed(Time.MINUTE, new Disruption(1, Time.HOUR, night), batch);
            default -> batch;
          };
      story.facts(new Move.ClassSet(batch));
    }

    private Contract contract(long id, String tenant, int guaranteed, Integer borrowing) {
      return new Contract(
          new UUID(3, id),
          tenant,
          new Span(Story.T, Story.T + 40 * Time.HOUR),
          List.of(
              new Contract.Entitlement(
                  "h100", guaranteed, borrowing, random.nextBoolean() ? null : 2, 1)));
    }

    Book book() {
      return story.book;
    }

    long now() {
      return story.now;
    }

    java.util.Set<String> seen() {
      return seen;
    }

    Book fresh() {
      return loaded(List.of());
    }

    Book rebuilt() {
      List<Lease> leases = new ArrayList<>(story.book.leases());
      java.util.Collections.shuffle(leases, order);
      return loaded(leases);
    }

    private Book loaded(List<Lease> leases) {
      Book book = new Book();
      List<Move> facts = new ArrayList<>();
      facts.add(new Move.ModelSet(story.book.model("h100")));
      for (String tenant : List.of("acme", "vision", "nlp")) {
        facts.add(new Move.TenantSet(story.book.tenant(tenant)));
      }
      for (String slug : List.of("realtime", "batch")) {
        facts.add(new Move.ClassSet(story.book.serviceClass(slug)));
      }
      story.book.nodes().forEach(node -> facts.add(new Move.NodeSet(node)));
      story.book.contracts().forEach(each -> facts.add(new Move.ContractSet(each)));
      story
          .book
          .history()
          .written()
          .forEach(
              (account, past) ->
                  facts.add(
                      new Move.UsageSet(
                          account.tenant(), account.model(), past.used(), past.tick())));
      story.book.occurrences().forEach(each -> facts.add(new Move.OccurrenceMoved(each, "loaded")));
      story.book.losses().forEach((model, losses) -> facts.add(new Move.LossSet(model, losses)));
      story
          .book
          .disruptions()
          .rows()
          .forEach(
              (lot, times) ->
                  facts.add(new Move.DisruptionSet(lot.tenant(), lot.serviceClass(), times)));
      leases.forEach(lease -> facts.add(new Move.LeaseMoved(null, lease, "loaded")));
      book.apply(story.book.now(), facts);
      if (story.book.isDecided()) {
        book.decided();
      }
      book.settle();
      return book;
    }

    List<Command> next() {
      story.now +=
          1_000
              + switch (random.nextInt(5)) {
                case 0 -> 0;
                case 1 -> 1 + random.nextInt(1_000_000);
                case 2 -> 1 + random.nextLong(10 * Time.MINUTE);
                case 3 ->
                    Math.max(0, Math.min(story.book.nextDue(), story.now + Time.DAY) - story.now);
                default -> random.nextLong(Time.HOUR);
              };
      List<Command> commands = new ArrayList<>();
      for (int n = random.nextInt(5); n >= 0; n--) {
        commands.add(one());
      }
      return commands;
    }

    private Command one() {
      if (random.nextInt(8) == 0) {
        return reservations.command();
      }
      int kind = random.nextInt(26);
      if (kind < 8 || ids.isEmpty()) {
        return new Command.Create(ask());
      }
      UUID id = ids.get(ids.size() - 1 - random.nextInt(Math.min(ids.size(), 30)));
      Lease lease = story.book.lease(id);
      int generation = lease == null ? 1 : lease.generation();
      Command.Report.News[] news = Command.Report.News.values();
      return switch (kind) {
        case 8, 9, 10, 11 ->
            new Command.Report(
                id, Math.max(1, generation - random.nextInt(2)), news[random.nextInt(3)]);
        case 12, 13 -> new Command.Report(id, generation, news[random.nextInt(4)]);
        case 14 -> new Command.Release(id);
        case 15 -> new Command.Cancel(id);
        case 16 -> new Command.Extend(id, story.now + random.nextLong(4 * Time.HOUR));
        case 17 -> new Command.Shorten(id, story.now + random.nextLong(2 * Time.HOUR));
        case 18 -> new Command.SetNodes(List.of(node()), Command.Shrink.DEGRADE);
        case 19, 20 -> new Command.Resize(id, 1 + random.nextInt(6), keep(lease));
        case 21, 22 -> new Command.Replace(id, someNode(lease), "broken");
        case 23 -> new Command.Transfer(id, random.nextBoolean() ? "vision" : "nlp");
        case 24 -> new Command.Silence(id, story.now - random.nextLong(Time.HOUR));
        default -> new Command.CreateAtomic(List.of(ask(), ask()));
      };
    }

    private List<UUID> keep(Lease lease) {
      return random.nextInt(3) == 0 ? someNode(lease) : List.of();
    }

    private List<UUID> someNode(Lease lease) {
      if (lease == null || lease.booking() == null) {
        return List.of();
      }
      List<Booking.Slot> slots = lease.booking().slots();
      return List.of(slots.get(random.nextInt(slots.size())).node());
    }

    private Node node() {
      List<Node> nodes = new ArrayList<>(story.book.nodes());
      Node node = nodes.get(random.nextInt(nodes.size()));
      List<Node.Gpu> gpus = new ArrayList<>(node.gpus());
      int index = random.nextInt(gpus.size());
      Health[] health = {Health.OK, Health.OK, Health.SUSPECT, Health.BROKEN};
      gpus.set(index, new Node.Gpu(null, health[random.nextInt(health.length)]));
      Long drain = random.nextInt(4) == 0 ? Long.valueOf(story.now + Time.HOUR) : null;
      return new Node(
          node.id(),
          node.ordinal(),
          node.cluster(),
          node.name(),
          node.model(),
          node.domain(),
          0,
          0,
          gpus,
          drain,
          false);
    }

    private Ask ask() {
      int gpus = 1 + random.nextInt(random.nextInt(4) == 0 ? 12 : 4);
      Story.AskMaker maker = story.asks(random.nextBoolean() ? "vision" : "nlp", gpus);
      if (random.nextInt(5) == 0) {
        maker.groups(1 + random.nextInt(2), 1 + random.nextInt(4));
      } else if (random.nextInt(5) == 0) {
        maker.shape(
            new Shape(
                List.of("h100"),
                0,
                0,
                1 + random.nextInt(3),
                new Shape.Slice.Share(400),
                0,
                0,
                List.of(),
                Shape.Where.ANYWHERE));
      }
      if (random.nextInt(4) == 0) {
        maker.of("realtime");
      }
      if (random.nextInt(4) == 0) {
        maker.orAtLeast(1);
      }
      if (random.nextInt(4) == 0) {
        maker.silentFor(Time.MINUTE + random.nextLong(Time.HOUR));
      }
      long start = Time.roundUp(story.now + random.nextLong(3 * Time.HOUR));
      long length = Time.MINUTE + random.nextLong(2 * Time.HOUR);
      switch (random.nextInt(6)) {
        case 0 -> maker.at(start, start + length);
        case 1 -> maker.within(start, start + 4 * Time.HOUR, length);
        case 2 -> maker.when(new Ask.When.NowUntil(story.now + length));
        case 3 -> {
          if (random.nextInt(4) == 0) {
            maker.of("realtime").when(new Ask.When.Now(Span.FOREVER));
          }
        }
        default -> maker.lasting(length);
      }
      maker.costing(random.nextInt(3));
      maker.waitingUntil(story.now + random.nextLong(12 * Time.HOUR));
      if (random.nextInt(6) == 0) {
        maker.orRefuse();
      }
      if (random.nextInt(8) == 0 && !ids.isEmpty()) {
        maker.after(ids.get(random.nextInt(ids.size())));
      }
      if (random.nextInt(4) == 0) {
        maker = reservations.draws();
      }
      Ask ask = maker.ask();
      ids.add(ask.lease());
      return ask;
    }

    void sawMoves(Batch batch) {
      for (Move move : batch.moves()) {
        if (move instanceof Move.LeaseMoved moved) {
          seen.add(moved.after().state().name());
          seen.add(moved.cause());
          if (moved.after().ask().reservation() != null && moved.after().state().hasPromise()) {
            seen.add("drew");
          }
        } else if (move instanceof Move.OccurrenceMoved moved) {
          seen.add(moved.cause());
        }
      }
    }
  }
}
