package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** Fleets and shapes for tests of the engine, said briefly. */
final class Fleet {

  static final long SECOND = 1_000_000;
  static final String H100 = "h100";

  private Fleet() {}

  static GpuModel h100() {
    return new GpuModel(
        H100,
        "NVIDIA-H100-80GB-HBM3",
        List.of(),
        81_920,
        8,
        7,
        List.of(
            new GpuModel.Profile("1g.10gb", 1, 1, List.of(0, 1, 2, 3, 4, 5, 6), 7),
            new GpuModel.Profile("1g.10gb+me", 1, 1, List.of(0, 1, 2, 3, 4, 5, 6), 1),
            new GpuModel.Profile("1g.20gb", 2, 1, List.of(0, 2, 4, 6), 4),
            new GpuModel.Profile("2g.20gb", 2, 2, List.of(0, 2, 4), 3),
            new GpuModel.Profile("3g.40gb", 4, 3, List.of(0, 4), 2),
            new GpuModel.Profile("4g.40gb", 4, 4, List.of(0), 1),
            new GpuModel.Profile("7g.80gb", 8, 7, List.of(0), 1)),
        0);
  }

  static Node node(int ordinal, String cluster, Domain domain, int gpus) {
    return node(ordinal, cluster, domain, gpus, 0, 0);
  }

  static Node node(
      int ordinal, String cluster, Domain domain, int gpus, long cpuMilli, long memoryMiB) {
    return new Node(
        id(ordinal),
        ordinal,
        cluster,
        "n" + ordinal,
        H100,
        domain,
        cpuMilli,
        memoryMiB,
        IntStream.range(0, gpus).mapToObj(_ -> new Node.Gpu(null, Health.OK)).toList(),
        null,
        false);
  }

  static UUID id(long number) {
    return new UUID(0x0190_0000_0000_7000L, number);
  }

  static Domain rack(String block, String rack) {
    return new Domain("eu-1", "eu-1a", block, rack, null);
  }

  static Shape whole(int count, Shape.Spread... topology) {
    return shape(0, count, Shape.Slice.WHOLE, topology);
  }

  static Shape groups(int groups, int each, Shape.Spread... topology) {
    return shape(groups, each, Shape.Slice.WHOLE, topology);
  }

  static Shape mig(int count, String profile) {
    return shape(0, count, new Shape.Slice.Mig(profile));
  }

  static Shape share(int count, int milli) {
    return shape(0, count, new Shape.Slice.Share(milli));
  }

  static Shape shape(int groups, int count, Shape.Slice slice, Shape.Spread... topology) {
    return new Shape(
        List.of(), 0, groups, count, slice, 0, 0, List.of(topology), Shape.Where.ANYWHERE);
  }

  static Shape.Spread required(Level level) {
    return new Shape.Spread(level, Shape.Spread.Rule.REQUIRED, null);
  }

  static Shape.Spread preferred(Level level) {
    return new Shape.Spread(level, Shape.Spread.Rule.PREFERRED, null);
  }

  static Shape.Spread spread(Level level, Integer atMost) {
    return new Shape.Spread(level, Shape.Spread.Rule.SPREAD, atMost);
  }

  /** GPUs per node of a booking, in the order of its slots. */
  static List<Integer> perNode(Booking booking) {
    List<Integer> counts = new ArrayList<>();
    for (Booking.Slot slot : booking.slots()) {
      counts.add(slot.units().size() / Units.PER_GPU);
    }
    return counts;
  }

  static List<UUID> nodes(Booking booking) {
    return booking.slots().stream().map(Booking.Slot::node).toList();
  }
}
