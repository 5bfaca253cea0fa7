package io.leasehold.replay;

import java.util.List;
import java.util.Map;

/**
 * A fleet of openb and requests for it, replayed by one of two protocols: until the fleet is full
 * ({@link Saturation}), or with leases that end ({@link Churn}).
 */
final class Openb implements Format {

  private static final int ARRIVALS = 200_000;

  private final List<Machine> machines;
  private final List<Request> requests;
  private final Protocol protocol;

  /** An order of events for a placement. */
  interface Protocol {
    Figures run(List<Request> requests, Racks racks, Placement placement, long seed, Progress to);
  }

  private Openb(List<Machine> machines, List<Request> requests, Protocol protocol) {
    this.machines = machines;
    this.requests = requests;
    this.protocol = protocol;
  }

  static Openb of(Options options, Map<String, Object> head) {
    String name = options.choice("protocol", List.of("saturation", "churn"));
    head.put("protocol", name);
    Protocol protocol = name.equals("churn") ? churn(options, head) : new Saturation();
    Openb workload =
        new Openb(
            OpenbFiles.machines(options.file("nodes")),
            OpenbFiles.requests(options.file("pods")),
            protocol);
    if (workload.requests.stream().allMatch(each -> each.gpus() == 0)) {
      throw new BadInput("no request asks for a GPU");
    }
    if (Racks.gpuMilli(workload.machines) == 0) {
      throw new BadInput("no node has a GPU");
    }
    return workload;
  }

  private static Protocol churn(Options options, Map<String, Object> head) {
    double load = options.part("load", 0.95, 10);
    int arrivals = options.count("arrivals", ARRIVALS, 1, 100_000_000);
    int warmup = options.count("warmup", arrivals / 5, 0, arrivals - 1);
    head.put("load", load);
    head.put("arrivals", arrivals);
    head.put("warmup", warmup);
    return new Churn(load, arrivals, warmup);
  }

  @Override
  public List<String> policies() {
    return List.of("ours", "random", "first-fit", "best-fit", "fgd");
  }

  @Override
  public Figures replay(String policy, long seed, Progress progress) {
    Racks racks = new Racks(machines);
    Fragmentation fragmentation = new Fragmentation(requests);
    Placement placement =
        switch (policy) {
          case "ours" -> new Engined(machines);
          case "random" -> Simple.random(racks, seed);
          case "first-fit" -> Simple.firstFit(racks);
          case "best-fit" -> Simple.bestFit(racks);
          case "fgd" -> new Fgd(racks, fragmentation);
          default -> throw new IllegalArgumentException(policy);
        };
    Figures figures = protocol.run(requests, racks, placement, seed, progress);
    return figures
        .put("fragmentation", fragmentation.percent(racks), 2)
        .put("bytesPerLease", placement.bytesPerLease(), 0);
  }
}
