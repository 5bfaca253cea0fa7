package io.leasehold.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.engine.Domain;
import io.leasehold.engine.GpuModel;
import io.leasehold.engine.Health;
import io.leasehold.engine.Node;
import io.leasehold.engine.Node.Gpu;
import io.leasehold.web.Problem;
import io.leasehold.web.Problem.Fault;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class InventoryDiffTest {

  private static final Domain RACK_1 = new Domain("eu-1", "eu-1a", "b1", "r1", null);
  private static final GpuModel H100 = BuiltInModels.ALL.getFirst();
  private static final GpuModel T4 =
      BuiltInModels.ALL.stream().filter(m -> m.slug().equals("t4")).findFirst().orElseThrow();

  @Test
  void addsWhatIsNotKnown() {
    InventoryDiff diff = diff(List.of(wanted("n1", 2, null, null)), List.of());

    List<NodeChange> changes = diff.changes(List.of(17));
    Node node = changes.getFirst().node();
    assertThat(changes).hasSize(1);
    assertThat(changes.getFirst().seen()).isZero();
    assertThat(node.ordinal()).isEqualTo(17);
    assertThat(node.gpus()).containsExactly(new Gpu(null, Health.OK), new Gpu(null, Health.OK));
    assertThat(node.domain()).isEqualTo(Domain.NOWHERE);
  }

  @Test
  void changesNothingTheSecondTime() {
    InventoryDiff diff =
        diff(
            List.of(wanted("n1", 2, RACK_1, List.of("GPU-a", "GPU-b"))),
            List.of(known("n1", RACK_1, ok("GPU-a"), ok("GPU-b"))));

    assertThat(diff.changes(List.of())).isEmpty();
    assertThat(diff.unchanged()).isEqualTo(1);
  }

  @Test
  void keepsWhatIsNotTold() {
    NodeRecord before = known("n1", RACK_1, ok("GPU-a"));

    InventoryDiff diff = diff(List.of(wanted("n1", 1, null, null)), List.of(before));

    assertThat(diff.unchanged()).isEqualTo(1);
  }

  @Test
  void keepsHealthAndDrain() {
    Node broken =
        with(known("n1", RACK_1, new Gpu("GPU-a", Health.BROKEN)).node(), Long.valueOf(5));

    InventoryDiff diff =
        diff(
            List.of(wanted("n1", 1, Domain.NOWHERE, null)),
            List.of(new NodeRecord(broken, "main", null, 7, Instant.EPOCH, Instant.EPOCH)));

    NodeChange change = diff.changed().getFirst();
    assertThat(change.seen()).isEqualTo(7);
    assertThat(change.node().gpus().getFirst().health()).isEqualTo(Health.BROKEN);
    assertThat(change.node().drainDeadline()).isEqualTo(5);
    assertThat(change.node().domain()).isEqualTo(Domain.NOWHERE);
  }

  @Test
  void retiresAGpuThatIsMissingAndKeepsTheIndexOfTheOthers() {
    InventoryDiff diff =
        diff(
            List.of(wanted("n1", 1, null, null)),
            List.of(known("n1", RACK_1, ok("GPU-a"), ok("GPU-b"))));

    assertThat(diff.changed().getFirst().node().gpus())
        .containsExactly(ok("GPU-a"), new Gpu("GPU-b", Health.RETIRED));
  }

  @Test
  void doesNotBringBackARetiredGpuThatTheInventoryOnlyCounts() {
    InventoryDiff diff =
        diff(
            List.of(wanted("n1", 2, null, null)),
            List.of(known("n1", RACK_1, ok("GPU-a"), new Gpu("GPU-b", Health.RETIRED))));

    assertThat(diff.unchanged()).isEqualTo(1);
  }

  @Test
  void takesAnotherUuidInARetiredPlaceForANewDevice() {
    InventoryDiff diff =
        diff(
            List.of(wanted("n1", 2, null, List.of("GPU-a", "GPU-c"))),
            List.of(known("n1", RACK_1, ok("GPU-a"), new Gpu("GPU-b", Health.RETIRED))));

    assertThat(diff.changed().getFirst().node().gpus()).containsExactly(ok("GPU-a"), ok("GPU-c"));
  }

  @Test
  void neverChangesTheModelOfANode() {
    assertThatThrownBy(
            () ->
                diff(
                    List.of(
                        new Inventory.Wanted(
                            (field, code, detail) -> new Fault(null, null, 9, 3, code, detail),
                            "k8s-east",
                            "n1",
                            T4,
                            1,
                            null,
                            null,
                            null,
                            null)),
                    List.of(known("n1", RACK_1, ok("GPU-a")))))
        .isInstanceOfSatisfying(
            Problem.class,
            problem -> {
              assertThat(problem.faults().getFirst().code()).isEqualTo("model-is-fixed");
              assertThat(problem.faults().getFirst().line()).isEqualTo(9);
            });
  }

  @Test
  void prunesOnlyInTheClusterNamed() {
    NodeRecord gone = known("gone", RACK_1, ok("GPU-a"));
    List<Inventory.Wanted> wanted = List.of(wanted("n1", 1, null, null));
    Inventory inventory = new Inventory("main", wanted);

    assertThat(InventoryDiff.of(inventory, List.of(gone), null).removed()).isEmpty();
    assertThat(InventoryDiff.of(inventory, List.of(gone), "other").removed()).isEmpty();
    assertThat(InventoryDiff.of(inventory, List.of(gone), "k8s-east").removed())
        .singleElement()
        .satisfies(change -> assertThat(change.node().retired()).isTrue());
  }

  private static InventoryDiff diff(List<Inventory.Wanted> wanted, List<NodeRecord> known) {
    return InventoryDiff.of(new Inventory("main", wanted), known, null);
  }

  private static Inventory.Wanted wanted(
      String name, int gpus, @Nullable Domain domain, @Nullable List<String> uuids) {
    return new Inventory.Wanted(
        JsonPlaces.below(""), "k8s-east", name, H100, gpus, null, null, domain, uuids);
  }

  private static NodeRecord known(String name, Domain domain, Gpu... gpus) {
    Node node =
        new Node(
            UUID.randomUUID(),
            1,
            "k8s-east",
            name,
            "h100",
            domain,
            0,
            0,
            new ArrayList<>(List.of(gpus)),
            null,
            false);
    return new NodeRecord(node, "main", null, 3, Instant.EPOCH, Instant.EPOCH);
  }

  private static Node with(Node node, Long deadline) {
    return new Node(
        node.id(),
        node.ordinal(),
        node.cluster(),
        node.name(),
        node.model(),
        node.domain(),
        node.cpuMilli(),
        node.memoryMiB(),
        node.gpus(),
        deadline,
        node.retired());
  }

  private static Gpu ok(String uuid) {
    return new Gpu(uuid, Health.OK);
  }
}
