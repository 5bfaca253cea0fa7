package io.leasehold.lease;

import io.leasehold.lease.LeaseResponse.Allocation;
import java.util.stream.Collectors;

/**
 * What a user takes along to the cluster. A simulated cluster runs nothing, and the manifest says
 * so: it lists the devices, as a comment-led YAML document.
 */
final class Manifest {

  private Manifest() {}

  static String of(LeaseResponse lease) {
    StringBuilder text = new StringBuilder();
    line(text, 0, "# Lease " + lease.id() + ", state " + lease.state() + ".");
    if (lease.allocations() == null || lease.allocations().isEmpty()) {
      line(text, 0, "# It has no devices at present: there is nothing to use.");
      line(text, 0, "devices: []");
      return text.toString();
    }
    line(
        text,
        0,
        "# Cluster " + lease.cluster() + " is simulated: no workload runs there, so there");
    line(text, 0, "# is nothing to apply. These are the devices that the lease holds.");
    line(text, 0, "cluster: " + quoted(lease.cluster()));
    line(text, 0, "usable: " + (lease.access() != null && lease.access().usable()));
    line(text, 0, "devices:");
    lease.allocations().forEach(allocation -> devices(text, allocation));
    return text.toString();
  }

  private static void devices(StringBuilder text, Allocation allocation) {
    line(text, 2, "- group: " + allocation.group());
    line(text, 4, "node: " + quoted(allocation.node()));
    line(text, 4, "model: " + quoted(allocation.model()));
    line(text, 4, "binding: " + allocation.binding());
    line(
        text,
        4,
        "gpus: "
            + allocation.gpus().stream()
                .map(Manifest::device)
                .collect(Collectors.joining(", ", "[", "]")));
  }

  private static String device(LeaseResponse.Gpu gpu) {
    return gpu.mig() == null
        ? String.valueOf(gpu.index())
        : quoted(gpu.index() + ":" + gpu.mig().profile() + "@" + gpu.mig().start());
  }

  /** A YAML scalar that nothing in it can leave. */
  private static String quoted(String text) {
    return '"'
        + text.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\p{Cntrl}", " ")
        + '"';
  }

  private static void line(StringBuilder text, int indent, String line) {
    text.repeat(' ', indent).append(line).append('\n');
  }
}
