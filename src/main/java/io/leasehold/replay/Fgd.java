package io.leasehold.replay;

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
  private final double[] before;
  private int last = -1;

  Fgd(Racks racks, Fragmentation fragmentation) {
    this.racks = racks;
    this.fragmentation = fragmentation;
    this.before = new double[racks.size()];
    for (int node = 0; node < before.length; node++) {
      remember(node);
    }
  }

  @Override
  public Racks.@Nullable Spot place(int id, Request request) {
    Racks.Spot best = null;
    int most = -1;
    for (int node = 0; node < racks.size(); node++) {
      if (racks.fits(node, request)) {
        remember(node);
        if (!request.isFraction()) {
          Racks.Spot spot = racks.spot(node, request);
          int score = score(request, spot);
          if (score > most) {
            most = score;
            best = spot;
          }
          continue;
        }
        int[] gpus = racks.gpus(node);
        for (int gpu = 0; gpu < gpus.length; gpu++) {
          if (gpus[gpu] >= request.milli()) {
            Racks.Spot spot = new Racks.Spot(node, 1L << gpu);
            int score = score(request, spot);
            if (score > most) {
              most = score;
              best = spot;
            }
          }
        }
      }
    }
    return best;
  }

  private void remember(int node) {
    before[node] = fragmentation.of(racks.cpu(node), racks.gpus(node));
  }

  private int score(Request request, Racks.Spot spot) {
    int[] after = racks.gpus(spot.node()).clone();
    for (long left = spot.gpus(); left != 0; left &= left - 1) {
      after[Long.numberOfTrailingZeros(left)] -= request.milli();
    }
    double less =
        before[spot.node()] - fragmentation.of(racks.cpu(spot.node()) - request.cpuMilli(), after);
    return (int) (MOST / (1 + Math.exp(-less / Request.WHOLE)));
  }
}
