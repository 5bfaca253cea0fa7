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

  @Test
  void cpuAndMemoryOfThoseWhoFollowEachOtherCountOnce() {
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
                64_000,
                node.gpus(),
                null,
                false)));
    for (int hour : new int[] {1, 3}) {
      long start = Story.T + hour * Time.HOUR;
      story.asks("nlp", 1).shape(host(16_000, 32_000)).at(start, start + Time.HOUR).lease();
    }
    assertThat(fits(16_000, 32_000)).isTrue();
    assertThat(fits(16_001, 32_000)).isFalse();
    assertThat(fits(16_000, 32_001)).isFalse();
  }

  private static Shape host(long cpuMilli, long memoryMiB) {
    return new Shape(
        List.of(),
        0,
        0,
        1,
        Shape.Slice.WHOLE,
        cpuMilli,
        memoryMiB,
        List.of(),
        Shape.Where.ANYWHERE);
  }

  private boolean fits(long cpuMilli, long memoryMiB) {
    Span hold = new Span(Story.T + Time.HOUR, Story.T + 4 * Time.HOUR);
    return story
            .book
            .capacity()
            .place(host(cpuMilli, memoryMiB), "h100", hold, Story.T, new Budget(Search.STEPS))
        instanceof Found.Room;
  }
}
