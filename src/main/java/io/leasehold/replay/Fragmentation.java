package io.leasehold.replay;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How much of what a node has free is of no use to a request drawn from the mix (FGD, USENIX
 * ATC'23): all of it where the request does not fit or may not have the model, else what lies on
 * GPUs that have less free than it asks of one. The mix is made of the commonest kinds of requests
 * that together make up 95 in 100.
 */
final class Fragmentation {

  private static final double COVERED = 0.95;

  private record Kind(long cpuMilli, int gpus, int milli, List<String> models) {}

  private final Kind[] kinds;
  private final double[] parts;

  Fragmentation(List<Request> mix) {
    Map<Kind, Integer> counts = new HashMap<>();
    for (Request each : mix) {
      counts.merge(
          new Kind(each.cpuMilli(), each.gpus(), each.milli(), each.models()), 1, Integer::sum);
    }
    List<Map.Entry<Kind, Integer>> common =
        counts.entrySet().stream()
            .sorted(
                Map.Entry.<Kind, Integer>comparingByValue()
                    .reversed()
                    .thenComparing(entry -> entry.getKey().toString()))
            .toList();
    int size = 0;
    int sum = 0;
    while (sum < COVERED * mix.size()) {
      sum += common.get(size++).getValue();
    }
    kinds = new Kind[size];
    parts = new double[size];
    for (int i = 0; i < size; i++) {
      kinds[i] = common.get(i).getKey();
      parts[i] = (double) common.get(i).getValue() / sum;
    }
  }

  /** Thousandths of GPUs of no use, of a node with so much free. */
  double of(String model, long cpu, int[] gpus) {
    int total = 0;
    int whole = 0;
    int most = 0;
    for (int free : gpus) {
      total += free;
      whole += free == Request.WHOLE ? 1 : 0;
      most = Math.max(most, free);
    }
    double lost = 0;
    for (int i = 0; i < kinds.length; i++) {
      lost += parts[i] * lost(kinds[i], model, cpu, gpus, total, whole, most);
    }
    return lost;
  }

  private static int lost(
      Kind kind, String model, long cpu, int[] gpus, int total, int whole, int most) {
    boolean fits =
        (kind.models().isEmpty() || kind.models().contains(model))
            && cpu >= kind.cpuMilli()
            && kind.gpus() > 0
            && (kind.milli() < Request.WHOLE ? most >= kind.milli() : whole >= kind.gpus());
    if (!fits) {
      return total;
    }
    int lost = 0;
    for (int free : gpus) {
      lost += free < kind.milli() ? free : 0;
    }
    return lost;
  }

  /** Of the whole fleet, in percent of its GPUs. */
  double percent(Racks racks) {
    double lost = 0;
    for (int node = 0; node < racks.size(); node++) {
      lost += of(racks.machines.get(node).model(), racks.cpu(node), racks.gpus(node));
    }
    return 100 * lost / Racks.gpuMilli(racks.machines);
  }
}
