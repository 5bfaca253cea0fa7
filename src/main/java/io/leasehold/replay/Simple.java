package io.leasehold.replay;

import java.util.List;
import java.util.Random;

/** The policies beside ours that need no more than a look at what is free. */
final class Simple {

  private Simple() {}

  /** Any node that it fits on, any GPU of it that a fraction fits on; all equally likely. */
  static Placement random(Racks racks, long seed) {
    Random random = new Random(seed);
    return (_, request) -> {
      List<Integer> nodes = racks.fitting(request);
      if (nodes.isEmpty()) {
        return null;
      }
      int node = nodes.get(random.nextInt(nodes.size()));
      if (!request.isFraction()) {
        return racks.spot(node, request);
      }
      int[] free = racks.gpus(node);
      int gpu = random.nextInt(free.length);
      while (free[gpu] < request.milli()) {
        gpu = (gpu + 1) % free.length;
      }
      return new Racks.Spot(node, 1L << gpu);
    };
  }

  /** The first node in the order of the list. */
  static Placement firstFit(Racks racks) {
    return (_, request) -> {
      for (int node = 0; node < racks.size(); node++) {
        if (racks.fits(node, request)) {
          return racks.spot(node, request);
        }
      }
      return null;
    };
  }

  /** The node with the least GPU left; the first of equals. */
  static Placement bestFit(Racks racks) {
    return (_, request) -> {
      int best = -1;
      for (int node = 0; node < racks.size(); node++) {
        if ((best < 0 || racks.milli(node) < racks.milli(best)) && racks.fits(node, request)) {
          best = node;
        }
      }
      return best < 0 ? null : racks.spot(best, request);
    };
  }
}
