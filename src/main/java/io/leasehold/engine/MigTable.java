package io.leasehold.engine;

import org.jspecify.annotations.Nullable;

/** The placement rules of a model's MIG profiles. Memory slices are bits of a mask. */
final class MigTable {

  private MigTable() {}

  static GpuModel.@Nullable Profile profile(GpuModel model, String name) {
    for (GpuModel.Profile profile : model.profiles()) {
      if (profile.name().equals(name)) {
        return profile;
      }
    }
    return null;
  }

  static long slices(int start, int size) {
    return ((1L << size) - 1) << start;
  }

  /** Profiles with media engines ({@code +me}): a GPU has one set of these engines to give. */
  static boolean hasMedia(String profile) {
    return profile.contains("+me");
  }

  /**
   * How many more of a profile fit on a GPU. Taking starts upwards is the most there can be, since
   * all have the same size.
   *
   * @param busy memory slices taken
   * @param compute compute slices left
   * @param most what the profile's own limit leaves
   */
  static int count(GpuModel.Profile profile, long busy, int compute, int most) {
    int limit = profile.compute() == 0 ? most : Math.min(most, compute / profile.compute());
    int count = 0;
    for (int start : profile.starts()) {
      long wanted = slices(start, profile.size());
      if (count < limit && (busy & wanted) == 0) {
        busy |= wanted;
        count++;
      }
    }
    return count;
  }

  /**
   * The start for one more instance: of those that cost no second one of the profile, the one that
   * leaves the most starts to the largest other profiles. So a lone 3g starts at 4, where it leaves
   * room for a 4g, and a lone 1g at 6.
   */
  static int start(GpuModel model, GpuModel.Profile profile, long busy, int compute, int most) {
    int after = count(profile, busy, compute, most) - 1;
    int best = -1;
    long widest = -1;
    for (int start : profile.starts()) {
      long wanted = slices(start, profile.size());
      if ((busy & wanted) != 0) {
        continue;
      }
      long with = busy | wanted;
      long open = openness(model, with);
      if (open > widest && count(profile, with, compute - profile.compute(), most - 1) >= after) {
        widest = open;
        best = start;
      }
    }
    return best;
  }

  /** Starts left to each size of profile, the largest weighing more than all below it. */
  private static long openness(GpuModel model, long busy) {
    long openness = 0;
    for (int compute = model.computeSlices(); compute > 0; compute--) {
      int free = 0;
      for (GpuModel.Profile profile : model.profiles()) {
        if (profile.compute() == compute && !isVariant(profile)) {
          for (int start : profile.starts()) {
            free += (busy & slices(start, profile.size())) == 0 ? 1 : 0;
          }
        }
      }
      openness = openness << 4 | Math.min(free, 15);
    }
    return openness;
  }

  private static boolean isVariant(GpuModel.Profile profile) {
    return profile.name().indexOf('+') >= 0 || profile.name().endsWith("-me");
  }
}
