package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** CPU beside the GPUs of a node. */
class HostTest {

  private static final Span HOUR = new Span(Story.T, Story.T + Time.HOUR);

  private final Story story = Story.of("h100");

  private Booking booking(int cpuMilli, int... gpus) {
    List<Booking.Slot> slots =
        java.util.Arrays.stream(gpus)
            .mapToObj(
                gpu ->
                    new Booking.Slot(
                        gpu,
                        new UUID(7, 0),
                        Mode.WHOLE,
                        Units.ofGpus(1L << gpu),
                        List.of(),
                        cpuMilli,
                        0))
            .toList();
    return new Booking("east", "h100", HOUR, slots);
  }

  @Test
  void whatTheGroupsOfALeaseWantOnOneNodeCountsTogether() {
    Node node = story.node("h100", 4);
    story.facts(
        new Move.NodeSet(
            new Node(
                node.id(),
                node.ordinal(),
                node.cluster(),
                node.name(),
                node.model(),
                node.domain(),
                32_000,
                0,
                node.gpus(),
                null,
                false)));
    Capacity capacity = story.book.capacity();
    UUID other = new UUID(1, 1);
    UUID lease = new UUID(1, 2);
    capacity.take(other, booking(17_225, 0));
    assertThat(capacity.inTheWay(lease, booking(8_080, 1, 2, 3), HOUR)).containsExactly(other);
    assertThat(capacity.inTheWay(lease, booking(8_080, 1), HOUR)).isEmpty();
    assertThat(capacity.inTheWay(lease, booking(4_000, 1, 2, 3), HOUR)).isEmpty();
    assertThat(capacity.inTheWay(lease, booking(4_000, 0), HOUR)).containsExactly(other);
  }
}
