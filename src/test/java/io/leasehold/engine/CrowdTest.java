package io.leasehold.engine;

import static io.leasehold.engine.Fleet.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node with very many small leases costs little more than one with few. */
class CrowdTest {

  private static final int MANY = 800;

  /** An amount that knows how often it was looked at. */
  private static final class Counted implements ToLongFunction<Held> {
    private int looks;

    @Override
    public long applyAsLong(Held one) {
      looks++;
      return one.slot().cpuMilli();
    }
  }

  private static Held fraction(int number, long start, long end) {
    Units units = Units.of(10 * number, 10 * number + 10);
    Booking.Slot slot =
        new Booking.Slot(0, Fleet.id(1), Mode.SHARED, units, List.of(), 1 + number % 5, 0);
    return Held.of(Fleet.id(number), new Span(start, end), slot);
  }

  @Test
  void thePeakLooksAtEachLeaseAFewTimesOnly() {
    Held[] held = new Held[MANY];
    for (int i = 0; i < MANY; i++) {
      held[i] = fraction(i, i * SECOND, (i + 50) * SECOND);
    }
    Counted counted = new Counted();
    long peak = Peak.of(held, held, new Over(0, MANY * SECOND, true, false), counted);
    assertThat(peak).as("all are possessed at the start").isEqualTo(3 * MANY);
    long later = Peak.of(held, held, new Over(1, MANY * SECOND, false, false), one -> 3);
    assertThat(later).as("50 run at a time").isEqualTo(3 * 50);
    assertThat(counted.looks).isLessThanOrEqualTo(3 * MANY);
  }

  @Test
  void sumsAreKeptWhileLeasesComeAndGo() {
    Crowd crowd = new Crowd(8, new Held[0], new Held[0], 0);
    for (int i = 0; i < MANY; i++) {
      crowd.take(fraction(i, 0, SECOND + i), false);
    }
    assertThat(crowd.isGoodAt(SECOND - 1)).isTrue();
    assertThat(crowd.isGoodAt(SECOND)).as("one is over by then").isFalse();
  }

  /** Kept sums are what adding up gives, whatever came and went, and in whatever order. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void keptSumsAreTheSumsOfWhatLiesThere(long seed) {
    Random random = new Random(seed);
    Node node = Fleet.node(1, "c1", Domain.NOWHERE, 8, 64_000, 64_000);
    List<Held> held = new ArrayList<>();
    List<Held> possessed = new ArrayList<>();
    long clock = 100 * SECOND;
    Crowd crowd = new Crowd(8, new Held[0], new Held[0], clock);
    for (int step = 0; step < 2_000; step++) {
      long start = random.nextInt(200) * SECOND;
      Held one = fraction(random.nextInt(60), start, start + random.nextInt(1, 100) * SECOND);
      boolean asHeld = random.nextBoolean();
      List<Held> list = asHeld ? held : possessed;
      List<Held> other = asHeld ? possessed : held;
      Held known = list.isEmpty() || random.nextInt(3) > 0 ? null : list.getFirst();
      if (known != null) {
        list.remove(known);
        if (asHeld) {
          crowd.give(known, other.contains(known));
        } else {
          crowd.dispossess(known, other.contains(known));
        }
      } else {
        Held fresh = other.isEmpty() || random.nextBoolean() ? one : other.getLast();
        if (!list.contains(fresh)) {
          list.add(fresh);
          if (asHeld) {
            crowd.take(fresh, other.contains(fresh));
          } else {
            crowd.possess(fresh, other.contains(fresh));
          }
        }
      }
      if (step % 20 == 0) {
        NodeState kept = new NodeState();
        crowd.present(kept, node, 0xff);
        NodeState summed = new NodeState();
        summed.present(node, 0xff, sorted(held), sorted(possessed), clock);
        assertThat(numbers(kept)).as("seed " + seed + " step " + step).isEqualTo(numbers(summed));
        crowd.forGood(kept, node, 0xff);
        summed.forGood(node, 0xff, sorted(held), clock);
        assertThat(numbers(kept)).as("seed " + seed + " step " + step).isEqualTo(numbers(summed));
      }
    }
  }

  private static Held[] sorted(List<Held> all) {
    Held[] sorted = all.toArray(new Held[0]);
    Arrays.sort(sorted, Held.ORDER);
    return sorted;
  }

  private static List<Object> numbers(NodeState state) {
    return List.of(
        state.whole,
        state.milli,
        state.share,
        state.partial,
        state.holes,
        state.closed,
        state.cpu,
        state.memory,
        state.plans);
  }
}
