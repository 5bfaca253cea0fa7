package io.leasehold.replay;

import java.util.List;
import java.util.PriorityQueue;
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
    double mean =
        requests.stream().mapToLong(Request::gpuMilli).sum() / (double) requests.size();
    double rate = load * Racks.gpuMilli(racks.machines) / mean;
    Random random = new Random(seed);
    PriorityQueue<End> ends =
        new PriorityQueue<>((a, b) -> Double.compare(a.instant(), b.instant()));
    double now = 0;
    long asked = 0;
    long refused = 0;
    long gangs = 0;
    long refusedGangs = 0;
    double allocated = 0;
    long began = System.nanoTime();
    for (int i = 0; i < arrivals; i++) {
      now += exponential(random) / rate;
      Request request = requests.get(random.nextInt(requests.size()));
      double held = exponential(random);
      while (!ends.isEmpty() && ends.peek().instant() <= now) {
        int over = ends.poll().id();
        placement.end(over);
        racks.give(over);
      }
      boolean counts = i >= warmup;
      Racks.Spot spot = placement.place(i, request);
      if (spot != null) {
        racks.take(i, request, spot);
        ends.add(new End(now + held, i));
      } else if (counts) {
        refused += request.gpuMilli();
        refusedGangs += request.isGang() ? 1 : 0;
      }
      if (counts) {
        asked += request.gpuMilli();
        gangs += request.isGang() ? 1 : 0;
        allocated += racks.allocatedPercent();
      }
      progress.at(i, arrivals);
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    return new Figures()
        .put("refusedGpuPercent", 100.0 * refused / asked, 2)
        .put("refusedGangPercent", 100.0 * refusedGangs / gangs, 2)
        .put("allocatedPercent", allocated / (arrivals - warmup), 2)
        .put("decisionsPerSecond", arrivals / seconds, 0);
  }

  private static double exponential(Random random) {
    return -Math.log(1 - random.nextDouble());
  }
}
