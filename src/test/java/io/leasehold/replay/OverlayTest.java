package io.leasehold.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OverlayTest {

  private static final long DAY = 86_400;

  /** One job of two GPUs for a day on each of so many days. */
  private static List<Job> daily(String vc, int days) {
    List<Job> jobs = new ArrayList<>();
    for (int day = 0; day < days; day++) {
      jobs.add(new Job(0, vc, day * DAY, 2, DAY));
    }
    return jobs;
  }

  @Test
  void takesTheFirstFourWeeksOfEachTeamInOrderOfArrival() {
    List<Job> recorded = daily("a", 40);
    recorded.addAll(daily("b", 3));
    Overlay overlay = Overlay.of(recorded, Overlay.Weeks.FIRST, 0.9, 1);
    assertThat(overlay.jobs()).hasSize(28 + 3);
    assertThat(overlay.jobs()).extracting(Job::id).first().isEqualTo(0);
    assertThat(overlay.jobs())
        .isSortedAccordingTo((a, b) -> Long.compare(a.arrival(), b.arrival()));
    assertThat(overlay.jobs()).extracting(Job::arrival).last().isEqualTo(27 * DAY);
  }

  @Test
  void theFleetIsAsLargeAsTheLoadMakesIt() {
    assertThat(Overlay.of(daily("a", 28), Overlay.Weeks.FIRST, 1.0, 1).gpus()).isEqualTo(2);
    assertThat(Overlay.of(daily("a", 28), Overlay.Weeks.FIRST, 0.5, 1).gpus()).isEqualTo(4);
    assertThat(Overlay.of(daily("a", 28), Overlay.Weeks.FIRST, 0.9, 1).gpus()).isEqualTo(3);
  }

  @Test
  void theFleetHoldsTheLargestGang() {
    List<Job> one = List.of(new Job(0, "a", 0, 64, 60));
    assertThat(Overlay.of(one, Overlay.Weeks.FIRST, 0.9, 1).gpus()).isEqualTo(64);
  }

  @Test
  void nobodyRunsForLongerThanAWeek() {
    List<Job> one = List.of(new Job(0, "a", 0, 1, 90 * DAY));
    assertThat(Overlay.of(one, Overlay.Weeks.FIRST, 0.9, 1).jobs().getFirst().duration())
        .isEqualTo(7 * DAY);
  }

  @Test
  void drawnWeeksBeginWhereTheSeedSays() {
    List<Job> recorded = daily("a", 100);
    Overlay one = Overlay.of(recorded, Overlay.Weeks.DRAWN, 0.9, 1);
    Overlay other = Overlay.of(recorded, Overlay.Weeks.DRAWN, 0.9, 2);
    assertThat(Overlay.of(recorded, Overlay.Weeks.DRAWN, 0.9, 1)).isEqualTo(one);
    assertThat(other).isNotEqualTo(one);
    assertThat(one.jobs()).hasSize(28).allMatch(job -> job.arrival() < 28 * DAY);
  }

  @Test
  void theSeedDrawsWhoIsFirstOfThoseThatComeAtOnce() {
    List<Job> recorded = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      recorded.add(new Job(0, "vc" + i, 0, 1, 60));
    }
    List<Job> one = Overlay.of(recorded, Overlay.Weeks.FIRST, 0.9, 1).jobs();
    assertThat(Overlay.of(recorded, Overlay.Weeks.FIRST, 0.9, 2).jobs()).isNotEqualTo(one);
    assertThat(one).extracting(Job::vc).doesNotHaveDuplicates().hasSize(20);
  }
}
