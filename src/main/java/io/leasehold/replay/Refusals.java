package io.leasehold.replay;

/** What was asked for and what was refused of it, by GPUs and of the gangs. */
final class Refusals {

  private long asked;
  private long refused;
  private long gangs;
  private long refusedGangs;

  /** Lets a policy decide on a request, and takes what it says. */
  static boolean isPlaced(Placement placement, Racks racks, int id, Request request) {
    Racks.Spot spot = placement.place(id, request);
    if (spot != null) {
      racks.take(id, request, spot);
    }
    return spot != null;
  }

  void count(Request request, boolean isPlaced) {
    asked += request.gpuMilli();
    gangs += request.isGang() ? 1 : 0;
    if (!isPlaced) {
      refused += request.gpuMilli();
      refusedGangs += request.isGang() ? 1 : 0;
    }
  }

  /** Thousandths of GPUs asked for so far. */
  long asked() {
    return asked;
  }

  void tell(Figures figures) {
    figures
        .put("refusedGpuPercent", 100.0 * refused / asked, 2)
        .put("refusedGangPercent", 100.0 * refusedGangs / gangs, 2);
  }
}
