package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** Makes up what is set aside, changed and released, for random histories. */
final class RandomReservations {

  private final Random random;
  private final Story story;
  private final List<UUID> made = new ArrayList<>();
  private long ids;

  RandomReservations(Random random, Story story) {
    this.random = random;
    this.story = story;
  }

  Command command() {
    List<Occurrence> live = List.copyOf(story.book.occurrences());
    int kind = random.nextInt(6);
    if (live.isEmpty() || kind < 3) {
      return reserve();
    }
    Occurrence one = live.get(random.nextInt(live.size()));
    if (kind == 3) {
      return new Command.CancelOccurrences(List.of(one.id()));
    }
    long by = (random.nextInt(5) - 2) * 20 * Time.MINUTE;
    Span window = new Span(one.window().start() + by, one.window().end() + by);
    return switch (kind) {
      case 4 -> new Command.ChangeOccurrence(one.id(), window, one.shape());
      default ->
          new Command.ChangeOccurrence(
              one.id(),
              new Span(
                  one.window().start(),
                  Math.max(one.window().end() + by, one.window().start() + Time.MINUTE)),
              random.nextBoolean() ? one.shape() : shape());
    };
  }

  private Command reserve() {
    UUID reservation = new UUID(5, ++ids);
    made.add(reservation);
    long start = Time.roundUp(story.now + random.nextLong(2 * Time.HOUR) - 10 * Time.MINUTE);
    long length = Time.MINUTE + random.nextLong(90 * Time.MINUTE);
    Shape shape = shape();
    boolean lend = random.nextBoolean();
    long noShowAfter = random.nextBoolean() ? Span.FOREVER : random.nextLong(length) + 1;
    String tenant = random.nextBoolean() ? "vision" : "nlp";
    List<Occurrence.Ask> asks = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      Span window = new Span(start, start + length);
      asks.add(
          new Occurrence.Ask(
              new UUID(6, ++ids), reservation, tenant, shape, start, window, lend, noShowAfter));
      start += length + random.nextLong(Time.HOUR);
    }
    return new Command.Reserve(
        asks,
        random.nextBoolean() ? Command.Reserve.Misfit.RECORD : Command.Reserve.Misfit.REFUSE_ALL);
  }

  private Shape shape() {
    return Story.AskMaker.whole(1 + random.nextInt(random.nextInt(3) == 0 ? 10 : 4), "h100");
  }

  /** A request for some of what is set aside, mostly at a time when it may be drawn on. */
  Story.AskMaker draws() {
    List<Occurrence> live = List.copyOf(story.book.occurrences());
    if (live.isEmpty() || random.nextInt(10) == 0) {
      UUID any = made.isEmpty() ? new UUID(5, 0) : made.get(random.nextInt(made.size()));
      return story.asks("vision", 1).lasting(Time.HOUR).on(any);
    }
    Occurrence one = live.get(random.nextInt(live.size()));
    Story.AskMaker maker = story.asks(one.tenant(), 1 + random.nextInt(3));
    Span window = one.window();
    long from = Time.roundUp(Math.max(story.now, window.start()));
    long left = Math.max(2 * Time.MINUTE, window.end() - from);
    long length = Time.MINUTE + random.nextLong(left - Time.MINUTE);
    switch (random.nextInt(4)) {
      case 0 -> maker.at(from, from + length);
      case 1 -> maker.within(from, window.end() + Time.HOUR, length);
      case 2 -> maker.at(from, Math.max(window.end(), from + Time.MINUTE));
      default -> maker.lasting(length);
    }
    return maker.of(random.nextBoolean() ? "batch" : "realtime").on(one.reservation());
  }
}
