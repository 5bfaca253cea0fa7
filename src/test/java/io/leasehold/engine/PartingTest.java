package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which devices go first when a lease gives some back. */
class PartingTest {

  private final Story story = Story.of("h100", 4, 4, 2);

  private Parting.Parts given(Lease lease, int items) {
    return new Parting(story.book, lease.ask().shape(), lease.booking()).giveBack(items, Set.of());
  }

  private static List<Integer> perNode(List<Booking.Slot> slots) {
    return slots.stream().map(slot -> slot.units().size() / Units.PER_GPU).toList();
  }

  @Test
  void theLargestThatGoesWholeElseAPartOfTheSmallest() {
    Lease lease = story.asks("vision", 10).lease();
    assertThat(Fleet.perNode(lease.booking())).containsExactly(4, 4, 2);
    assertThat(perNode(given(lease, 1).kept())).containsExactly(4, 4, 1);
    assertThat(perNode(given(lease, 2).kept())).containsExactly(4, 4);
    assertThat(perNode(given(lease, 3).kept())).containsExactly(3, 4);
    assertThat(perNode(given(lease, 4).kept())).containsExactly(4, 2);
    assertThat(perNode(given(lease, 6).kept())).containsExactly(4);
  }

  @Test
  void theLastGroupFirst() {
    Lease lease = story.asks("vision", 0).groups(5, 2).lease();
    Parting.Parts parts = given(lease, 2);
    assertThat(parts.given()).extracting(Booking.Slot::group).containsExactly(4, 3);
    assertThat(parts.kept()).extracting(Booking.Slot::group).containsExactly(0, 1, 2);
  }

  @Test
  void brokenDevicesGoFirstOutOfANodeToo() {
    Lease lease = story.asks("vision", 4).lease();
    int node = (int) lease.booking().slots().getFirst().node().getLeastSignificantBits();
    story.breakGpu(node, 0);
    assertThat(given(lease, 1).given().getFirst().units()).isEqualTo(Units.ofGpus(1));
    story.setHealth(node, 0, Health.OK);
    assertThat(given(lease, 1).given().getFirst().units()).isEqualTo(Units.ofGpus(1 << 3));
  }

  @Test
  void cpuAndMemoryGoWithTheDevices() {
    Shape shape =
        new Shape(
            List.of(), 0, 0, 4, Shape.Slice.WHOLE, 16_000, 8_192, List.of(), Shape.Where.ANYWHERE);
    Parting.Parts parts = given(story.asks("vision", 0).shape(shape).lease(), 1);
    assertThat(parts.kept().getFirst().cpuMilli()).isEqualTo(12_000);
    assertThat(parts.kept().getFirst().memoryMiB()).isEqualTo(6_144);
    assertThat(parts.given().getFirst().cpuMilli()).isEqualTo(4_000);
  }
}
