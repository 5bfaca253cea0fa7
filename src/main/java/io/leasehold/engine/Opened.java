package io.leasehold.engine;

import java.util.BitSet;

/**
 * How many pieces of a demand a GPU still takes that pieces of its kind lie on: all over a time, on
 * units that stay the same.
 */
final class Opened {

  private final Demand demand;
  private final BitSet busy = new BitSet(Node.MOST_GPUS * Units.PER_GPU);

  Opened(Demand demand) {
    this.demand = demand;
  }

  int pieces(NodeTimeline at, int gpu, Over over) {
    return switch (demand.slice()) {
      case Shape.Slice.Whole _ -> 0;
      case Shape.Slice.Share share -> shares(at, gpu, over) / share.milli();
      case Shape.Slice.Mig _ -> at.layout(demand, over, gpu).count(demand.profile());
    };
  }

  private int shares(NodeTimeline at, int gpu, Over over) {
    busy.clear();
    at.forEach(
        over,
        one -> {
          if ((one.gpus() >>> gpu & 1) == 1) {
            one.slot().units().mark(busy);
          }
        });
    return SharePieces.free(busy, gpu);
  }
}
