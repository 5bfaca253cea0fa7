package io.leasehold.lease;

import io.leasehold.engine.Answer;
import io.leasehold.engine.Booking;
import io.leasehold.engine.GpuModel;
import io.leasehold.engine.Health;
import io.leasehold.engine.Lease;
import io.leasehold.engine.LeaseState;
import io.leasehold.engine.Mode;
import io.leasehold.engine.Node;
import io.leasehold.engine.Units;
import io.leasehold.fleet.GpuModels;
import io.leasehold.fleet.Nodes;
import io.leasehold.lease.LeaseResponse.AccessResponse;
import io.leasehold.lease.LeaseResponse.Allocation;
import io.leasehold.lease.LeaseResponse.Creator;
import io.leasehold.lease.LeaseResponse.Gpu;
import io.leasehold.lease.LeaseResponse.Interval;
import io.leasehold.lease.LeaseResponse.Mig;
import io.leasehold.lease.LeaseResponse.Notice;
import io.leasehold.lease.LeaseResponse.Publishing;
import io.leasehold.ledger.LeaseRecord;
import io.leasehold.ledger.LeaseText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Shows a lease to a caller. */
@Component
class LeaseRendering {

  private final Function<UUID, Optional<Node>> nodes;
  private final Function<String, Optional<GpuModel>> models;
  private final Function<UUID, Optional<String>> tenantOf;
  private final JsonMapper json;

  @Autowired
  LeaseRendering(Nodes nodes, GpuModels models, LeaseReads reads, JsonMapper json) {
    this(nodes::find, models::find, reads::tenantOf, json);
  }

  LeaseRendering(
      Function<UUID, Optional<Node>> nodes,
      Function<String, Optional<GpuModel>> models,
      Function<UUID, Optional<String>> tenantOf,
      JsonMapper json) {
    this.nodes = nodes;
    this.models = models;
    this.tenantOf = tenantOf;
    this.json = json;
  }

  /** How much of a lease is shown. */
  enum View {
    /** Without the large parts. */
    BASIC,
    FULL,
    /** As it would be: no id, no revision, nothing that was not stored. */
    DRY_RUN
  }

  LeaseResponse of(LeaseRecord stored, View view, Sight sight) {
    Lease lease = stored.lease();
    LeaseText text = stored.text();
    boolean whole = view != View.BASIC;
    boolean kept = view != View.DRY_RUN;
    return new LeaseResponse(
        kept ? lease.id() : null,
        lease.ask().tenant(),
        stored.pool(),
        lease.booking() == null ? null : lease.booking().cluster(),
        text.name(),
        lease.ask().serviceClass(),
        kept ? Wire.instant(lease.createdAt()) : null,
        kept ? Wire.instant(stored.updatedAt()) : null,
        kept ? new Creator(stored.createdBy().kind(), stored.createdBy().name()) : null,
        text.owner(),
        orAbsent(text.labels()),
        whole ? orAbsent(text.annotations()) : null,
        text.notifyBefore().isEmpty() ? null : text.notifyBefore(),
        kept ? lease.revision() : null,
        kept ? lease.generation() : null,
        kept ? lease.state().name() : LeaseState.REQUESTED.name(),
        lease.degraded(),
        lease.ask().shape().pieces(),
        lease.ask().preemptible(),
        lease.ask().reservation(),
        lease.window() == null ? null : Wire.instant(lease.window().start()),
        lease.window() == null ? null : Wire.instant(Long.valueOf(lease.window().end())),
        Wire.instant(lease.activeAt()),
        Wire.instant(lease.endedAt()),
        lease.endCause(),
        notice(lease),
        delayedBy(lease, sight),
        whole ? text.request() : null,
        whole ? text.effective() : null,
        whole ? allocations(lease) : null,
        whole ? decision(stored, sight) : null,
        kept ? publishing(stored) : null,
        kept ? access(lease) : null);
  }

  DecisionResponse decision(LeaseRecord stored, Sight sight) {
    return decision(stored.answer(), stored.pool(), stored.bookRevision(), stored.text(), sight);
  }

  /** Another answer about a lease, such as the live one, or that to a verb. */
  DecisionResponse decision(
      Answer answer, String pool, long bookRevision, LeaseText text, Sight sight) {
    return new DecisionRendering(new Requests(this::canonical), sight)
        .of(answer, pool, bookRevision, () -> json.readValue(text.effective(), LeaseRequest.class));
  }

  /** Of what is over, the end's cause tells. */
  private static @Nullable Notice notice(Lease lease) {
    Lease.Notice notice = lease.notice();
    return notice == null || !lease.state().hasPromise()
        ? null
        : new Notice(notice.cause(), Wire.instant(Long.valueOf(notice.effectiveAt())));
  }

  private @Nullable UUID delayedBy(Lease lease, Sight sight) {
    return lease.delayedBy() == null
        ? null
        : tenantOf
            .apply(lease.delayedBy())
            .filter(sight::sees)
            .map(own -> lease.delayedBy())
            .orElse(null);
  }

  private String canonical(String model) {
    return models.apply(model).map(GpuModel::canonical).orElse(model);
  }

  private @Nullable List<Allocation> allocations(Lease lease) {
    Booking booking = lease.booking();
    if (booking == null || !(lease.state().hasPromise() || lease.state().hasPossession())) {
      return null;
    }
    return allocations(booking, lease.state() == LeaseState.PLANNED ? "TENTATIVE" : "FINAL");
  }

  List<Allocation> allocations(Booking booking, String binding) {
    return joined(booking).stream()
        .map(slot -> allocation(slot, booking.model(), binding))
        .toList();
  }

  /** What one group has on one node, whenever it came. */
  private static Collection<Booking.Slot> joined(Booking booking) {
    Map<List<Object>, Booking.Slot> joined = new LinkedHashMap<>();
    for (Booking.Slot slot : booking.slots()) {
      joined.merge(List.of(slot.group(), slot.node()), slot, Booking.Slot::with);
    }
    return joined.values();
  }

  private Allocation allocation(Booking.Slot slot, String model, String binding) {
    Optional<Node> node = nodes.apply(slot.node());
    int slices = models.apply(model).map(GpuModel::memorySlices).orElse(0);
    return new Allocation(
        slot.group(),
        node.map(Node::name).orElse(slot.node().toString()),
        slot.node(),
        node.map(known -> known.domain().pathOf(known.name())).orElse(""),
        canonical(model),
        binding,
        health(slot.units(), node).name(),
        gpus(slot, node, Units.PER_GPU / Math.max(1, slices)));
  }

  private static Health health(Units units, Optional<Node> node) {
    Health worst = Health.OK;
    for (int index : indexes(units)) {
      Health health =
          node.flatMap(known -> gpu(known, index)).map(Node.Gpu::health).orElse(Health.RETIRED);
      worst = health.compareTo(worst) > 0 ? health : worst;
    }
    return worst;
  }

  private static Optional<Node.Gpu> gpu(Node node, int index) {
    return index < node.gpus().size() ? Optional.of(node.gpus().get(index)) : Optional.empty();
  }

  private static List<Integer> indexes(Units units) {
    List<Integer> indexes = new ArrayList<>();
    for (long mask = units.gpus(); mask != 0; mask &= mask - 1) {
      indexes.add(Long.numberOfTrailingZeros(mask));
    }
    return indexes;
  }

  /** One entry for each GPU, or for each MIG instance. */
  private static List<Gpu> gpus(Booking.Slot slot, Optional<Node> node, int perSlice) {
    Function<Integer, @Nullable String> uuid =
        index -> node.flatMap(known -> gpu(known, index)).map(Node.Gpu::uuid).orElse(null);
    if (slot.mode() == Mode.MIG) {
      return slot.instances().stream()
          .map(
              instance ->
                  new Gpu(
                      instance.gpu(),
                      uuid.apply(instance.gpu()),
                      new Mig(instance.profile(), instance.start(), instance.size()),
                      List.of(
                          new Interval(
                              instance.start() * perSlice,
                              (instance.start() + instance.size()) * perSlice))))
          .toList();
    }
    return indexes(slot.units()).stream()
        .map(
            index ->
                new Gpu(
                    index,
                    uuid.apply(index),
                    null,
                    slot.mode() == Mode.WHOLE ? null : intervals(slot.units(), index)))
        .toList();
  }

  /** The units on one GPU, counted from its first. */
  private static List<Interval> intervals(Units units, int gpu) {
    int first = gpu * Units.PER_GPU;
    int[] bounds = units.bounds();
    List<Interval> intervals = new ArrayList<>();
    for (int i = 0; i < bounds.length; i += 2) {
      int start = Math.max(bounds[i] - first, 0);
      int end = Math.min(bounds[i + 1] - first, Units.PER_GPU);
      if (start < end) {
        intervals.add(new Interval(start, end));
      }
    }
    return intervals;
  }

  private static @Nullable Publishing publishing(LeaseRecord stored) {
    Lease lease = stored.lease();
    String state = lease.parked() ? "PARKED" : publishingState(lease);
    return state == null
        ? null
        : new Publishing(state, lease.generation(), Wire.instant(stored.updatedAt()));
  }

  private static @Nullable String publishingState(Lease lease) {
    return switch (lease.state()) {
      case ALLOCATED -> "ORDERED";
      case PUBLISHING -> "PUBLISHED";
      case ACTIVE -> lease.change() != null && lease.change().ordered() ? "ORDERED" : "USABLE";
      case ENDING -> "WITHDRAWING";
      case ENDED, CANCELLED -> lease.generation() > 0 ? "WITHDRAWN" : null;
      case REQUESTED, WAITING, PLANNED, REFUSED -> null;
    };
  }

  /** In this version every cluster is simulated. */
  private static @Nullable AccessResponse access(Lease lease) {
    return switch (lease.state()) {
      case ALLOCATED, PUBLISHING, ACTIVE ->
          new AccessResponse("simulated", "simulated", lease.state() == LeaseState.ACTIVE);
      default -> null;
    };
  }

  private static @Nullable Map<String, String> orAbsent(Map<String, String> values) {
    return values.isEmpty() ? null : values;
  }
}
