package io.leasehold.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who starts when, by hand on four GPUs, and what holds for every policy whatever comes. */
class QueueingTest {

  private static final int HOUR = 3_600;

  private final List<Job> jobs = new ArrayList<>();

  /** Instants and times in hours. */
  private void job(String vc, int arrival, int gpus, int duration) {
    jobs.add(new Job(jobs.size(), vc, (long) arrival * HOUR, gpus, (long) duration * HOUR));
  }

  private static Figures figures(Overlay overlay, Queueing queueing) {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    return new QueueRun(overlay, queueing).run(new Progress(nowhere));
  }

  private static List<Long> starts(Overlay overlay, Queueing queueing) {
    QueueRun run = new QueueRun(overlay, queueing);
    run.run(new Progress(new PrintStream(OutputStream.nullOutputStream())));
    return run.runs().stream()
        .sorted((a, b) -> a.job().id() - b.job().id())
        .map(QueueRun.Run::start)
        .toList();
  }

  private List<Long> hours(Queueing queueing) {
    return starts(overlay(), queueing).stream().map(start -> start / HOUR).toList();
  }

  private Overlay overlay() {
    return new Overlay(jobs, 4);
  }

  private EngineQueue ours() {
    return new EngineQueue(overlay(), EngineQueue.Contracts.NONE);
  }

  /** Three of four GPUs are taken until 10; a gang of four waits; then come short and long ones. */
  private void aGangBehindALongJob() {
    job("a", 0, 3, 10);
    job("a", 1, 4, 2);
    job("b", 2, 1, 20);
    job("b", 3, 1, 5);
    job("b", 3, 1, 3);
  }

  @Test
  void firstComeFirstServedHoldsUpAllBehindAGang() {
    aGangBehindALongJob();
    assertThat(hours(new Lines.Fifo())).containsExactly(0L, 10L, 12L, 12L, 12L);
  }

  @Test
  void greedyLetsTheGangWaitForWhoeverFits() {
    aGangBehindALongJob();
    assertThat(hours(new Lines.Greedy())).containsExactly(0L, 22L, 2L, 10L, 10L);
  }

  @Test
  void easyFillsTheGapInOrderOfArrivalWithoutDelayToTheFirst() {
    aGangBehindALongJob();
    assertThat(hours(new Easy())).containsExactly(0L, 10L, 12L, 3L, 12L);
  }

  @Test
  void oursFillsTheGapWithTheShortest() {
    aGangBehindALongJob();
    assertThat(hours(ours())).containsExactly(0L, 10L, 12L, 12L, 3L);
  }

  @Test
  void easyFillsForLongerWhatTheFirstLeavesFree() {
    job("a", 0, 3, 10);
    job("a", 1, 3, 2);
    job("b", 2, 1, 20);
    assertThat(hours(new Easy())).containsExactly(0L, 10L, 2L);
  }

  @Test
  void roundRobinGoesFromTeamToTeam() {
    job("a", 0, 4, 1);
    job("a", 0, 4, 1);
    job("a", 0, 4, 1);
    job("b", 0, 4, 1);
    job("c", 0, 4, 1);
    assertThat(hours(new Lines.RoundRobin())).containsExactly(0L, 3L, 4L, 1L, 2L);
  }

  @Test
  void equalWeightsLetASecondTeamInBeforeTheFirstsBacklog() {
    for (int i = 0; i < 12; i++) {
      job("a", 0, 2, 1);
    }
    job("b", 0, 2, 1);
    EngineQueue weighted = new EngineQueue(overlay(), EngineQueue.Contracts.EQUAL_WEIGHTS);
    assertThat(hours(weighted).getLast()).isZero();
    assertThat(hours(ours()).getLast()).isEqualTo(6);
  }

  @Test
  void figuresCountWaitsOfAllAndOfGangs() {
    aGangBehindALongJob();
    Figures figures = figures(overlay(), new Lines.Fifo());
    assertThat(figures.get("meanWaitMinutes")).isCloseTo(60 * (9 + 10 + 9 + 9) / 5.0, within(0.1));
    assertThat(figures.get("longestGangWaitHours")).isEqualTo(9);
    assertThat(figures.get("longestWaitHours")).isEqualTo(10);
    assertThat(figures.get("waitingMinutes.byTenant.a.p50")).isZero();
    assertThat(figures.get("waitingMinutes.byTenant.b.p99")).isEqualTo(600);
    assertThat(figures.get("waitingMinutes.byClass.batch.p50")).isEqualTo(540);
    assertThat(figures.get("starved")).isZero();
  }

  @Test
  void whoWaitsForMoreThanAWeekIsStarved() {
    job("a", 0, 4, 7 * 24);
    job("a", 0, 4, 1);
    job("a", 0, 4, 1);
    assertThat(figures(overlay(), new Lines.Fifo()).get("starved")).isEqualTo(1);
  }

  /** A tenant may have a thousand waiting; the others ask again, and are served in their order. */
  @Test
  void whoIsSentAwayAsksAgain() {
    for (int i = 0; i < 1_050; i++) {
      job("a", 0, 4, 1);
    }
    assertThat(hours(ours())).hasSize(1_050).isSorted().endsWith(1_049L);
  }

  /** A policy may not give what is not there: seeded crowds of jobs, each started once. */
  @ParameterizedTest
  @ValueSource(strings = {"ours", "ours-weighted", "fifo", "round-robin", "greedy", "easy"})
  void everyJobStartsOnceAndInsideTheFleet(String policy) {
    for (long seed = 1; seed <= 5; seed++) {
      Random random = new Random(seed);
      jobs.clear();
      for (int i = 0; i < 200; i++) {
        job("vc" + random.nextInt(4), i / 3, 1 + random.nextInt(4), 1 + random.nextInt(9));
      }
      List<Long> starts = starts(overlay(), Philly.queueing(policy, overlay()));
      assertThat(starts).as("seed %d", seed).hasSize(200);
      for (int i = 0; i < 200; i++) {
        assertThat(starts.get(i))
            .as("seed %d, job %d", seed, i)
            .isGreaterThanOrEqualTo(i / 3 * HOUR);
      }
    }
  }

  /** EASY's rule, against an independent count: nobody who is first is passed for good. */
  @Test
  void easyNeverDelaysTheFirstBeyondItsFirstPromise() {
    for (long seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      jobs.clear();
      job("a", 0, 4, 1 + random.nextInt(20));
      job("a", 1, 4, 1);
      for (int i = 0; i < 30; i++) {
        job("b", 1, 1 + random.nextInt(4), 1 + random.nextInt(30));
      }
      assertThat(hours(new Easy()).get(1))
          .as("seed %d", seed)
          .isEqualTo(jobs.getFirst().duration() / HOUR);
    }
  }
}
