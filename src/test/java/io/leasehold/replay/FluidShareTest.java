package io.leasehold.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FluidShareTest {

  private static final long DAY = 86_400;
  private static final double HOUR = 3_600;
  private static final int GPUS = 8;

  private static Job job(int id, String vc, long arrival, int gpus, long duration) {
    return new Job(id, vc, arrival, gpus, duration);
  }

  private static double ideal(Overlay overlay, String vc, double instant) {
    Map<String, FluidShare.Curve> curves = FluidShare.ideal(overlay);
    return curves.get(vc).at(instant);
  }

  private static QueueRun.Run run(Job job, long start) {
    return new QueueRun.Run(job, start);
  }

  @Test
  void twoThatWantAllGetHalfEach() {
    Overlay overlay = new Overlay(List.of(job(0, "a", 0, 8, DAY), job(1, "b", 0, 8, DAY)), GPUS);
    assertThat(ideal(overlay, "a", HOUR)).isCloseTo(4 * HOUR, within(1e-3));
    assertThat(ideal(overlay, "b", 2 * DAY)).isCloseTo(8.0 * DAY, within(1e-3));
  }

  @Test
  void whatOneLeavesTheOthersGet() {
    Overlay overlay = new Overlay(List.of(job(0, "a", 0, 1, DAY), job(1, "b", 0, 8, DAY)), GPUS);
    assertThat(ideal(overlay, "a", HOUR)).isCloseTo(HOUR, within(1e-3));
    assertThat(ideal(overlay, "b", HOUR)).isCloseTo(7 * HOUR, within(1e-3));
  }

  @Test
  void noJobFlowsWiderThanItsGang() {
    Overlay overlay = new Overlay(List.of(job(0, "a", 0, 2, DAY)), GPUS);
    assertThat(ideal(overlay, "a", HOUR)).isCloseTo(2 * HOUR, within(1e-3));
    assertThat(ideal(overlay, "a", 28 * DAY)).isCloseTo(2.0 * DAY, within(1e-3));
  }

  @Test
  void whoStartsAtOnceWhereThereIsRoomForAllIsNotBehind() {
    Job a = job(0, "a", 0, 4, DAY);
    Job b = job(1, "b", DAY, 4, DAY);
    Overlay overlay = new Overlay(List.of(a, b), GPUS);
    double distance = FluidShare.distanceGpuHours(overlay, List.of(run(a, 0), run(b, DAY)));
    assertThat(distance).isCloseTo(0, within(1e-6));
  }

  /**
   * Two days of eight GPUs, a first: b falls behind by 4 GPUs a day for one day and catches up the
   * next. The area is a triangle of 96 GPU-hours in height and two days in width.
   */
  @Test
  void whoWaitsForItsShareIsBehindByWhatItWouldHaveGot() {
    Job a = job(0, "a", 0, 8, DAY);
    Job b = job(1, "b", 0, 8, DAY);
    Overlay overlay = new Overlay(List.of(a, b), GPUS);
    double distance = FluidShare.distanceGpuHours(overlay, List.of(run(a, 0), run(b, DAY)));
    assertThat(distance).isCloseTo(96.0 * 2 / 2 / 28, within(1e-6));
  }

  @Test
  void whoNeverStartsIsBehindToTheEnd() {
    Job a = job(0, "a", 0, 8, DAY);
    Overlay overlay = new Overlay(List.of(a), GPUS);
    double distance = FluidShare.distanceGpuHours(overlay, List.of());
    assertThat(distance).isCloseTo(192.0 * 27.5 / 28, within(1e-6));
  }
}
