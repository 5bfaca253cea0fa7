package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The plain truth about a fleet: a list of nodes and a list of bookings, looked through from end to
 * end. Knows the rules of the hardware and nothing of how {@link Capacity} searches.
 */
final class FleetTruth {

  record Taken(UUID lease, Booking booking) {}

  final Map<UUID, Node> nodes = new HashMap<>();
  final List<Taken> taken = new ArrayList<>();
  final List<Taken> possessed = new ArrayList<>();
  final GpuModel model = Fleet.h100();

  /** Fails with what is wrong with a booking that is about to be taken. */
  void check(String why, Shape shape, Booking booking, long now) {
    assertThat(booking.slots()).as(why).isNotEmpty();
    int pieces = 0;
    Set<Integer> groups = new HashSet<>();
    Set<UUID> ungrouped = new HashSet<>();
    for (Booking.Slot slot : booking.slots()) {
      Node node = nodes.get(slot.node());
      assertThat(node.cluster()).as(why).isEqualTo(booking.cluster());
      assertThat(node.retired() || node.drainDeadline() != null).as(why).isFalse();
      assertThat(slot.mode()).as(why).isEqualTo(shape.slice().mode());
      int here = pieces(why, shape, slot);
      if (shape.groups() > 0) {
        assertThat(here).as(why).isEqualTo(shape.count());
        assertThat(groups.add(slot.group())).as(why + ": group twice").isTrue();
      } else {
        assertThat(ungrouped.add(slot.node())).as(why + ": node twice").isTrue();
      }
      pieces += here;
      checkGpus(why, slot, node);
      assertThat(slot.cpuMilli())
          .as(why)
          .isGreaterThanOrEqualTo(
              shape.groups() > 0 ? shape.cpuMilli() : shape.cpuMilli() * here / shape.count());
    }
    assertThat(pieces).as(why).isEqualTo(shape.pieces());
    checkTopology(why, shape, booking);
    checkOthers(why, booking, now);
  }

  private int pieces(String why, Shape shape, Booking.Slot slot) {
    return switch (shape.slice()) {
      case Shape.Slice.Whole _ -> {
        assertThat(slot.units()).as(why).isEqualTo(Units.ofGpus(slot.units().gpus()));
        yield slot.units().size() / Units.PER_GPU;
      }
      case Shape.Slice.Share share -> {
        int sum = 0;
        int[] perGpu = new int[Node.MOST_GPUS];
        slot.units().addTo(perGpu);
        for (int units : perGpu) {
          assertThat(units % share.milli()).as(why + ": fraction over two GPUs").isZero();
          sum += units / share.milli();
        }
        yield sum;
      }
      case Shape.Slice.Mig mig -> {
        int size = 0;
        for (Booking.Instance instance : slot.instances()) {
          GpuModel.Profile profile = MigTable.profile(model, mig.profile());
          assertThat(instance.profile()).as(why).isEqualTo(mig.profile());
          assertThat(profile.starts()).as(why).contains(instance.start());
          assertThat(instance.size()).as(why).isEqualTo(profile.size());
          size += profile.size() * 125;
        }
        assertThat(slot.units().size()).as(why).isEqualTo(size);
        yield slot.instances().size();
      }
    };
  }

  private static void checkGpus(String why, Booking.Slot slot, Node node) {
    for (long left = slot.units().gpus(); left != 0; left &= left - 1) {
      Node.Gpu gpu = node.gpus().get(Long.numberOfTrailingZeros(left));
      assertThat(gpu.health()).as(why).isEqualTo(Health.OK);
    }
  }

  /** What a node counts to at a level: those without a name are one together under a parent. */
  static String bucket(Node node, Level level) {
    StringBuilder bucket = new StringBuilder();
    for (Level each : Level.values()) {
      if (each.compareTo(level) <= 0) {
        String name = each == Level.NODE ? node.name() : node.domain().at(each);
        bucket.append('/').append(name == null ? "?" : name);
      }
    }
    return bucket.toString();
  }

  private void checkTopology(String why, Shape shape, Booking booking) {
    for (Shape.Spread rule : shape.topology()) {
      Map<String, Integer> perDomain = new HashMap<>();
      for (Booking.Slot slot : booking.slots()) {
        Node node = nodes.get(slot.node());
        perDomain.merge(
            bucket(node, rule.level()), slot.units().size() / Units.PER_GPU, Integer::sum);
      }
      if (rule.rule() == Shape.Spread.Rule.REQUIRED) {
        assertThat(perDomain).as(why).hasSize(1);
        assertThat(perDomain.keySet().iterator().next()).as(why).doesNotEndWith("/?");
      }
      if (rule.atMost() != null) {
        assertThat(perDomain.values()).as(why).allMatch(each -> each <= rule.atMost());
      }
    }
  }

  private void checkOthers(String why, Booking booking, long now) {
    for (Booking.Slot slot : booking.slots()) {
      List<Booking.Slot> mine = new ArrayList<>(booking.slots());
      mine.removeIf(each -> !each.node().equals(slot.node()));
      for (long instant : instants(booking.hold())) {
        boolean due = instant == booking.hold().start() && instant <= now;
        List<Booking.Slot> there = at(slot.node(), instant, due);
        checkTogether(why, nodes.get(slot.node()), there, mine);
      }
    }
  }

  private List<Long> instants(Span hold) {
    List<Long> instants = new ArrayList<>(List.of(hold.start()));
    for (Taken each : taken) {
      if (hold.contains(each.booking.hold().start())) {
        instants.add(each.booking.hold().start());
      }
    }
    return instants;
  }

  private List<Booking.Slot> at(UUID node, long instant, boolean due) {
    List<Booking.Slot> slots = new ArrayList<>();
    Set<UUID> counted = new HashSet<>();
    for (Taken each : taken) {
      if (each.booking.hold().contains(instant)) {
        counted.add(each.lease);
        slots.addAll(each.booking.slots());
      }
    }
    for (Taken each : possessed) {
      if (due && !counted.contains(each.lease)) {
        slots.addAll(each.booking.slots());
      }
    }
    slots.removeIf(slot -> !slot.node().equals(node));
    return slots;
  }

  /**
   * The rules of the hardware for what is laid on a node beside what is there at one instant. What
   * is there may overlap itself: a plan has come, and what it follows is not withdrawn yet.
   */
  private void checkTogether(
      String why, Node node, List<Booking.Slot> there, List<Booking.Slot> mine) {
    List<Booking.Slot> all = new ArrayList<>(there);
    long cpu = there.stream().mapToLong(Booking.Slot::cpuMilli).sum();
    for (Booking.Slot slot : mine) {
      cpu += slot.cpuMilli();
      for (Booking.Slot other : all) {
        assertThat(slot.units().overlaps(other.units())).as(why + ": overlap").isFalse();
        assertThat(slot.mode() != other.mode() && shareGpus(slot, other))
            .as(why + ": modes")
            .isFalse();
      }
      all.add(slot);
    }
    for (long left = gpus(mine); left != 0; left &= left - 1) {
      checkMig(why, Long.numberOfTrailingZeros(left), all);
    }
    if (node.cpuMilli() > 0) {
      assertThat(cpu).as(why + ": CPU").isLessThanOrEqualTo(node.cpuMilli());
    }
  }

  private static boolean shareGpus(Booking.Slot one, Booking.Slot other) {
    return (one.units().gpus() & other.units().gpus()) != 0;
  }

  private static long gpus(List<Booking.Slot> slots) {
    return slots.stream().mapToLong(slot -> slot.units().gpus()).reduce(0, (a, b) -> a | b);
  }

  private void checkMig(String why, int gpu, List<Booking.Slot> slots) {
    int compute = 0;
    int media = 0;
    for (Booking.Slot slot : slots) {
      for (Booking.Instance instance : slot.instances()) {
        if (instance.gpu() == gpu) {
          compute += MigTable.profile(model, instance.profile()).compute();
          media += instance.profile().contains("+me") ? 1 : 0;
        }
      }
    }
    assertThat(compute).as(why + ": compute slices").isLessThanOrEqualTo(7);
    assertThat(media).as(why + ": media engines").isLessThanOrEqualTo(1);
  }

  /** Whether some node has so many whole GPUs, and the CPU, over all of the hold. */
  boolean hasRoomOnOneNode(int gpus, long cpuMilli, Span hold, long now) {
    for (Node node : nodes.values()) {
      if (freeGpus(node, hold, now) >= gpus && freeCpu(node, hold, now) >= cpuMilli) {
        return true;
      }
    }
    return false;
  }

  int freeGpus(Node node, Span hold, long now) {
    int free = 0;
    for (int k = 0; k < node.gpus().size(); k++) {
      Units units = Units.ofGpus(1L << k);
      boolean ok = node.gpus().get(k).health() == Health.OK;
      for (Taken each : taken) {
        ok &= !(each.booking.hold().overlaps(hold) && isOn(each, node, units));
      }
      for (Taken each : possessed) {
        ok &= !(hold.start() <= now && isOn(each, node, units));
      }
      free += ok ? 1 : 0;
    }
    return node.drainDeadline() != null || node.retired() ? 0 : free;
  }

  private static boolean isOn(Taken each, Node node, Units units) {
    return each.booking.slots().stream()
        .anyMatch(slot -> slot.node().equals(node.id()) && slot.units().overlaps(units));
  }

  private long freeCpu(Node node, Span hold, long now) {
    if (node.cpuMilli() == 0) {
      return Long.MAX_VALUE;
    }
    long most = 0;
    for (long instant : instants(hold)) {
      boolean due = hold.start() <= now && instant == hold.start();
      most =
          Math.max(
              most, at(node.id(), instant, due).stream().mapToLong(Booking.Slot::cpuMilli).sum());
    }
    return node.cpuMilli() - most;
  }
}
