package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Which changes of the fleet are taken, and what they do to what lies on it. */
class InventoryTest {

  private final Story story = Story.of("h100", 8);
  private final Node node = story.book.node(new UUID(7, 0));

  private String refused(Node... nodes) {
    Decision decision = story.on(new Command.SetNodes(List.of(nodes), Command.Shrink.DEGRADE));
    assertThat(story.batches.getLast().moves()).isEmpty();
    return ((Decision.Declined) decision).detail();
  }

  @Test
  void eachNodeHasAKnownModelAndAnOrdinalOfItsOwn() {
    assertThat(refused(node.withOrdinal(5))).isEqualTo("node n0 has ordinal 0 for ever");
    Node one = story.node("h100", 8);
    Node two = story.node("h100", 8);
    assertThat(refused(one, two.withOrdinal(one.ordinal()))).isEqualTo("ordinal 1 is given twice");
    assertThat(refused(story.node("b200", 8))).isEqualTo("node n3: no GPU model b200");
  }

  @Test
  void whoStartsLaterMayHaveWhatIsLeftOfItsOwnDevices() {
    long start = story.now + 2 * Time.HOUR;
    Lease other = story.asks("nlp", 3).at(start, start + 2 * Time.HOUR).lease();
    Lease planned =
        story.asks("vision", 4).within(start, start + 9 * Time.HOUR, 5 * Time.HOUR).lease();
    long gpus = planned.booking().slots().getFirst().units().gpus();
    story.breakGpu(0, Long.numberOfTrailingZeros(gpus));
    assertThat(story.state(planned.id())).isEqualTo(LeaseState.PLANNED);
    assertThat(story.lease(planned.id()).window()).as("one is free").isEqualTo(planned.window());
    assertThat(story.batches.getLast().moves())
        .filteredOn(Move.LeaseMoved.class::isInstance)
        .extracting(move -> ((Move.LeaseMoved) move).cause())
        .containsExactly("rebound");
    story.breakGpu(0, 63 - Long.numberOfLeadingZeros(gpus));
    assertThat(story.lease(planned.id()).window().start()).isEqualTo(other.booking().hold().end());
  }
}
