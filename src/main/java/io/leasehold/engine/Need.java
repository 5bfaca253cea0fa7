package io.leasehold.engine;

import org.jspecify.annotations.Nullable;

/** How much of a quota a shape uses, whatever form it is asked in: always what is booked for it. */
final class Need {

  private Need() {}

  /** In thousandths of GPUs of a model. */
  static long milli(Shape shape, @Nullable GpuModel model) {
    return Math.multiplyExact((long) shape.pieces(), perPiece(shape, model));
  }

  private static int perPiece(Shape shape, @Nullable GpuModel model) {
    return switch (shape.slice()) {
      case Shape.Slice.Whole _ -> Units.PER_GPU;
      case Shape.Slice.Share share -> share.milli();
      case Shape.Slice.Mig mig -> instance(mig, model);
    };
  }

  private static int instance(Shape.Slice.Mig mig, @Nullable GpuModel model) {
    if (model != null && model.memorySlices() > 0) {
      for (GpuModel.Profile profile : model.profiles()) {
        if (profile.name().equals(mig.profile())) {
          return profile.size() * (Units.PER_GPU / model.memorySlices());
        }
      }
    }
    return Units.PER_GPU;
  }
}
