package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What has not begun is bound elsewhere where those that run must end anyway. */
class DisplacedTest {

  private final Story story = Story.of("h100", 4, 4, 4);
  private final Lease runs = story.asks("vision", 4).lasting(10 * Time.HOUR).lease();
  private final Lease fixed = story.asks("nlp", 4).of("realtime").lasting(3 * Time.HOUR).lease();
  private final Lease planned = later("batch");

  private Lease later(String serviceClass) {
    return story
        .asks("vision", 4)
        .of(serviceClass)
        .at(story.now + Time.HOUR, story.now + 2 * Time.HOUR)
        .lease();
  }

  /** There is room beside it once it ends in time. */
  private void fixedEndsEarlier() {
    story.on(new Command.Shorten(fixed.id(), story.now + 30 * Time.MINUTE));
  }

  private static UUID node(Lease lease) {
    return lease.booking().slots().getFirst().node();
  }

  private Lease urgent() {
    return story.asks("nlp", 0).groups(2, 4).of("realtime").lasting(3 * Time.HOUR).lease();
  }

  @Test
  void whatIsPlannedKeepsItsWindowOnOtherDevices() {
    fixedEndsEarlier();
    assertThat(node(runs)).isNotEqualTo(node(planned));
    assertThat(node(fixed)).isNotEqualTo(node(planned));
    assertThat(urgent().state()).isEqualTo(LeaseState.PLANNED);
    Lease rebound = story.lease(planned.id());
    assertThat(rebound.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(rebound.window()).isEqualTo(planned.window());
    assertThat(node(rebound)).isEqualTo(node(fixed));
    assertThat(PreemptionTest.victims(story.batches.getLast())).containsExactly(runs.id());
  }

  @Test
  void whatHasNowhereToGoEndsToo() {
    fixedEndsEarlier();
    assertThat(node(later("realtime"))).isEqualTo(node(fixed));
    assertThat(urgent().state()).isEqualTo(LeaseState.PLANNED);
    assertThat(PreemptionTest.victims(story.batches.getLast()))
        .containsExactlyInAnyOrder(runs.id(), planned.id());
  }
}
