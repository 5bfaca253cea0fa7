package io.leasehold.replay;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Gangs of several teams in line for one fleet: who waits, for how long, and how fair that is. */
final class Philly implements Format {

  private static final int MOST_GPUS = 4096;
  private static final long LATEST = 100L * 365 * 86_400;

  private final List<Job> recorded;
  private final Overlay.Weeks weeks;
  private final double load;

  private Philly(List<Job> recorded, Overlay.Weeks weeks, double load) {
    this.recorded = recorded;
    this.weeks = weeks;
    this.load = load;
  }

  static Philly of(Options options, Map<String, Object> head) {
    String weeks = options.choice("weeks", List.of("first", "drawn"));
    double load = options.part("load", 0.9, 10);
    head.put("load", load);
    head.put("weeks", weeks);
    List<Job> jobs = jobs(options.file("jobs"));
    return new Philly(jobs, Overlay.Weeks.valueOf(weeks.toUpperCase(Locale.ROOT)), load);
  }

  /** The recorded jobs; arrivals by the clock of their own virtual cluster. */
  static List<Job> jobs(Path file) {
    return Rows.read(file, List.of("vc", "arrival_s", "gpus", "duration_s"), Philly::job);
  }

  /** Whole seconds: an end is rounded up, and nobody is done in no time. */
  private static Job job(Rows.Row row) {
    if (row.text("vc").isEmpty()) {
      throw row.fault("vc", "is empty");
    }
    int gpus = (int) row.count("gpus", MOST_GPUS);
    long duration = (long) Math.ceil(row.number("duration_s", LATEST));
    if (gpus == 0) {
      throw row.fault("gpus", "is no gang");
    }
    return new Job(
        0,
        row.text("vc"),
        Math.round(row.number("arrival_s", LATEST)),
        gpus,
        Math.max(1, duration));
  }

  @Override
  public List<String> policies() {
    return List.of("ours", "ours-weighted", "fifo", "round-robin", "greedy", "easy");
  }

  @Override
  public Figures replay(String policy, long seed, Progress progress) {
    Overlay overlay = Overlay.of(recorded, weeks, load, seed);
    return new QueueRun(overlay, queueing(policy, overlay)).run(progress);
  }

  static Queueing queueing(String policy, Overlay overlay) {
    return switch (policy) {
      case "ours" -> new EngineQueue(overlay, EngineQueue.Contracts.NONE);
      case "ours-weighted" -> new EngineQueue(overlay, EngineQueue.Contracts.EQUAL_WEIGHTS);
      case "fifo" -> new Lines.Fifo();
      case "round-robin" -> new Lines.RoundRobin();
      case "greedy" -> new Lines.Greedy();
      case "easy" -> new Easy();
      default -> throw new IllegalArgumentException(policy);
    };
  }
}
