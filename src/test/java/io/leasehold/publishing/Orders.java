package io.leasehold.publishing;

import io.leasehold.engine.Booking;
import io.leasehold.engine.Mode;
import io.leasehold.engine.Span;
import io.leasehold.engine.Units;
import io.leasehold.publishing.ClusterOrder.Kind;
import java.util.List;
import java.util.UUID;

/** Orders for tests: one whole GPU on one node. */
public final class Orders {

  public static final UUID NODE = new UUID(7, 7);

  private Orders() {}

  public static ClusterOrder publish(UUID lease, int generation) {
    return order(lease, 1, generation, Kind.PUBLISH);
  }

  public static ClusterOrder withdraw(UUID lease, int generation) {
    return order(lease, 1, generation, Kind.WITHDRAW);
  }

  public static ClusterOrder order(UUID lease, int epoch, int generation, Kind kind) {
    return new ClusterOrder(lease, generation, epoch, kind, "east", booking("east"), 30);
  }

  /** The same lease with so many GPUs of its node. */
  static ClusterOrder publish(UUID lease, int generation, int gpus) {
    Booking one = booking("east");
    Booking.Slot slot =
        new Booking.Slot(0, NODE, Mode.WHOLE, Units.of(0, 1000 * gpus), List.of(), 1000, 1024);
    Booking wanted = new Booking(one.cluster(), one.model(), one.hold(), List.of(slot));
    return new ClusterOrder(lease, generation, 1, Kind.PUBLISH, "east", wanted, 30);
  }

  static Booking booking(String cluster) {
    return new Booking(
        cluster,
        "h100",
        new Span(0, 1_000_000),
        List.of(new Booking.Slot(0, NODE, Mode.WHOLE, Units.of(0, 1000), List.of(), 1000, 1024)));
  }
}
