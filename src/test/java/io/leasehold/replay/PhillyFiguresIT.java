package io.leasehold.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The published figures of the comparison policies, and our own bars, on the Philly jobs. Where
 * they are not at hand ({@code -Ddata=directory}, else {@code ../shared/data}), nothing is tested.
 * The published figures are those of the ten virtual clusters at hand (engine rule 8).
 */
class PhillyFiguresIT {

  private static final Path JOBS =
      Path.of(System.getProperty("data", "../shared/data"), "philly", "philly_vc_jobs.csv");

  private final Progress silent = new Progress(new PrintStream(OutputStream.nullOutputStream()));

  @BeforeAll
  static void needsTheData() {
    assumeTrue(Files.exists(JOBS), () -> "no " + JOBS);
  }

  private Figures replay(String policy, long seed) {
    List<String> args = List.of("--jobs", JOBS.toString());
    return Philly.of(new Options(args), new LinkedHashMap<>()).replay(policy, seed, silent);
  }

  @Test
  void easyWaitsAsPublished() {
    Figures easy = replay("easy", 42);
    assertThat(easy.get("meanWaitMinutes")).isCloseTo(625, withinPercentage(3));
    assertThat(easy.get("longestGangWaitHours")).isCloseTo(63, withinPercentage(3));
    assertThat(easy.get("starved")).isZero();
  }

  @Test
  void theOthersStandToEasyAsPublished() {
    Figures easy = replay("easy", 42);
    Figures fifo = replay("fifo", 42);
    Figures greedy = replay("greedy", 42);
    assertThat(fifo.get("meanWaitMinutes")).isGreaterThan(easy.get("meanWaitMinutes"));
    assertThat(fifo.get("longestGangWaitHours"))
        .isCloseTo(easy.get("longestGangWaitHours"), withinPercentage(3));
    assertThat(greedy.get("meanWaitMinutes")).isLessThan(easy.get("meanWaitMinutes"));
    assertThat(greedy.get("longestGangWaitHours"))
        .isGreaterThan(2 * easy.get("longestGangWaitHours"));
  }

  /**
   * Means of three seeds: on a single overlay the longest gang wait is above or below by chance.
   */
  @Test
  void oursWaitsLessThanEasyAndItsGangsNoLonger() {
    Figures ours = mean("ours");
    Figures easy = mean("easy");
    assertThat(ours.get("meanWaitMinutes")).isLessThan(0.97 * easy.get("meanWaitMinutes"));
    assertThat(ours.get("longestGangWaitHours"))
        .isLessThanOrEqualTo(easy.get("longestGangWaitHours"));
    assertThat(ours.get("starved")).isZero();
  }

  private Figures mean(String policy) {
    return Figures.mean(LongStream.of(42, 43, 44).mapToObj(seed -> replay(policy, seed)).toList());
  }

  @Test
  void weightsBringTheTeamsNearerToTheirShares() {
    Figures weighted = replay("ours-weighted", 42);
    assertThat(weighted.get("fairDistanceGpuHours"))
        .isLessThan(replay("ours", 42).get("fairDistanceGpuHours"))
        .isLessThan(replay("easy", 42).get("fairDistanceGpuHours"))
        .isLessThan(replay("fifo", 42).get("fairDistanceGpuHours"));
    assertThat(weighted.get("starved")).isZero();
  }
}
