package io.leasehold.fleet;

import io.leasehold.engine.GpuModel;
import io.leasehold.engine.GpuModel.Profile;
import java.util.List;

/**
 * The GPU models that are known from the start. Placements are those that {@code nvidia-smi mig
 * -lgipp} prints (MIG User Guide, "Supported MIG Profiles"); canonical names are what GPU Feature
 * Discovery prints in {@code nvidia.com/gpu.product}.
 */
final class BuiltInModels {

  private static final int SLICES = 8;
  private static final int COMPUTE = 7;

  static final List<GpuModel> ALL =
      List.of(
          sliced(
              "h100",
              "NVIDIA-H100-80GB-HBM3",
              81_559,
              eighths("10", "20", "40", "80"),
              "h100-80gb",
              "h100-sxm"),
          sliced("h200", "NVIDIA-H200", 143_771, eighths("18", "35", "71", "141"), "h200-141gb"),
          sliced(
              "a100-80gb",
              "NVIDIA-A100-SXM4-80GB",
              81_920,
              eighths("10", "20", "40", "80"),
              "a100",
              "A100-SXM4-80GB",
              "NVIDIA-A100-80GB-PCIe"),
          sliced(
              "a100-40gb",
              "NVIDIA-A100-SXM4-40GB",
              40_960,
              eighths("5", "10", "20", "40"),
              "A100-SXM4-40GB",
              "NVIDIA-A100-PCIE-40GB"),
          new GpuModel("a30", "NVIDIA-A30", List.of(), 24_576, 4, 4, quarters(), 0),
          whole("a10", "NVIDIA-A10", 23_028),
          whole("t4", "Tesla-T4", 15_360, "NVIDIA-T4"),
          whole("p100", "Tesla-P100-PCIE-16GB", 16_384, "Tesla-P100-SXM2-16GB"),
          whole("v100-16gb", "Tesla-V100-SXM2-16GB", 16_384, "V100M16", "Tesla-V100-PCIE-16GB"),
          whole("v100-32gb", "Tesla-V100-SXM2-32GB", 32_768, "V100M32", "Tesla-V100-PCIE-32GB"),
          whole("g1", "Undisclosed-G1", 0),
          whole("g2", "Undisclosed-G2", 0),
          whole("g3", "Undisclosed-G3", 0));

  private BuiltInModels() {}

  private static GpuModel whole(String slug, String canonical, int memoryMiB, String... aliases) {
    return new GpuModel(slug, canonical, List.of(aliases), memoryMiB, 0, 0, List.of(), 0);
  }

  private static GpuModel sliced(
      String slug, String canonical, int memoryMiB, List<Profile> profiles, String... aliases) {
    return new GpuModel(slug, canonical, List.of(aliases), memoryMiB, SLICES, COMPUTE, profiles, 0);
  }

  /** Profiles of a card with eight memory slices, by the gigabytes of 1, 2, 4 and 8 slices. */
  private static List<Profile> eighths(String one, String two, String four, String eight) {
    List<Integer> anywhere = List.of(0, 1, 2, 3, 4, 5, 6);
    return List.of(
        new Profile("1g." + one + "gb", 1, 1, anywhere, 7),
        new Profile("1g." + one + "gb+me", 1, 1, anywhere, 1),
        new Profile("1g." + two + "gb", 2, 1, List.of(0, 2, 4, 6), 4),
        new Profile("2g." + two + "gb", 2, 2, List.of(0, 2, 4), 3),
        new Profile("3g." + four + "gb", 4, 3, List.of(0, 4), 2),
        new Profile("4g." + four + "gb", 4, 4, List.of(0), 1),
        new Profile("7g." + eight + "gb", 8, 7, List.of(0), 1));
  }

  private static List<Profile> quarters() {
    return List.of(
        new Profile("1g.6gb", 1, 1, List.of(0, 1, 2, 3), 4),
        new Profile("1g.6gb+me", 1, 1, List.of(0, 1, 2, 3), 1),
        new Profile("2g.12gb", 2, 2, List.of(0, 2), 2),
        new Profile("2g.12gb+me", 2, 2, List.of(0, 2), 1),
        new Profile("4g.24gb", 4, 4, List.of(0), 1));
  }
}
