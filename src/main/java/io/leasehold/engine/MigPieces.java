package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * Instances of a MIG profile, at starts that the model's table allows. The fullest GPU with room is
 * used first, and on it the start that leaves the most to large profiles.
 */
final class MigPieces implements Pieces {

  /** What instances leave of a GPU. */
  static final class Layout {
    final int gpu;
    long busy;
    int compute;
    int most;

    /**
     * @param busy memory slices taken at some instant of the hold
     * @param compute compute slices left at its fullest instant
     * @param most how many more of the profile its own limit allows
     */
    Layout(int gpu, long busy, int compute, int most) {
      this.gpu = gpu;
      this.busy = busy;
      this.compute = compute;
      this.most = most;
    }

    /** How many more of a profile fit. */
    int count(GpuModel.Profile profile) {
      return MigTable.count(profile, busy, compute, most);
    }
  }

  private final GpuModel model;
  private final GpuModel.Profile profile;
  private final List<Layout> open;
  private final int loose;
  private long untouched;

  /**
   * @param open GPUs that instances lie on; changed by {@link #take}
   * @param untouched GPUs that nothing lies on
   * @param lost pieces that a sharing mode is in the way of
   */
  MigPieces(GpuModel model, GpuModel.Profile profile, List<Layout> open, long untouched, int lost) {
    this.model = model;
    this.profile = profile;
    this.open = open;
    this.untouched = untouched;
    int sum = lost;
    for (Layout layout : open) {
      int freeSlices = model.memorySlices() - Long.bitCount(layout.busy);
      sum += Math.max(freeSlices / profile.size(), layout.count(profile));
    }
    this.loose = sum + Long.bitCount(untouched) * onUntouched();
  }

  @Override
  public int count() {
    return countOpen() + Long.bitCount(untouched) * onUntouched();
  }

  private int countOpen() {
    int sum = 0;
    for (Layout layout : open) {
      sum += layout.count(profile);
    }
    return sum;
  }

  private int onUntouched() {
    return onUntouched(model, profile);
  }

  /** How many fit on a GPU that nothing lies on. */
  static int onUntouched(GpuModel model, GpuModel.Profile profile) {
    return MigTable.count(profile, 0, model.computeSlices(), profile.most());
  }

  @Override
  public int loose() {
    return loose;
  }

  @Override
  public int wholeFree() {
    return Long.bitCount(untouched);
  }

  @Override
  public int wholeFreeAfter(int n) {
    int more = Math.max(0, n - countOpen());
    return more == 0 ? wholeFree() : wholeFree() - Math.ceilDiv(more, onUntouched());
  }

  @Override
  public Taken take(int n) {
    List<Booking.Instance> instances = new ArrayList<>();
    int[] pairs = new int[2 * n];
    int slice = Units.PER_GPU / model.memorySlices();
    for (int i = 0; i < n; i++) {
      Layout layout = fullestWithRoom();
      int start = MigTable.start(model, profile, layout.busy, layout.compute, layout.most);
      layout.busy |= MigTable.slices(start, profile.size());
      layout.compute -= profile.compute();
      layout.most--;
      instances.add(new Booking.Instance(layout.gpu, profile.name(), start, profile.size()));
      pairs[2 * i] = layout.gpu * Units.PER_GPU + start * slice;
      pairs[2 * i + 1] = pairs[2 * i] + profile.size() * slice;
    }
    return new Taken(Units.of(pairs), instances);
  }

  private Layout fullestWithRoom() {
    Layout best = null;
    for (Layout layout : open) {
      if (layout.count(profile) > 0
          && (best == null || Long.bitCount(layout.busy) > Long.bitCount(best.busy))) {
        best = layout;
      }
    }
    if (best == null) {
      int gpu = Long.numberOfTrailingZeros(untouched);
      untouched &= untouched - 1;
      best = new Layout(gpu, 0, model.computeSlices(), profile.most());
      open.add(best);
    }
    return best;
  }
}
