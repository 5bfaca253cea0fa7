package io.leasehold.lease;

import io.leasehold.engine.Command;
import io.leasehold.engine.GpuModel;
import io.leasehold.engine.Lease;
import io.leasehold.engine.Shape;
import io.leasehold.fleet.GpuModels;
import io.leasehold.ledger.LeaseRecord;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Reads another size for a lease. Only the size changes: its form, models and slices are those that
 * were asked for.
 */
@Component
class ResizeReader {

  private final GpuModels models;
  private final Restatement restatement;

  ResizeReader(GpuModels models, Restatement restatement) {
    this.models = models;
    this.restatement = restatement;
  }

  Function<LeaseRecord, Verb> read(VerbRequests.Resize sent) {
    Faults faults = new Faults("");
    List<UUID> keep = VerbReader.nodes("/keepNodeIds", sent.keepNodeIds(), faults);
    if (sent.gpu() == null) {
      faults.required("/gpu", "Say how many there shall be.");
    }
    faults.throwIfAny();
    return seen -> verb(seen, sent.gpu(), keep);
  }

  private Verb verb(LeaseRecord seen, LeaseRequest.Gpu gpu, List<UUID> keep) {
    Shape shape = seen.lease().ask().shape();
    Faults faults = new Faults("");
    int size = size(gpu, shape, faults);
    checkTheRest(gpu, seen.lease(), faults);
    faults.throwIfAny();
    return new Verb(
        new Command.Resize(seen.lease().id(), size, keep), restatement.resized(seen, size));
  }

  private static int size(LeaseRequest.Gpu gpu, Shape shape, Faults faults) {
    boolean grouped = shape.groups() > 0;
    String pointer = grouped ? "/gpu/groups" : "/gpu/count";
    Long size = grouped ? gpu.groups() : gpu.count();
    if (size == null) {
      faults.required(
          pointer,
          grouped
              ? "The lease has groups: say how many."
              : "The lease has a count of GPUs: say how many.");
    }
    if (grouped && gpu.count() != null) {
      faults.add("/gpu/count", "not-allowed", "The lease has groups, not a count.");
    }
    if (!grouped && (gpu.groups() != null || gpu.perGroup() != null)) {
      faults.add("/gpu/groups", "not-allowed", "The lease has a count, not groups.");
    }
    int each = grouped ? shape.count() : 1;
    return (int) faults.within(pointer, size, 1, ShapeReader.MOST_PIECES / each, 1);
  }

  private void checkTheRest(LeaseRequest.Gpu gpu, Lease lease, Faults faults) {
    Shape shape = lease.ask().shape();
    if (gpu.perGroup() != null && shape.groups() > 0 && gpu.perGroup() != shape.count()) {
      fixed("/gpu/perGroup", faults);
    }
    if (gpu.mig() != null
        && !(shape.slice() instanceof Shape.Slice.Mig(String profile)
            && profile.equals(gpu.mig()))) {
      fixed("/gpu/mig", faults);
    }
    if (gpu.shareMilli() != null
        && !(shape.slice() instanceof Shape.Slice.Share(int milli) && milli == gpu.shareMilli())) {
      fixed("/gpu/shareMilli", faults);
    }
    if (gpu.minCount() != null && gpu.minCount() != shape.minCount()) {
      fixed("/gpu/minCount", faults);
    }
    if (gpu.minMemoryMiB() != null && gpu.minMemoryMiB() != shape.minMemoryMiB()) {
      fixed("/gpu/minMemoryMiB", faults);
    }
    if (gpu.models() != null && !names(gpu.models()).contains(model(lease))) {
      fixed("/gpu/models", faults);
    }
  }

  private List<String> names(List<String> sent) {
    return sent.stream()
        .map(name -> models.find(String.valueOf(name)).map(GpuModel::slug).orElse(name))
        .toList();
  }

  private static @Nullable String model(Lease lease) {
    if (lease.booking() != null) {
      return lease.booking().model();
    }
    List<String> wanted = lease.ask().shape().models();
    return wanted.isEmpty() ? null : wanted.getFirst();
  }

  private static void fixed(String pointer, Faults faults) {
    faults.add(pointer, "not-allowed", "A resize changes how many, and nothing else.");
  }
}
