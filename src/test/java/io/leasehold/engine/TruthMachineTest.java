package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever happens to a pool, a plain second opinion agrees with the engine's book after each step.
 * A history that does not is cut down to the fewest steps that still fail before it is shown.
 */
class TruthMachineTest {

  private static final int STEPS = 150;

  /** More with {@code -Dseeds=1000}; by hand {@link #main}. */
  static LongStream seeds() {
    return LongStream.rangeClosed(1, Long.getLong("seeds", 20));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aSecondOpinionAgrees(long seed) {
    assertThat(shortestFailure(seed)).isEmpty();
  }

  @Test
  void aFailingHistoryIsCutDownToTheStepsThatMatter() {
    List<Integer> steps = LongStream.range(0, 100).mapToObj(i -> (int) i).toList();
    Function<List<Integer>, String> failsWithBoth =
        some -> some.contains(17) && some.contains(61) ? "fails" : "";
    assertThat(shrunk(steps, failsWithBoth)).containsExactly(17, 61);
  }

  private static String shortestFailure(long seed) {
    List<RandomPool.Step> steps = RandomPool.steps(seed, STEPS);
    if (failure(seed, steps).isEmpty()) {
      return "";
    }
    List<RandomPool.Step> fewest = shrunk(steps, some -> failure(seed, some));
    return "seed " + seed + ", steps " + fewest + ": " + failure(seed, fewest);
  }

  /** The first fault of a history; empty if it has none. */
  static String failure(long seed, List<RandomPool.Step> steps) {
    RandomPool pool = new RandomPool(seed);
    for (int i = 0; i < steps.size(); i++) {
      try {
        List<String> faults = pool.take(steps.get(i));
        if (!faults.isEmpty()) {
          return "step " + i + ": " + faults;
        }
      } catch (RuntimeException | AssertionError e) {
        return "step "
            + i
            + ": "
            + e
            + " at "
            + List.of(e.getStackTrace()).subList(0, Math.min(5, e.getStackTrace().length));
      }
    }
    return "";
  }

  /** Leaves out ever smaller parts for as long as it still fails. */
  static <T> List<T> shrunk(List<T> steps, Function<List<T>, String> failure) {
    List<T> left = new ArrayList<>(steps);
    for (int part = Math.max(1, left.size() / 2); part >= 1; part /= 2) {
      for (int from = 0; from < left.size(); ) {
        List<T> without = new ArrayList<>(left.subList(0, from));
        without.addAll(left.subList(Math.min(left.size(), from + part), left.size()));
        if (failure.apply(without).isEmpty()) {
          from += part;
        } else {
          left = without;
        }
      }
    }
    return left;
  }

  /**
   * So many histories, from a seed on: {@code 1 5000}. Prints their pace and every failure; told
   * {@code explain 17}, what happens in the shortest failure of a seed; told {@code until 1}, after
   * how many histories from a seed on the first one fails.
   */
  public static void main(String[] args) {
    if (args[0].equals("explain")) {
      explain(Long.parseLong(args[1]));
      return;
    }
    if (args[0].equals("until")) {
      until(Long.parseLong(args[1]));
      return;
    }
    long first = Long.parseLong(args[0]);
    long count = Long.parseLong(args[1]);
    long cpu = cpu();
    long started = System.nanoTime();
    long failed =
        LongStream.range(first, first + count)
            .parallel()
            .mapToObj(TruthMachineTest::shortestFailure)
            .filter(failure -> !failure.isEmpty())
            .peek(System.out::println)
            .count();
    double minutes = (System.nanoTime() - started) / 60e9;
    double cpuMinutes = (cpu() - cpu) / 60e9;
    System.out.printf(
        "%d histories of %d steps, %.0f a minute, %.0f a minute of processor time, %d failed%n",
        count, STEPS, count / minutes, count / cpuMinutes, failed);
  }

  /** Of the whole process: compiling and collecting garbage included. */
  private static long cpu() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static void until(long first) {
    String failure = "";
    long seed = first;
    for (; failure.isEmpty(); seed++) {
      failure = failure(seed, RandomPool.steps(seed, STEPS));
    }
    System.out.println("after " + (seed - first) + " histories: " + failure);
  }

  private static void explain(long seed) {
    List<RandomPool.Step> steps = RandomPool.steps(seed, STEPS);
    if (failure(seed, steps).isEmpty()) {
      System.out.println("seed " + seed + " is well");
      return;
    }
    RandomPool pool = new RandomPool(seed);
    for (RandomPool.Step step : shrunk(steps, some -> failure(seed, some))) {
      List<String> faults = pool.take(step);
      System.out.println(pool.told());
      System.out.println(faults);
    }
  }
}
