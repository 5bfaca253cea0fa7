package io.leasehold.replay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * EASY backfill (Lifka, 1995): in order of arrival; who comes later may start before the first that
 * does not fit only if that one is not delayed, since it is over by then or takes GPUs that the
 * first leaves free.
 */
final class Easy implements Queueing {

  /** When the first can start at the latest, and how many GPUs it leaves free then. */
  private record Shadow(long start, int extra) {}

  private record Running(Job job, long end) {}

  private final Deque<Job> line = new ArrayDeque<>();
  private final List<Running> running = new ArrayList<>();

  @Override
  public List<Job> starts(long now, int free, List<Job> ended, List<Job> arrived) {
    Set<Job> over = new HashSet<>(ended);
    running.removeIf(each -> over.contains(each.job()));
    line.addAll(arrived);
    List<Job> starts = new ArrayList<>();
    int left = free;
    while (!line.isEmpty() && line.element().gpus() <= left) {
      left -= line.element().gpus();
      start(line.remove(), now, starts);
    }
    if (!line.isEmpty()) {
      backfill(now, left, starts);
    }
    return starts;
  }

  private void backfill(long now, int free, List<Job> starts) {
    Shadow shadow = shadow(line.element(), free);
    int left = free;
    int extra = shadow.extra();
    Iterator<Job> rest = line.iterator();
    rest.next();
    while (rest.hasNext() && left > 0) {
      Job job = rest.next();
      boolean isOverByThen = now + job.duration() <= shadow.start();
      if (job.gpus() <= left && (isOverByThen || job.gpus() <= extra)) {
        left -= job.gpus();
        extra -= isOverByThen ? 0 : job.gpus();
        start(job, now, starts);
        rest.remove();
      }
    }
  }

  private void start(Job job, long now, List<Job> starts) {
    starts.add(job);
    running.add(new Running(job, now + job.duration()));
  }

  private Shadow shadow(Job first, int free) {
    running.sort(Comparator.comparingLong(Running::end));
    int then = free;
    long start = 0;
    for (Running each : running) {
      if (then >= first.gpus() && each.end() > start) {
        break;
      }
      then += each.job().gpus();
      start = each.end();
    }
    return new Shadow(start, then - first.gpus());
  }
}
