package io.leasehold.replay;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fragmentation gradient descent as its authors run it: the node whose fragmentation grows least,
 * by a score from 0 to 100 in whole numbers, the first of equals; a fraction takes the GPU of the
 * best score.
 */
final class Fgd implements Placement {

  private static final double MOST = 100;

  private final Racks racks;
  private final Fragmentation fragmentation;

  /** Of each node as it stands; NaN = to be found anew. */
  private final double[] before;

  private final Map<Integer, Integer> nodes = new HashMap<>();

  Fgd(Racks racks, Fragmentation fragmentation) {
    this.racks = racks;
    this.fragmentation = fragmentation;
    this.before = new double[racks.size()];
    java.util.Arrays.fill(before, Double.NaN);
  }

  @Override
  public Racks.@Nullable Spot place(int id, Request request) {
    Best best = new Best(request);
    for (int node = 0; node < racks.size(); node++) {
      if (!racks.fits(node, request)) {
        continue;
      }
      if (Double.isNaN(before[node])) {
        before[node] =
            fragmentation.of(racks.machines.get(node).model(), racks.cpu(node), racks.gpus(node));
      }
      if (!request.isFraction()) {
        best.see(racks.spot(node, request));
        continue;
      }
      int[] free = racks.gpus(node);
      for (int gpu = 0; gpu < free.length; gpu++) {
        if (free[gpu] >= request.milli()) {
          best.see(new Racks.Spot(node, 1L << gpu));
        }
      }
    }
    if (best.spot != null) {
      before[best.spot.node()] = Double.NaN;
      nodes.put(id, best.spot.node());
    }
    return best.spot;
  }

  @Override
  public void end(int id) {
    Integer node = nodes.remove(id);
    if (node != null) {
      before[node] = Double.NaN;
    }
  }

  private final class Best {
    private final Request request;
    private int most = -1;
    private Racks.@Nullable Spot spot;

    Best(Request request) {
      this.request = request;
    }

    void see(Racks.Spot other) {
      int[] after = racks.gpus(other.node()).clone();
      for (long left = other.gpus(); left != 0; left &= left - 1) {
        after[Long.numberOfTrailingZeros(left)] -= request.milli();
      }
      long cpu = racks.cpu(other.node()) - request.cpuMilli();
      double less =
          before[other.node()]
              - fragmentation.of(racks.machines.get(other.node()).model(), cpu, after);
      int score = (int) (MOST / (1 + Math.exp(-less / Request.WHOLE)));
      if (score > most) {
        most = score;
        spot = other;
      }
    }
  }
}
