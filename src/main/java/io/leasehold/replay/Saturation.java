package io.leasehold.replay;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The protocol of FGD: an empty fleet, all requests and as many drawn again as ask for 130 % of its
 * GPUs, shuffled, one by one. Nothing ends; what does not fit is dropped and counts as arrived.
 */
final class Saturation implements Openb.Protocol {

  private static final double ASKED = 1.3;

  @Override
  public Figures run(
      List<Request> requests, Racks racks, Placement placement, long seed, Progress progress) {
    long fleet = Racks.gpuMilli(racks.machines);
    List<Request> arrivals = arrivals(requests, fleet, seed);
    Figures figures = new Figures();
    Refusals refusals = new Refusals();
    boolean full = false;
    long began = System.nanoTime();
    for (int i = 0; i < arrivals.size(); i++) {
      Request request = arrivals.get(i);
      refusals.count(request, Refusals.isPlaced(placement, racks, i, request));
      if (refusals.asked() >= fleet && !full) {
        full = true;
        figures.put("allocatedPercent", racks.allocatedPercent(), 2);
        refusals.tell(figures);
      }
      progress.at(i, arrivals.size());
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    return figures
        .put("allocatedPercentAtEnd", racks.allocatedPercent(), 2)
        .put("decisionsPerSecond", arrivals.size() / seconds, 0);
  }

  private static List<Request> arrivals(List<Request> requests, long fleet, long seed) {
    Random random = new Random(seed);
    List<Request> arrivals = new ArrayList<>(requests);
    long asked = requests.stream().mapToLong(Request::gpuMilli).sum();
    while (asked < ASKED * fleet) {
      Request again = requests.get(random.nextInt(requests.size()));
      arrivals.add(again);
      asked += again.gpuMilli();
    }
    Collections.shuffle(arrivals, random);
    return arrivals;
  }
}
