package io.leasehold.replay;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** How long jobs waited for their start. */
final class Waits {

  private static final double MINUTE = 60;
  private static final double HOUR = 3_600;

  private Waits() {}

  /** Who never started, or waited for longer than anybody may run, was starved. */
  static Figures figures(Overlay overlay, List<QueueRun.Run> runs) {
    long starved =
        runs.stream().filter(run -> run.waited() > Overlay.LONGEST).count()
            + overlay.jobs().size()
            - runs.size();
    Figures byTenant = new Figures();
    by(runs, run -> run.job().vc()).forEach((vc, of) -> byTenant.put(vc, quantiles(of)));
    return new Figures()
        .put("meanWaitMinutes", mean(runs) / MINUTE, 1)
        .put("longestGangWaitHours", longestOfGangs(runs) / HOUR, 2)
        .put("longestWaitHours", longest(runs) / HOUR, 2)
        .put("starved", starved)
        .put(
            "waitingMinutes",
            new Figures()
                .put("byClass", new Figures().put(EngineQueue.CLASS, quantiles(runs)))
                .put("byTenant", byTenant));
  }

  private static Map<String, List<QueueRun.Run>> by(
      List<QueueRun.Run> runs, Function<QueueRun.Run, String> name) {
    return runs.stream().collect(Collectors.groupingBy(name, TreeMap::new, Collectors.toList()));
  }

  private static double mean(List<QueueRun.Run> runs) {
    return runs.stream().mapToLong(QueueRun.Run::waited).average().orElse(Double.NaN);
  }

  private static double longestOfGangs(List<QueueRun.Run> runs) {
    return longest(runs.stream().filter(run -> run.job().isGang()).toList());
  }

  private static double longest(List<QueueRun.Run> runs) {
    return runs.stream().mapToLong(QueueRun.Run::waited).max().orElse(0);
  }

  private static Figures quantiles(List<QueueRun.Run> runs) {
    long[] sorted = runs.stream().mapToLong(QueueRun.Run::waited).sorted().toArray();
    return new Figures()
        .put("p50", quantile(sorted, 0.50) / MINUTE, 1)
        .put("p99", quantile(sorted, 0.99) / MINUTE, 1);
  }

  /** The smallest that so many are not above. */
  private static double quantile(long[] sorted, double part) {
    return sorted.length == 0
        ? Double.NaN
        : sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)];
  }
}
