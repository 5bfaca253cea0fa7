package io.leasehold.engine;

import java.util.List;

/**
 * A GPU model.
 *
 * @param slug how it is addressed; the engine's key
 * @param canonical what GPU Feature Discovery prints in {@code nvidia.com/gpu.product}
 * @param memoryMiB memory of one GPU
 * @param memorySlices 8, or 4 on an A30; 0 = no MIG
 * @param computeSlices 7, or 4 on an A30; 0 = no MIG
 * @param profiles the MIG placement table
 * @param reconfigureTime what a change of sharing mode adds to the preparation, in microseconds
 */
public record GpuModel(
    String slug,
    String canonical,
    List<String> aliases,
    int memoryMiB,
    int memorySlices,
    int computeSlices,
    List<Profile> profiles,
    long reconfigureTime) {

  public GpuModel {
    aliases = List.copyOf(aliases);
    profiles = List.copyOf(profiles);
  }

  /**
   * A MIG profile of this model.
   *
   * @param name {@code 1g.10gb}, with {@code +me} and the like
   * @param size memory slices taken
   * @param compute compute slices taken
   * @param starts memory slices at which an instance may begin, ascending
   * @param most how many of it fit on one GPU ({@code +me}: 1)
   */
  public record Profile(String name, int size, int compute, List<Integer> starts, int most) {
    public Profile {
      starts = List.copyOf(starts);
    }
  }
}
