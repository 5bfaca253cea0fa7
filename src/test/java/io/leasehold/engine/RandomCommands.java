package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** Makes up what people, operators and clusters want of a random pool. */
final class RandomCommands {

  private static final int KINDS = 41;

  private final Random random;
  private final Story story;
  private final List<UUID> ids = new ArrayList<>();
  private final RandomReservations reservations;
  private final RandomAsks asks;
  private long contracts = 4;

  RandomCommands(Random random, Story story, long longestWait) {
    this.random = random;
    this.story = story;
    this.reservations = new RandomReservations(random, story);
    this.asks = new RandomAsks(random, story, ids, reservations, longestWait);
  }

  /** What comes in one batch; now and then the cluster does all that it was told. */
  List<Command> next() {
    List<Command> next = new ArrayList<>();
    if (random.nextInt(4) == 0) {
      obeyed(next);
    }
    for (int n = random.nextInt(4); n >= 0; n--) {
      next.add(one());
    }
    return next;
  }

  private void obeyed(List<Command> reports) {
    for (Lease lease : story.book.leases()) {
      if (lease.state() == LeaseState.ENDING) {
        reports.add(Story.withdrawn(lease));
      } else if (lease.state().hasPossession()) {
        reports.add(Story.usable(lease));
      }
    }
  }

  private Command one() {
    int kind = random.nextInt(KINDS);
    if (kind < 13 || ids.isEmpty()) {
      return new Command.Create(asks.one());
    }
    UUID id = ids.get(ids.size() - 1 - random.nextInt(Math.min(ids.size(), 30)));
    return kind < 33 ? ofLease(kind, id, story.book.lease(id)) : ofPool(kind);
  }

  private Command ofLease(int kind, UUID id, Lease lease) {
    int generation = lease == null ? 1 : lease.generation();
    Command.Report.News[] news = Command.Report.News.values();
    return switch (kind) {
      case 13, 14, 15, 16 ->
          new Command.Report(
              id, Math.max(1, generation - random.nextInt(2)), news[random.nextInt(3)]);
      case 17, 18 -> new Command.Report(id, generation, news[random.nextInt(news.length)]);
      case 19, 20 -> new Command.Release(id);
      case 21 -> new Command.Cancel(id);
      case 22, 23 -> new Command.Extend(id, end(lease, by(3 * Time.HOUR)));
      case 24 -> new Command.Shorten(id, end(lease, -by(Time.HOUR)));
      case 25, 26, 27 -> new Command.Resize(id, 1 + random.nextInt(6), keep(lease));
      case 28, 29 -> new Command.Replace(id, someNode(lease), "broken");
      case 30 -> new Command.Transfer(id, tenant());
      case 31 -> new Command.Revoke(id, "operator");
      default -> new Command.Annotate(id);
    };
  }

  private Command ofPool(int kind) {
    return switch (kind) {
      case 33 -> new Command.SetNodes(List.of(health()), Command.Shrink.DEGRADE);
      case 34 ->
          new Command.Drain(
              List.of(new UUID(7, random.nextInt(RandomPool.NODES))),
              random.nextBoolean() ? Long.valueOf(story.now + Time.HOUR) : null);
      case 35 -> new Command.SetCluster("east", random.nextInt(4) == 0);
      case 36 -> new Command.CreateAtomic(List.of(asks.one(), asks.one()));
      case 37 ->
          random.nextBoolean()
              ? new Command.Terminate(
                  new UUID(3, 1 + random.nextLong(contracts)), story.now + Time.HOUR)
              : signs();
      case 38 -> consolidates();
      default -> reservations.command();
    };
  }

  /** In one of three cases less than a withdrawal takes. */
  private long by(long most) {
    return random.nextLong(random.nextInt(3) == 0 ? Time.MINUTE : most);
  }

  private long end(Lease lease, long by) {
    boolean ends = lease != null && lease.window() != null && lease.window().end() < Span.FOREVER;
    return (ends ? lease.window().end() : story.now) + by;
  }

  private String tenant() {
    return RandomPool.TENANTS.get(random.nextInt(RandomPool.TENANTS.size()));
  }

  /** Only where there are contracts: the first one makes a limit of every other tenant's zero. */
  private Command signs() {
    if (story.book.contracts().isEmpty()) {
      return new Command.Tick();
    }
    return new Command.Sign(contract(++contracts, tenant(), random.nextInt(3), 2));
  }

  /** What an operator was shown this instant, and approved. */
  private Command consolidates() {
    Ask ask = asks.one().movable(false);
    ConsolidationPlan plan = Engine.consolidation(story.book, ask, story.now);
    return new Command.Consolidate(ask, plan.moves());
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

  private Node health() {
    Node node = story.book.node(new UUID(7, random.nextInt(RandomPool.NODES)));
    List<Node.Gpu> gpus = new ArrayList<>(node.gpus());
    Health[] health = {Health.OK, Health.OK, Health.SUSPECT, Health.BROKEN};
    gpus.set(random.nextInt(gpus.size()), new Node.Gpu(null, health[random.nextInt(4)]));
    return node.withGpus(gpus);
  }

  Contract contract(long id, String tenant, int guaranteed, Integer borrowing) {
    Integer lending = random.nextInt(3) == 0 ? Integer.valueOf(1) : null;
    long end = story.now + (20 + random.nextInt(60)) * Time.HOUR;
    return new Contract(
        new UUID(3, id),
        tenant,
        new Span(id <= 4 ? 0 : story.now, end),
        List.of(
            new Contract.Entitlement("h100", guaranteed, borrowing, lending, random.nextInt(4)),
            new Contract.Entitlement("a30", guaranteed / 2, borrowing, null, 1)));
  }
}
