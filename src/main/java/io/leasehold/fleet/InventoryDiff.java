package io.leasehold.fleet;

import io.leasehold.engine.Domain;
import io.leasehold.engine.Health;
import io.leasehold.engine.Node;
import io.leasehold.engine.Node.Gpu;
import io.leasehold.web.Ids;
import io.leasehold.web.Problem;
import io.leasehold.web.Problem.Fault;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an inventory changes about the nodes known. Health and drains are not an inventory's to
 * tell. A GPU that is missing is retired and its index kept; only another UUID tells of a new
 * device in its place.
 *
 * @param added new nodes, their ordinals not given yet
 * @param unchanged how many are as they are known
 */
record InventoryDiff(
    List<NodeChange> added, List<NodeChange> changed, List<NodeChange> removed, int unchanged) {

  private static final int NO_ORDINAL = -1;

  /**
   * @param known what is not retired in the inventory's clusters
   * @param pruned the cluster from which what is not in the inventory goes; null = none
   */
  static InventoryDiff of(Inventory inventory, List<NodeRecord> known, @Nullable String pruned) {
    Map<List<String>, NodeRecord> byName = new HashMap<>();
    known.forEach(record -> byName.put(key(record.node().cluster(), record.node().name()), record));
    List<NodeChange> added = new ArrayList<>();
    List<NodeChange> changed = new ArrayList<>();
    List<Fault> faults = new ArrayList<>();
    Set<List<String>> named = new HashSet<>();
    int unchanged = 0;
    for (Inventory.Wanted wanted : inventory.nodes()) {
      List<String> key = key(wanted.cluster(), wanted.name());
      named.add(key);
      NodeRecord record = byName.get(key);
      if (record == null) {
        added.add(new NodeChange(added(wanted), 0));
        continue;
      }
      if (!record.node().model().equals(wanted.model().slug())) {
        faults.add(otherModel(wanted, record.node()));
        continue;
      }
      Node after = merged(record.node(), wanted);
      if (after.equals(record.node())) {
        unchanged++;
      } else {
        changed.add(new NodeChange(after, record.revision()));
      }
    }
    if (!faults.isEmpty()) {
      throw Problem.invalid(faults);
    }
    return new InventoryDiff(added, changed, removed(known, named, pruned), unchanged);
  }

  /** All changes, the new nodes with these ordinals. */
  List<NodeChange> changes(List<Integer> ordinals) {
    List<NodeChange> all = new ArrayList<>();
    for (int i = 0; i < added.size(); i++) {
      all.add(new NodeChange(added.get(i).node().withOrdinal(ordinals.get(i)), 0));
    }
    all.addAll(changed);
    all.addAll(removed);
    return all;
  }

  private static List<NodeChange> removed(
      List<NodeRecord> known, Set<List<String>> named, @Nullable String pruned) {
    return known.stream()
        .filter(record -> record.node().cluster().equals(pruned))
        .filter(record -> !named.contains(key(record.node().cluster(), record.node().name())))
        .map(record -> new NodeChange(record.node().gone(), record.revision()))
        .toList();
  }

  private static Node added(Inventory.Wanted wanted) {
    List<Gpu> gpus = new ArrayList<>();
    for (int i = 0; i < wanted.gpuCount(); i++) {
      gpus.add(added(wanted, i));
    }
    return new Node(
        Ids.next(),
        NO_ORDINAL,
        wanted.cluster(),
        wanted.name(),
        wanted.model().slug(),
        Objects.requireNonNullElse(wanted.domain(), Domain.NOWHERE),
        Objects.requireNonNullElse(wanted.cpuMilli(), 0L),
        Objects.requireNonNullElse(wanted.memoryMiB(), 0L),
        gpus,
        null,
        false);
  }

  private static Node merged(Node node, Inventory.Wanted wanted) {
    return new Node(
        node.id(),
        node.ordinal(),
        node.cluster(),
        node.name(),
        node.model(),
        Objects.requireNonNullElse(wanted.domain(), node.domain()),
        Objects.requireNonNullElse(wanted.cpuMilli(), node.cpuMilli()),
        Objects.requireNonNullElse(wanted.memoryMiB(), node.memoryMiB()),
        gpus(node, wanted),
        node.drainDeadline(),
        false);
  }

  private static List<Gpu> gpus(Node node, Inventory.Wanted wanted) {
    List<Gpu> gpus = new ArrayList<>();
    for (int i = 0; i < Math.max(node.gpus().size(), wanted.gpuCount()); i++) {
      gpus.add(i < node.gpus().size() ? merged(node.gpus().get(i), i, wanted) : added(wanted, i));
    }
    return gpus;
  }

  private static Gpu merged(Gpu gpu, int index, Inventory.Wanted wanted) {
    if (index >= wanted.gpuCount()) {
      return new Gpu(gpu.uuid(), Health.RETIRED);
    }
    String uuid = uuid(wanted, index, gpu.uuid());
    boolean isNew = gpu.health() == Health.RETIRED && !Objects.equals(uuid, gpu.uuid());
    return new Gpu(uuid, isNew ? Health.OK : gpu.health());
  }

  private static Gpu added(Inventory.Wanted wanted, int index) {
    return new Gpu(uuid(wanted, index, null), Health.OK);
  }

  private static @Nullable String uuid(Inventory.Wanted wanted, int index, @Nullable String known) {
    return wanted.gpuUuids() == null ? known : wanted.gpuUuids().get(index);
  }

  private static Fault otherModel(Inventory.Wanted wanted, Node node) {
    return wanted
        .at()
        .fault(
            "model",
            "model-is-fixed",
            "node '"
                + node.name()
                + "' has "
                + node.model()
                + ", not "
                + wanted.model().slug()
                + "; retire it first, then add it anew");
  }

  private static List<String> key(String cluster, String name) {
    return List.of(cluster, name);
  }
}
