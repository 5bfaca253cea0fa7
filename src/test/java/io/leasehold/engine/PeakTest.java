package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The most in use, held against a look at every instant. */
class PeakTest {

  private static Held held(int id, long start, long end, int gpu) {
    Booking.Slot slot =
        new Booking.Slot(
            0, new UUID(7, 0), Mode.WHOLE, Units.ofGpus(1L << gpu), List.of(), 0, 0, 0);
    return Held.of(new UUID(1, id), new Span(start, end), slot);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void isWhatSomeInstantUses(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      Held[] held = new Held[random.nextInt(9)];
      for (int i = 0; i < held.length; i++) {
        long start = random.nextInt(30);
        held[i] = held(i, start, start + 1 + random.nextInt(15), i);
      }
      Arrays.sort(held, Held.ORDER);
      Held[] possessed = new Held[] {held(99, random.nextInt(10), 10 + random.nextInt(5), 20)};
      long from = random.nextInt(30);
      Over over = new Over(from, from + 1 + random.nextInt(15), random.nextBoolean(), false);
      long expected = use(held, from) + (over.due() ? possessed[0].milli() : 0);
      for (long at = from; at < over.end(); at++) {
        expected = Math.max(expected, use(held, at));
      }
      assertThat(Peak.of(held, possessed, over, Held::milli))
          .as("seed %d round %d", seed, round)
          .isEqualTo(expected);
      assertThat(Peak.of(held, possessed, Over.emptyFleet(), Held::milli)).isZero();
    }
  }

  private static long use(Held[] held, long instant) {
    return Arrays.stream(held).filter(each -> each.contains(instant)).mapToLong(Held::milli).sum();
  }
}
