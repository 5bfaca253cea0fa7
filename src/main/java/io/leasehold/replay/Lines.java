package io.leasehold.replay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The policies beside ours that know nothing of how long a job takes. */
final class Lines {

  private Lines() {}

  /** In order of arrival; who does not fit holds up all after it. */
  static final class Fifo implements Queueing {
    private final Queue<Job> line = new ArrayDeque<>();

    @Override
    public List<Job> starts(long now, int free, List<Job> ended, List<Job> arrived) {
      line.addAll(arrived);
      List<Job> starts = new ArrayList<>();
      int left = free;
      while (!line.isEmpty() && line.element().gpus() <= left) {
        left -= line.element().gpus();
        starts.add(line.remove());
      }
      return starts;
    }
  }

  /** In order of arrival; who does not fit is passed over. */
  static final class Greedy implements Queueing {
    private final List<Job> line = new ArrayList<>();

    @Override
    public List<Job> starts(long now, int free, List<Job> ended, List<Job> arrived) {
      line.addAll(arrived);
      List<Job> starts = new ArrayList<>();
      int left = free;
      for (Iterator<Job> each = line.iterator(); each.hasNext() && left > 0; ) {
        Job job = each.next();
        if (job.gpus() <= left) {
          left -= job.gpus();
          starts.add(job);
          each.remove();
        }
      }
      return starts;
    }
  }

  /**
   * The virtual clusters in turn, of each the oldest; whose oldest does not fit is passed over.
   * Goes on with the one after who started last.
   */
  static final class RoundRobin implements Queueing {
    private final TreeMap<String, Queue<Job>> lines = new TreeMap<>();
    private String last = "";

    @Override
    public List<Job> starts(long now, int free, List<Job> ended, List<Job> arrived) {
      arrived.forEach(job -> lines.computeIfAbsent(job.vc(), _ -> new ArrayDeque<>()).add(job));
      List<Job> starts = new ArrayList<>();
      int left = free;
      for (Job job = next(left); job != null; job = next(left)) {
        left -= job.gpus();
        starts.add(job);
      }
      return starts;
    }

    private @Nullable Job next(int free) {
      List<Map.Entry<String, Queue<Job>>> turns =
          new ArrayList<>(lines.tailMap(last, false).entrySet());
      turns.addAll(lines.headMap(last, true).entrySet());
      for (Map.Entry<String, Queue<Job>> turn : turns) {
        Job oldest = turn.getValue().peek();
        if (oldest != null && oldest.gpus() <= free) {
          last = turn.getKey();
          return turn.getValue().remove();
        }
      }
      return null;
    }
  }
}
