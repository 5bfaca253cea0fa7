package io.leasehold.replay;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;

/**
 * Leases that end: Poisson arrivals of requests drawn from the list, equal exponential holding
 * times, so that what is offered is a given load of the fleet's GPUs. What does not fit is refused.
 * Counted after a warm-up.
 *
 * @param load part of the GPUs that would be taken if nothing were refused
 * @param arrivals all of them, the warm-up included
 * @param warmup arrivals that are not counted
 */
record Churn(double load, int arrivals, int warmup) implements Openb.Protocol {

  private record End(double instant, int id) {}

  @Override
  public Figures run(
      List<Request> requests, Racks racks, Placement placement, long seed, Progress progress) {
    double rate = load * Racks.gpuMilli(racks.machines) / meanGpuMilli(requests);
    Random random = new Random(seed);
    Queue<End> ends = new PriorityQueue<>(Comparator.comparingDouble(End::instant));
    Refusals refusals = new Refusals();
    double allocated = 0;
    double now = 0;
    long began = System.nanoTime();
    for (int i = 0; i < arrivals; i++) {
      now += exponential(random) / rate;
      Request request = requests.get(random.nextInt(requests.size()));
      double held = exponential(random);
      endUntil(now, ends, racks, placement);
      boolean isPlaced = Refusals.isPlaced(placement, racks, i, request);
      if (isPlaced) {
        ends.add(new End(now + held, i));
      }
      if (i >= warmup) {
        refusals.count(request, isPlaced);
        allocated += racks.allocatedPercent();
      }
      progress.at(i, arrivals);
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    Figures figures = new Figures();
    figures.put("allocatedPercent", allocated / (arrivals - warmup), 2);
    refusals.tell(figures);
    return figures.put("decisionsPerSecond", arrivals / seconds, 0);
  }

  private static void endUntil(double now, Queue<End> ends, Racks racks, Placement placement) {
    while (!ends.isEmpty() && ends.peek().instant() <= now) {
      int over = ends.remove().id();
      placement.end(over);
      racks.give(over);
    }
  }

  private static double meanGpuMilli(List<Request> requests) {
    return requests.stream().mapToLong(Request::gpuMilli).average().orElseThrow();
  }

  private static double exponential(Random random) {
    return -Math.log(1 - random.nextDouble());
  }
}
