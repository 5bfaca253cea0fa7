package io.leasehold.engine;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A machine with GPUs of one model, as the inventory knows it.
 *
 * @param ordinal unique in the pool and never used again; the order of every index
 * @param model the slug of its {@link GpuModel}
 * @param cpuMilli thousandths of a core; 0 = not known, then not checked
 * @param memoryMiB host memory in MiB; 0 = not known, then not checked
 * @param gpus one for each device, by index; at most 64
 * @param drainDeadline from when on it must be empty (microseconds); null = not draining. A
 *     draining node gets nothing new
 * @param retired gone for good
 */
public record Node(
    UUID id,
    int ordinal,
    String cluster,
    String name,
    String model,
    Domain domain,
    long cpuMilli,
    long memoryMiB,
    List<Gpu> gpus,
    @Nullable Long drainDeadline,
    boolean retired) {

  public static final int MOST_GPUS = 64;

  public Node {
    gpus = List.copyOf(gpus);
    if (gpus.size() > MOST_GPUS) {
      throw new IllegalArgumentException(gpus.size() + " GPUs on a node; at most " + MOST_GPUS);
    }
  }

  public Node withOrdinal(int other) {
    return new Node(
        id, other, cluster, name, model, domain, cpuMilli, memoryMiB, gpus, drainDeadline, retired);
  }

  public Node withGpus(List<Gpu> others) {
    return new Node(
        id,
        ordinal,
        cluster,
        name,
        model,
        domain,
        cpuMilli,
        memoryMiB,
        others,
        drainDeadline,
        retired);
  }

  /** Draining until then; null = no longer. */
  public Node draining(@Nullable Long deadline) {
    return new Node(
        id, ordinal, cluster, name, model, domain, cpuMilli, memoryMiB, gpus, deadline, retired);
  }

  public Node gone() {
    return new Node(
        id, ordinal, cluster, name, model, domain, cpuMilli, memoryMiB, gpus, drainDeadline, true);
  }

  /**
   * A device.
   *
   * @param uuid as the driver prints it, where known
   */
  public record Gpu(@Nullable String uuid, Health health) {}
}
