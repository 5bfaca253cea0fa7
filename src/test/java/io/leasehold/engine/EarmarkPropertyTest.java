package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What an earmark promises to who is first in line, and by when who has aged begins. */
class EarmarkPropertyTest {

  private static final long AGE = Time.HOUR;
  private static final long LONGEST = 2 * Time.HOUR;

  /** Until the cluster says that it has let go, and until this test looks. */
  private static final long LATE = 10 * Time.MINUTE;

  /** More with {@code -Dseeds=1000}. */
  static LongStream seeds() {
    return LongStream.rangeClosed(1, Long.getLong("seeds", 10));
  }

  /** The highest never ages here. */
  private static ServiceClass serviceClass(String slug, int priority) {
    return new ServiceClass(
        slug,
        priority,
        priority > 100,
        priority <= 100,
        false,
        0,
        0,
        30 * Time.SECOND,
        60 * Time.SECOND,
        priority > 100 ? Time.DAY * 90 : AGE,
        LONGEST,
        90 * Time.DAY);
  }

  private static Story story(int... gpus) {
    Story story = Story.of("h100", gpus);
    story.facts(
        new Move.ClassSet(serviceClass("realtime", 1_000)),
        new Move.ClassSet(serviceClass("batch", 100)),
        new Move.ClassSet(serviceClass("low", 0)));
    return story;
  }

  private static Map<UUID, Lease> earmarked(Story story) {
    Map<UUID, Lease> earmarked = new HashMap<>();
    story.book.register().earmarked().forEach(lease -> earmarked.put(lease.id(), lease));
    return earmarked;
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void nothingOfLowerPrecedenceMovesAnEarmarkLater(long seed) {
    Random random = new Random(seed);
    Story story = story(8, 8, 4);
    List<String> classes = List.of("realtime", "batch", "batch", "low");
    List<UUID> asked = new ArrayList<>();
    int kept = 0;
    for (int step = 0; step < 200; step++) {
      String where = "seed " + seed + " step " + step;
      story.after(random.nextInt(3) == 0 ? random.nextLong(Time.HOUR) : 1_000);
      if (random.nextInt(3) == 0) {
        story.clusterObeys();
      }
      Map<UUID, Lease> before = earmarked(story);
      String serviceClass = classes.get(random.nextInt(classes.size()));
      Command command = arrival(random, story, serviceClass, asked);
      story.decide(command);
      for (Lease was : before.values()) {
        Lease is = story.lease(was.id());
        boolean later =
            is != null
                && is.state() == LeaseState.WAITING
                && (is.earmark() == null || is.earmark().start() > was.earmark().start());
        if (!later) {
          kept++;
          continue;
        }
        String by =
            command instanceof Command.Extend extend
                ? story.lease(extend.lease()).ask().serviceClass()
                : serviceClass;
        assertThat(mayDisplace(story, by, was)).as(where + ": " + was).isTrue();
        if (is.earmark() != null) {
          assertThat(is.earmark().cause()).as(where).isEqualTo("displaced");
        }
      }
    }
    assertThat(kept).as("earmarks looked at, seed " + seed).isGreaterThan(50);
  }

  private static Command arrival(
      Random random, Story story, String serviceClass, List<UUID> asked) {
    if (random.nextInt(4) == 0 && !asked.isEmpty()) {
      UUID id = asked.get(random.nextInt(asked.size()));
      return new Command.Extend(id, story.now + random.nextLong(LONGEST));
    }
    Story.AskMaker maker =
        story
            .asks(random.nextBoolean() ? "vision" : "nlp", 1 + random.nextInt(14))
            .of(serviceClass)
            .lasting(Time.MINUTE + random.nextLong(LONGEST - Time.MINUTE));
    if (random.nextInt(3) == 0) {
      long start = Time.roundUp(story.now + random.nextLong(4 * Time.HOUR));
      maker.at(start, start + Time.MINUTE + random.nextLong(LONGEST - Time.MINUTE));
    }
    Ask ask = maker.ask();
    asked.add(ask.lease());
    return new Command.Create(ask);
  }

  /** Without contracts all is guaranteed: only a higher class comes before, and before no aged. */
  private static boolean mayDisplace(Story story, String serviceClass, Lease earmarked) {
    ServiceClass own = story.book.terms(earmarked).serviceClass();
    boolean aged =
        earmarked.createdAt() + own.agingAfter() <= story.now
            && story.book.register().isOldest(earmarked);
    return !aged && story.book.serviceClass(serviceClass).priority() > own.priority();
  }

  @Test
  void anEarmarkOnLostHardwareMovesAndSaysWhy() {
    Story story = story(8, 8);
    story.asks("vision", 8).lasting(Time.HOUR).lease();
    story.asks("vision", 8).lasting(2 * Time.HOUR).lease();
    Shape onOneNode =
        new Shape(List.of(), 0, 1, 8, Shape.Slice.WHOLE, 0, 0, List.of(), Shape.Where.ANYWHERE);
    Lease waiting = story.asks("nlp", 8).shape(onOneNode).lasting(Time.HOUR).lease();
    assertThat(waiting.earmark().cause()).isEqualTo("head-of-queue");
    Booking.Slot slot = waiting.earmark().booking().slots().getFirst();
    story.breakGpu((int) slot.node().getLeastSignificantBits(), 0);
    Lease.Earmark moved = story.lease(waiting.id()).earmark();
    assertThat(moved.start()).isGreaterThan(waiting.earmark().start());
    assertThat(moved.cause()).isEqualTo("hardware-lost");
    assertThat(moved.rank()).isEqualTo(waiting.earmark().rank());
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whoHasAgedBeginsWithinTheBound(long seed) {
    Random random = new Random(seed);
    Story story = story(8, 8);
    Map<UUID, Long> deadlines = new HashMap<>();
    int aged = 0;
    for (int step = 0; step < 160; step++) {
      story.after(1_000 + random.nextLong(LATE / 2));
      story.clusterObeys();
      story
          .asks("vision", 1 + random.nextInt(8))
          .of("realtime")
          .lasting(Time.MINUTE + random.nextLong(LONGEST - Time.MINUTE))
          .lease();
      if (random.nextInt(12) == 0 && deadlines.size() < 4) {
        long rank = story.book.register().waiting().stream().filter(this::isLow).count();
        Lease low = story.asks("nlp", 16).of("low").lasting(Time.HOUR).lease();
        long each = LONGEST + 90 * Time.SECOND + LATE;
        deadlines.put(low.id(), story.now + AGE + each * (rank + 1) + LATE);
      }
      for (UUID id : List.copyOf(deadlines.keySet())) {
        if (story.state(id) != LeaseState.WAITING) {
          deadlines.remove(id);
          aged++;
        } else {
          assertThat(story.now)
              .as("seed " + seed + " step " + step)
              .isLessThanOrEqualTo(deadlines.get(id));
        }
      }
    }
    assertThat(aged).as("who had to wait, seed " + seed).isPositive();
  }

  private boolean isLow(Lease lease) {
    return lease.ask().serviceClass().equals("low");
  }
}
