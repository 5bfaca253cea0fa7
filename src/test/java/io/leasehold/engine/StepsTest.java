package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers over time, held against a look at every single instant. */
class StepsTest {

  private static final int LENGTH = 120;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void isWhatEachInstantSays(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 50; round++) {
      long[] one = values(random);
      long[] other = values(random);
      String why = "seed " + seed + " round " + round;
      same(why, steps(one), instant -> one[(int) instant - 7]);
      same(
          why,
          steps(one).with(steps(other), Math::min),
          instant -> Math.min(one[(int) instant - 7], other[(int) instant - 7]));
      int width = 1 + random.nextInt(30);
      same(why, steps(one).inSlots(width, Math::min), at -> slot(one, at, width, Math::min));
      same(why, steps(one).inSlots(width, Math::max), at -> slot(one, at, width, Math::max));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void findsTheFirstInstantAtWhichThereIsEnough(long seed) {
    Random random = new Random(seed);
    long[] values = values(random);
    for (long from = 0; from < 9 + LENGTH; from++) {
      for (long enough = 0; enough < 5; enough++) {
        long first = Math.max(7, from);
        while (first < 7 + LENGTH && values[(int) first - 7] < enough) {
          first++;
        }
        assertThat(steps(values).firstAtLeast(from, enough))
            .as("seed %d: %d from %d on", seed, enough, from)
            .isEqualTo(first < 7 + LENGTH ? first : Span.FOREVER);
      }
    }
  }

  /** In slots of whole minutes where there are too many, none wider than it takes. */
  @Test
  void isMergedIntoAsFewAsAreAskedFor() {
    Steps.Builder builder = new Steps.Builder();
    for (int minute = 0; minute < 90; minute++) {
      builder.add(minute * Time.MINUTE + Time.SECOND / 2, minute);
    }
    Steps steps = builder.until(90 * Time.MINUTE);
    assertThat(steps.inAtMost(90, Math::min).size()).isEqualTo(90);
    assertThat(steps.inAtMost(90, Math::min).start(1)).isEqualTo(Time.MINUTE + Time.SECOND);
    Steps merged = steps.inAtMost(46, Math::min);
    assertThat(merged.size()).isEqualTo(45);
    assertThat(merged.start(1)).isEqualTo(2 * Time.MINUTE);
    assertThat(merged.value(1)).as("what it begins with").isEqualTo(1);
    assertThat(steps.inAtMost(45, Math::min).start(1)).isEqualTo(3 * Time.MINUTE);
  }

  private static long slot(long[] values, long instant, int width, LongBinaryOperator operator) {
    long first = Math.max(7, Math.floorDiv(instant, width) * width);
    long value = values[(int) first - 7];
    for (long at = first; at < 7 + LENGTH && Math.floorDiv(at, width) * width <= instant; at++) {
      if (Math.floorDiv(at, width) == Math.floorDiv(instant, width)) {
        value = operator.applyAsLong(value, values[(int) at - 7]);
      }
    }
    return value;
  }

  private static long[] values(Random random) {
    long[] values = new long[LENGTH];
    long value = 0;
    for (int i = 0; i < LENGTH; i++) {
      value = random.nextInt(6) == 0 ? random.nextInt(4) : value;
      values[i] = value;
    }
    return values;
  }

  private static Steps steps(long[] values) {
    Steps.Builder steps = new Steps.Builder();
    for (int i = 0; i < LENGTH; i++) {
      steps.add(7 + i, values[i]);
    }
    return steps.until(7 + LENGTH);
  }

  private static void same(String why, Steps steps, LongUnaryOperator truth) {
    int step = 0;
    for (long instant = 7; instant < 7 + LENGTH; instant++) {
      step += steps.end(step) == instant ? 1 : 0;
      assertThat(steps.value(step))
          .as(why + " at " + instant)
          .isEqualTo(truth.applyAsLong(instant));
    }
    for (int i = 1; i < steps.size(); i++) {
      assertThat(steps.value(i)).as(why + ": neighbours differ").isNotEqualTo(steps.value(i - 1));
    }
  }
}
