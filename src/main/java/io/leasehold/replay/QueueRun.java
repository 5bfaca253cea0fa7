package io.leasehold.replay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Simulated time: jobs come, start as a policy says, and end; until all of them are over. Nobody is
 * preempted, since no policy here may: every job runs to its end.
 */
final class QueueRun {

  /** A job that has its GPUs from an instant. */
  record Run(Job job, long start) {
    long end() {
      return start + job.duration();
    }

    long waited() {
      return start - job.arrival();
    }
  }

  private final Overlay overlay;
  private final Queueing queueing;
  private final List<Run> runs = new ArrayList<>();
  private final PriorityQueue<Run> running =
      new PriorityQueue<>(Comparator.comparingLong(Run::end).thenComparing(run -> run.job().id()));
  private int free;
  private int arrivals;

  QueueRun(Overlay overlay, Queueing queueing) {
    this.overlay = overlay;
    this.queueing = queueing;
    this.free = overlay.gpus();
  }

  Figures run(Progress progress) {
    long began = System.nanoTime();
    long rounds = 0;
    for (long now = next(); now != Queueing.NEVER; now = next()) {
      step(now);
      rounds++;
      progress.at(runs.size(), overlay.jobs().size());
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    Figures figures = Waits.figures(overlay, runs).put("preemptions", 0).put("workLostGpuHours", 0);
    figures.put("fairDistanceGpuHours", FluidShare.distanceGpuHours(overlay, runs), 1);
    return figures
        .put("gpus", overlay.gpus())
        .put("jobs", overlay.jobs().size())
        .put("decisionsPerSecond", (rounds + overlay.jobs().size()) / seconds, 0);
  }

  /** In order of their starts. */
  List<Run> runs() {
    return List.copyOf(runs);
  }

  private long next() {
    long next = queueing.nextLook();
    if (!running.isEmpty()) {
      next = Math.min(next, running.element().end());
    }
    if (arrivals < overlay.jobs().size()) {
      next = Math.min(next, overlay.jobs().get(arrivals).arrival());
    }
    return runs.size() == overlay.jobs().size() && running.isEmpty() ? Queueing.NEVER : next;
  }

  private void step(long now) {
    List<Job> ended = new ArrayList<>();
    while (!running.isEmpty() && running.element().end() <= now) {
      Job job = running.remove().job();
      free += job.gpus();
      ended.add(job);
    }
    int from = arrivals;
    while (arrivals < overlay.jobs().size() && overlay.jobs().get(arrivals).arrival() <= now) {
      arrivals++;
    }
    List<Job> arrived = overlay.jobs().subList(from, arrivals);
    for (Job job : queueing.starts(now, free, ended, arrived)) {
      free -= job.gpus();
      Run run = new Run(job, now);
      runs.add(run);
      running.add(run);
    }
    if (free < 0) {
      throw new IllegalStateException(
          "at " + now + " s more GPUs are taken than there are: " + free);
    }
  }
}
