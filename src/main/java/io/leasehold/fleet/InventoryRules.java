package io.leasehold.fleet;

import io.leasehold.engine.Domain;
import io.leasehold.engine.GpuModel;
import io.leasehold.engine.Level;
import io.leasehold.engine.Node;
import io.leasehold.web.Problem;
import io.leasehold.web.Problem.Fault;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** What an inventory must keep to. All faults are told at once, each with its place. */
@Component
class InventoryRules {

  static final int MOST_NODES = 10_000;
  static final long MOST_CPU_MILLI = 100_000_000;
  static final long MOST_MEMORY_MIB = 1_000_000_000;

  static final String NAME_PATTERN = "^[A-Za-z0-9]([-._A-Za-z0-9]{0,251}[A-Za-z0-9])?$";
  static final String LABEL_PATTERN = "^[A-Za-z0-9]([-._A-Za-z0-9]{0,61}[A-Za-z0-9])?$";
  static final String UUID_PATTERN = "^[A-Za-z0-9][-._:/A-Za-z0-9]{0,95}$";

  private static final Pattern NAME = Pattern.compile(NAME_PATTERN);
  private static final Pattern LABEL = Pattern.compile(LABEL_PATTERN);
  private static final Pattern GPU_UUID = Pattern.compile(UUID_PATTERN);

  private final GpuModels models;
  private final Pools pools;

  InventoryRules(GpuModels models, Pools pools) {
    this.models = models;
    this.pools = pools;
  }

  /**
   * The inventory, if it has no fault at all.
   *
   * @param cluster the one that entries stand in which name none; null = each must name its own
   */
  Inventory check(Inventory.Unchecked unchecked, @Nullable String cluster) {
    List<Fault> faults = new ArrayList<>(unchecked.faults());
    String pool = cluster == null ? null : poolOf(cluster);
    List<Inventory.Wanted> wanted = new ArrayList<>();
    Set<List<String>> seen = new HashSet<>();
    Map<String, Optional<GpuModel>> known = new HashMap<>();
    for (InventoryEntry entry : unchecked.entries()) {
      Check check = new Check(entry, faults);
      String in = check.cluster(cluster, pools);
      String entryPool = in == null ? null : pools.poolOf(in).orElse(null);
      if (entryPool != null && pool == null) {
        pool = entryPool;
      }
      check.samePool(entryPool, pool);
      GpuModel model = check.model(known, models);
      check.name(in, seen);
      check.numbers();
      check.domain();
      check.gpuUuids();
      if (faults.isEmpty()) {
        wanted.add(wanted(entry, in, model));
      }
    }
    if (!faults.isEmpty()) {
      throw Problem.invalid(faults);
    }
    return new Inventory(pool, wanted);
  }

  private String poolOf(String cluster) {
    return pools
        .poolOf(cluster)
        .orElseThrow(
            () ->
                Problem.invalid(
                    Fault.in(
                        "cluster", "unknown-cluster", "there is no cluster '" + cluster + "'")));
  }

  private static Inventory.Wanted wanted(InventoryEntry entry, String cluster, GpuModel model) {
    return new Inventory.Wanted(
        entry.at(),
        cluster,
        entry.name(),
        model,
        Math.toIntExact(entry.gpuCount()),
        entry.cpuMilli(),
        entry.memoryMiB(),
        entry.domain(),
        entry.gpuUuids());
  }

  /** The rules for one entry. */
  private record Check(InventoryEntry entry, List<Fault> faults) {

    @Nullable String cluster(@Nullable String only, Pools pools) {
      String named = entry.cluster();
      if (named == null && only == null) {
        return fault("cluster", "required", "name a cluster here, or one for all by ?cluster=");
      }
      if (named != null && only != null && !named.equals(only)) {
        return fault("cluster", "other-cluster", "'" + named + "', but ?cluster=" + only);
      }
      String cluster = named == null ? only : named;
      if (pools.poolOf(cluster).isEmpty()) {
        return fault("cluster", "unknown-cluster", "there is no cluster '" + cluster + "'");
      }
      return cluster;
    }

    void samePool(@Nullable String pool, @Nullable String first) {
      if (pool != null && !pool.equals(first)) {
        fault(
            "cluster",
            "other-pool",
            "its cluster is in pool '"
                + pool
                + "', others here are in '"
                + first
                + "'; import each pool by itself");
      }
    }

    @Nullable GpuModel model(Map<String, Optional<GpuModel>> known, GpuModels models) {
      String name = entry.model();
      if (name == null || name.isEmpty()) {
        fault("model", "required", "a GPU model is required");
        return null;
      }
      Optional<GpuModel> model = known.computeIfAbsent(name, models::find);
      if (model.isEmpty()) {
        fault("model", "unknown-model", ModelNames.unknown(name, models));
      }
      return model.orElse(null);
    }

    void name(@Nullable String cluster, Set<List<String>> seen) {
      String name = entry.name();
      if (name == null || name.isEmpty()) {
        fault("name", "required", "a name is required");
      } else if (!NAME.matcher(name).matches()) {
        fault(
            "name",
            "bad-name",
            "a node's name is 1 to 253 of letters, digits, '-', '_' and '.', beginning and ending"
                + " with a letter or digit");
      } else if (cluster != null && !seen.add(List.of(cluster, name))) {
        fault("name", "duplicate", "'" + name + "' is here twice");
      }
    }

    void numbers() {
      if (entry.gpuCount() == null) {
        fault("gpuCount", "required", "the number of GPUs is required");
      } else {
        range("gpuCount", entry.gpuCount(), 1, Node.MOST_GPUS);
      }
      range("cpuMilli", entry.cpuMilli(), 0, MOST_CPU_MILLI);
      range("memoryMiB", entry.memoryMiB(), 0, MOST_MEMORY_MIB);
    }

    void domain() {
      Domain domain = entry.domain();
      if (domain == null) {
        return;
      }
      for (Level level : Level.values()) {
        if (level != Level.NODE && domain.at(level) != null) {
          String field = level.name().toLowerCase(java.util.Locale.ROOT);
          if (!LABEL.matcher(domain.at(level)).matches()) {
            fault(
                field,
                "bad-label",
                "a "
                    + field
                    + " is 1 to 63 of letters, digits, '-', '_' and '.', beginning and"
                    + " ending with a letter or digit");
          }
        }
      }
    }

    void gpuUuids() {
      List<String> uuids = entry.gpuUuids();
      if (uuids == null) {
        return;
      }
      if (entry.gpuCount() != null && uuids.size() != entry.gpuCount()) {
        fault(
            "gpuUuids",
            "wrong-count",
            uuids.size() + " UUIDs for " + entry.gpuCount() + " GPUs; give one for each");
      }
      if (new HashSet<>(uuids).size() < uuids.size()) {
        fault("gpuUuids", "duplicate", "a GPU's UUID is here twice");
      }
      if (uuids.stream().anyMatch(uuid -> uuid == null || !GPU_UUID.matcher(uuid).matches())) {
        fault("gpuUuids", "bad-uuid", "a GPU's UUID is as the driver prints it, GPU-5f0c...");
      }
    }

    private void range(String field, @Nullable Long value, long least, long most) {
      if (value != null && (value < least || value > most)) {
        fault(field, "out-of-range", value + " is not between " + least + " and " + most);
      }
    }

    private @Nullable String fault(String field, String code, String detail) {
      faults.add(entry.at().fault(field, code, detail));
      return null;
    }
  }
}
