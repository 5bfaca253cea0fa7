package io.leasehold.replay;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The command {@code replay}: reads a workload, replays it, prints what it came to. */
public final class Replay {

  private static final String USAGE =
      """
      Usage: replay --format FORMAT FILES [--policy POLICY | --compare] [--seed N | --seed N-M]
                    [--out table|json]

        --format openb --nodes F --pods F [--protocol saturation]
        --format openb --nodes F --pods F --protocol churn [--load 0.95] [--arrivals 200000]
                       [--warmup N]
            policies: ours, random, first-fit, best-fit, fgd
        --format philly --jobs F [--load 0.9] [--weeks first|drawn]
            policies: ours, ours-weighted, fifo, round-robin, greedy, easy

      Several seeds give means. --compare replays all policies. Progress goes to standard error.\
      """;

  private static final List<String> FORMATS = List.of("openb", "philly");

  private Replay() {}

  /** The exit code; figures go to standard output, all else to standard error. */
  public static int run(String[] args) {
    return run(List.of(args), System.out, System.err);
  }

  static int run(List<String> args, PrintStream out, PrintStream errors) {
    try {
      Options options = new Options(args);
      if (args.isEmpty() || options.flag("help")) {
        (args.isEmpty() ? errors : out).println(USAGE);
        return args.isEmpty() ? 2 : 0;
      }
      out.println(replay(options, new Progress(errors)));
      return 0;
    } catch (BadInput fault) {
      errors.println(fault.getMessage());
      return 2;
    }
  }

  private static String replay(Options options, Progress progress) {
    String format = options.choice("format", FORMATS);
    boolean asJson = options.choice("out", List.of("table", "json")).equals("json");
    List<Long> seeds = options.seeds("seed");
    Map<String, Object> head = new LinkedHashMap<>();
    head.put("format", format);
    Format workload = workload(format, options, head);
    List<String> policies =
        options.flag("compare")
            ? workload.policies()
            : List.of(options.choice("policy", workload.policies()));
    options.refuseOthers();
    if (seeds.size() == 1) {
      head.put("seed", seeds.getFirst());
    } else {
      head.put("seeds", seeds.getFirst() + "-" + seeds.getLast());
    }
    Map<String, Figures> figures = new LinkedHashMap<>();
    for (String policy : policies) {
      figures.put(policy, mean(workload, policy, seeds, progress));
    }
    Output output = new Output(head, figures);
    return asJson ? output.json() : output.table();
  }

  /** Reads the files; what was replayed besides is written in the head of the output. */
  private static Format workload(String format, Options options, Map<String, Object> head) {
    return switch (format) {
      case "openb" -> Openb.of(options, head);
      case "philly" -> Philly.of(options, head);
      default -> throw new IllegalArgumentException(format);
    };
  }

  private static Figures mean(Format workload, String policy, List<Long> seeds, Progress progress) {
    List<Figures> runs = new ArrayList<>();
    for (long seed : seeds) {
      progress.begin(policy + ", seed " + seed);
      runs.add(workload.replay(policy, seed, progress));
      progress.end();
    }
    return Figures.mean(runs);
  }
}
