package io.leasehold.engine;

import org.jspecify.annotations.Nullable;

/**
 * A shape on one model, as the search counts it: equal items, each of which lies on one node. An
 * item is a group, or a single piece (GPU, instance, fraction) where there are no groups.
 *
 * @param profile of the slice; null unless it is a MIG slice
 * @param each pieces of an item; 0 only in simulations
 * @param cpuMilli of an item
 * @param memoryMiB of an item
 * @param grouped groups are booked one by one; otherwise a node has one slot for all its items
 */
record Demand(
    Shape.Slice slice,
    @Nullable GpuModel model,
    GpuModel.@Nullable Profile profile,
    int items,
    int each,
    long cpuMilli,
    long memoryMiB,
    boolean grouped) {

  /** Null where the model can not serve the shape at all: no such profile, too little memory. */
  static @Nullable Demand of(Shape shape, @Nullable GpuModel model) {
    if (model == null ? shape.minMemoryMiB() > 0 : model.memoryMiB() < shape.minMemoryMiB()) {
      return null;
    }
    GpuModel.Profile profile = null;
    if (shape.slice() instanceof Shape.Slice.Mig mig) {
      profile = model == null ? null : MigTable.profile(model, mig.profile());
      if (profile == null) {
        return null;
      }
    }
    boolean grouped = shape.groups() > 0;
    boolean single = grouped || shape.count() == 0;
    int items = grouped ? shape.groups() : Math.max(1, shape.count());
    return new Demand(
        shape.slice(),
        model,
        profile,
        items,
        single ? shape.count() : 1,
        single ? shape.cpuMilli() : Math.ceilDiv(shape.cpuMilli(), shape.count()),
        single ? shape.memoryMiB() : Math.ceilDiv(shape.memoryMiB(), shape.count()),
        grouped);
  }

  Mode mode() {
    return slice.mode();
  }

  int pieces() {
    return items * each;
  }

  /** A single piece of it, if CPU and memory were plenty. */
  Demand ofOnePiece() {
    return new Demand(slice, model, profile, 1, Math.min(1, each), 0, 0, grouped);
  }

  /** The same, if CPU and memory were plenty. */
  Demand ofGpus() {
    return new Demand(slice, model, profile, items, each, 0, 0, grouped);
  }

  /** How many pieces a GPU takes that nothing lies on. */
  int piecesOnUntouched() {
    return mode() == Mode.MIG
        ? MigPieces.onUntouched(model, profile)
        : Units.PER_GPU / pieceMilli();
  }

  /** Thousandths of a GPU in one piece. */
  int pieceMilli() {
    return switch (slice) {
      case Shape.Slice.Whole _ -> Units.PER_GPU;
      case Shape.Slice.Share share -> share.milli();
      case Shape.Slice.Mig _ -> profile.size() * Units.PER_GPU / model.memorySlices();
    };
  }
}
