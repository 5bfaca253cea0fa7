package io.leasehold.engine;

import java.util.List;
import java.util.Random;
import java.util.UUID;

/** Makes up requests: of every class, shape and time, some of them for what is set aside. */
final class RandomAsks {

  private static final String[] CLASSES = {
    "batch", "batch", "batch", "realtime", "interactive", "spare"
  };

  private final Random random;
  private final Story story;
  private final List<UUID> ids;
  private final RandomReservations reservations;
  private final long longestWait;

  /**
   * @param ids all that were ever asked for; the new one is added
   */
  RandomAsks(
      Random random,
      Story story,
      List<UUID> ids,
      RandomReservations reservations,
      long longestWait) {
    this.random = random;
    this.story = story;
    this.ids = ids;
    this.reservations = reservations;
    this.longestWait = longestWait;
  }

  Ask one() {
    boolean draws = random.nextInt(6) == 0 && !story.book.occurrences().isEmpty();
    Ask ask = (draws ? reservations.draws() : open()).ask().movable(random.nextInt(3) == 0);
    ids.add(ask.lease());
    return ask;
  }

  private Story.AskMaker open() {
    int count = 1 + random.nextInt(random.nextInt(4) == 0 ? 9 : 3);
    String tenant = RandomPool.TENANTS.get(random.nextInt(RandomPool.TENANTS.size()));
    Story.AskMaker maker = story.asks(tenant, count).shape(shape(count));
    maker.of(CLASSES[random.nextInt(CLASSES.length)]);
    if (random.nextInt(5) == 0) {
      maker.orAtLeast(1);
    }
    when(maker);
    maker.costing(random.nextInt(3));
    maker.waitingUntil(story.now + random.nextLong(longestWait));
    if (random.nextInt(6) == 0) {
      maker.orRefuse();
    }
    if (random.nextInt(10) == 0 && !ids.isEmpty()) {
      maker.after(ids.get(random.nextInt(ids.size())));
    }
    return maker;
  }

  private void when(Story.AskMaker maker) {
    long start = Time.roundUp(story.now + random.nextLong(3 * Time.HOUR));
    long length = Time.MINUTE + random.nextLong(2 * Time.HOUR);
    switch (random.nextInt(15)) {
      case 0, 1 -> maker.at(start, start + length);
      case 2, 3 -> maker.within(start, start + 4 * Time.HOUR, length);
      case 4, 5 -> maker.when(new Ask.When.NowUntil(story.now + length));
      case 6 -> maker.of("realtime").when(new Ask.When.Now(Span.FOREVER));
      default -> maker.lasting(length);
    }
  }

  private Shape shape(int count) {
    List<String> models =
        switch (random.nextInt(4)) {
          case 0 -> List.of();
          case 1 -> List.of("a30");
          case 2 -> List.of("h100", "a30");
          default -> List.of("h100");
        };
    Shape.Slice slice = Shape.Slice.WHOLE;
    int groups = 0;
    switch (random.nextInt(8)) {
      case 0 -> slice = new Shape.Slice.Share(100 + random.nextInt(800));
      case 1 -> {
        slice = new Shape.Slice.Mig(random.nextBoolean() ? "1g.10gb" : "3g.40gb");
        models = List.of("h100");
      }
      case 2 -> groups = 1 + random.nextInt(3);
      default -> {}
    }
    return new Shape(
        models,
        0,
        groups,
        groups > 0 ? Math.min(count, 4) : count,
        slice,
        random.nextInt(3) == 0 ? 1_000L + random.nextInt(20_000) : 0,
        0,
        topology(),
        Shape.Where.ANYWHERE);
  }

  private List<Shape.Spread> topology() {
    if (random.nextInt(5) > 0) {
      return List.of();
    }
    Shape.Spread.Rule rule = Shape.Spread.Rule.values()[random.nextInt(3)];
    Level level = random.nextBoolean() ? Level.BLOCK : Level.RACK;
    Integer atMost = rule == Shape.Spread.Rule.SPREAD && random.nextBoolean() ? 2 : null;
    return List.of(new Shape.Spread(level, rule, atMost));
  }
}
