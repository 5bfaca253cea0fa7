package io.leasehold.replay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The ideal that a policy is measured by: a fleet that flows (generalised processor sharing, Parekh
 * and Gallager 1993). The same jobs come at the same instants; at each instant the GPUs are divided
 * among the virtual clusters with something left to do, to each an equal share (all have the same
 * weight), to none more than its jobs could take; what one leaves is divided among the others.
 * Inside a virtual cluster the oldest jobs flow first, none wider than its gang.
 *
 * <p>The distance: for each virtual cluster, by how many GPU-hours it lies behind what it would
 * have got by then; summed over the virtual clusters, and of that the mean over the four weeks. 0
 * is ideal; no policy with gangs that are never interrupted reaches it.
 */
final class FluidShare {

  private static final double HOUR = 3_600;
  private static final double NOTHING = 1e-6;

  /** A job and the GPU-seconds of it that are left. */
  private static final class Flowing {
    private final Job job;
    private double left;
    private double rate;

    Flowing(Job job) {
      this.job = job;
      this.left = (double) job.gpus() * job.duration();
    }
  }

  /** What one virtual cluster got: GPU-seconds at the instants at which its rate changed. */
  static final class Curve {
    private final TreeMap<Double, Double> points = new TreeMap<>(Map.of(0.0, 0.0));

    private void add(double instant, double got) {
      points.put(instant, got);
    }

    NavigableSet<Double> instants() {
      return points.navigableKeySet();
    }

    double at(double instant) {
      Map.Entry<Double, Double> before = points.floorEntry(instant);
      Map.Entry<Double, Double> after = points.higherEntry(instant);
      if (after == null) {
        return before.getValue();
      }
      double part = (instant - before.getKey()) / (after.getKey() - before.getKey());
      return before.getValue() + part * (after.getValue() - before.getValue());
    }
  }

  private final Map<String, Deque<Flowing>> lines = new TreeMap<>();
  private final Map<String, Double> got = new TreeMap<>();
  private final Map<String, Curve> curves = new TreeMap<>();
  private final int gpus;
  private double now;

  private FluidShare(int gpus) {
    this.gpus = gpus;
  }

  static double distanceGpuHours(Overlay overlay, List<QueueRun.Run> runs) {
    Map<String, Curve> ideal = ideal(overlay);
    Map<String, Curve> real = real(runs);
    double behind = 0;
    for (Map.Entry<String, Curve> each : ideal.entrySet()) {
      behind += behind(each.getValue(), real.getOrDefault(each.getKey(), new Curve()));
    }
    return behind / Overlay.LENGTH / HOUR;
  }

  /** What each got of the fleet that flows. */
  static Map<String, Curve> ideal(Overlay overlay) {
    FluidShare share = new FluidShare(overlay.gpus());
    for (Job job : overlay.jobs()) {
      share.flowUntil(job.arrival());
      share.add(job);
    }
    share.flowUntil(Overlay.LENGTH);
    return share.curves;
  }

  private void add(Job job) {
    if (got.putIfAbsent(job.vc(), 0.0) == null) {
      Curve curve = new Curve();
      curve.add(job.arrival(), 0);
      curves.put(job.vc(), curve);
      lines.put(job.vc(), new ArrayDeque<>());
    }
    lines.get(job.vc()).add(new Flowing(job));
  }

  private void flowUntil(double instant) {
    while (now < instant) {
      divide();
      double step = instant - now;
      for (Deque<Flowing> line : lines.values()) {
        for (Flowing each : line) {
          if (each.rate > 0) {
            step = Math.min(step, each.left / each.rate);
          }
        }
      }
      now = step == instant - now ? instant : now + step;
      flow(step);
    }
  }

  private void flow(double step) {
    lines.forEach(
        (vc, line) -> {
          for (Flowing each : line) {
            each.left -= each.rate * step;
            got.merge(vc, each.rate * step, Double::sum);
          }
          line.removeIf(each -> each.left <= NOTHING);
          curves.get(vc).add(now, got.get(vc));
        });
  }

  /** Water is filled in from the one that needs least. */
  private void divide() {
    List<Map.Entry<String, Integer>> wants = new ArrayList<>();
    lines.forEach((vc, line) -> wants.add(Map.entry(vc, wanted(line))));
    wants.sort(Map.Entry.comparingByValue());
    double left = gpus;
    int others = wants.size();
    for (Map.Entry<String, Integer> want : wants) {
      double given = Math.min(want.getValue(), left / others);
      left -= given;
      others--;
      pour(lines.get(want.getKey()), given);
    }
  }

  private static int wanted(Deque<Flowing> line) {
    return line.stream().mapToInt(each -> each.job.gpus()).sum();
  }

  private static void pour(Deque<Flowing> line, double given) {
    double left = given;
    for (Flowing each : line) {
      each.rate = Math.min(each.job.gpus(), left);
      left -= each.rate;
    }
  }

  private static Map<String, Curve> real(List<QueueRun.Run> runs) {
    Map<String, TreeMap<Long, Integer>> changes = new TreeMap<>();
    for (QueueRun.Run run : runs) {
      TreeMap<Long, Integer> of = changes.computeIfAbsent(run.job().vc(), _ -> new TreeMap<>());
      of.merge(run.start(), run.job().gpus(), Integer::sum);
      of.merge(run.end(), -run.job().gpus(), Integer::sum);
    }
    Map<String, Curve> curves = new TreeMap<>();
    changes.forEach((vc, of) -> curves.put(vc, curve(of)));
    return curves;
  }

  private static Curve curve(TreeMap<Long, Integer> changes) {
    Curve curve = new Curve();
    long last = 0;
    double got = 0;
    int rate = 0;
    for (Map.Entry<Long, Integer> change : changes.entrySet()) {
      got += (double) rate * (change.getKey() - last);
      last = change.getKey();
      rate += change.getValue();
      curve.add(last, got);
    }
    return curve;
  }

  /** The area between two curves where the real one is below; both are straight between points. */
  private static double behind(Curve ideal, Curve real) {
    TreeSet<Double> instants = new TreeSet<>(ideal.instants());
    instants.addAll(real.instants().headSet((double) Overlay.LENGTH, true));
    instants.add((double) Overlay.LENGTH);
    double area = 0;
    double from = 0;
    double gap = 0;
    for (double to : instants) {
      double next = ideal.at(to) - real.at(to);
      area += below(gap, next) * (to - from);
      from = to;
      gap = next;
    }
    return area;
  }

  /** The mean of what is above 0 on a straight way from one height to another. */
  private static double below(double from, double to) {
    if (from >= 0 && to >= 0) {
      return (from + to) / 2;
    }
    double most = Math.max(from, to);
    return most <= 0 ? 0 : most / 2 * (most / Math.abs(from - to));
  }
}
