package io.leasehold.engine;

import java.util.List;
import java.util.Random;

/** Classes of service for random pools: how they treat those who ask, and whom they spare. */
final class RandomClasses {

  private static final Disruption.Quiet NIGHT =
      new Disruption.Quiet(22 * 60, 6 * 60 + 30, "Europe/Berlin");

  private RandomClasses() {}

  static List<ServiceClass> all(Random random) {
    ServiceClass realtime = Story.serviceClass("realtime", 1000, false, true);
    return List.of(realtime, interactive(random), batch(random), spare());
  }

  /**
   * Batch runs for a while, is told before, or is spared for a while, or at some hours; now and
   * then it takes longer to withdraw, or no time.
   */
  static ServiceClass batch(Random random) {
    long[] grace = {0, 30 * Time.SECOND, 30 * Time.SECOND, 10 * Time.MINUTE};
    ServiceClass batch = gone(grace[random.nextInt(grace.length)]);
    return switch (random.nextInt(6)) {
      case 0 -> Story.runningFor(10 * Time.MINUTE, batch);
      case 1 -> Story.noticed(2 * Time.MINUTE, null, batch);
      case 2 -> Story.noticed(0, new Disruption(2, 3 * Time.HOUR, List.of()), batch);
      case 3 -> Story.noticed(Time.MINUTE, new Disruption(1, Time.HOUR, List.of(NIGHT)), batch);
      default -> batch;
    };
  }

  private static ServiceClass gone(long grace) {
    ServiceClass batch = Story.serviceClass("batch", 100, true, false);
    return new ServiceClass(
        batch.slug(),
        batch.priority(),
        batch.mayPreempt(),
        batch.mayBePreempted(),
        batch.mayBeOpenEnded(),
        0,
        0,
        grace,
        batch.withdrawAllowance(),
        batch.agingAfter(),
        batch.longestDuration(),
        batch.horizon());
  }

  private static ServiceClass spare() {
    return Story.serviceClass("spare", 0, true, false);
  }

  /** May take, and be taken from; in some pools its devices are prepared first. */
  private static ServiceClass interactive(Random random) {
    return new ServiceClass(
        "interactive",
        500,
        true,
        true,
        true,
        0,
        random.nextInt(3) == 0 ? 2 * Time.MINUTE : 0,
        30 * Time.SECOND,
        60 * Time.SECOND,
        Time.HOUR,
        366 * Time.DAY,
        90 * Time.DAY);
  }
}
