package io.leasehold.engine;

import java.util.HashMap;
import java.util.Map;

/**
 * What the nodes of a fleet could take, were they empty: how much of the fleet is of a use to a
 * gang. In thousandths of GPUs.
 */
final class Hosts {

  private record Kind(int gpus, long cpu) {}

  private final Map<Kind, Long> kinds = new HashMap<>();
  private long healthy;
  private long all;

  /** Nodes come in any order; a retired one does not count. */
  void add(NodeTimeline at) {
    Node node = at.node();
    if (node.retired()) {
      return;
    }
    long milli = (long) node.gpus().size() * Units.PER_GPU;
    long cpu = node.cpuMilli() == 0 ? Gap.UNKNOWN : node.cpuMilli();
    kinds.merge(new Kind(node.gpus().size(), cpu), milli, Long::sum);
    healthy += (long) at.healthyGpus() * Units.PER_GPU;
    all += milli;
  }

  /** GPUs that work. */
  long healthyMilli() {
    return healthy;
  }

  /** All GPUs over those of nodes that could take such a gang, at least 1; 0 where none could. */
  double scarcity(int gpus, long cpu) {
    long fit = 0;
    for (Map.Entry<Kind, Long> each : kinds.entrySet()) {
      if (each.getKey().gpus() >= gpus && each.getKey().cpu() >= cpu) {
        fit += each.getValue();
      }
    }
    return fit == 0 ? 0 : (double) all / fit;
  }
}
