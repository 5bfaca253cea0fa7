package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A class that says anew how often its leases are taken. */
class DisruptionBudgetTest {

  private final Story story = Story.of("h100", 8);

  private void mostOneWithin(long time) {
    Disruption once = new Disruption(1, time, List.of());
    story.facts(new Move.ClassSet(Story.noticed(0, once, story.book.serviceClass("batch"))));
  }

  private Lease four(String tenant, String serviceClass) {
    return story.asks(tenant, 4).of(serviceClass).lasting(9 * Time.HOUR).lease();
  }

  @Test
  void whoWaitsIsServedAtTheTimeThatItSaysNow() {
    for (long within : List.of(Time.HOUR, 3 * Time.HOUR)) {
      DisruptionBudgetTest other = new DisruptionBudgetTest();
      other.mostOneWithin(2 * Time.HOUR);
      other.four("vision", "batch");
      other.four("vision", "batch");
      other.story.clusterObeys();
      other.four("nlp", "realtime");
      Lease waits = other.four("nlp", "realtime");
      other.story.after(10 * Time.MINUTE);
      other.story.clusterObeys();
      other.mostOneWithin(within);
      Story told = other.story;
      assertThat(PreemptionTest.victims(told.after(Story.T + within - told.now - 1))).isEmpty();
      assertThat(PreemptionTest.victims(told.after(1))).hasSize(1);
      assertThat(told.state(waits.id())).isEqualTo(LeaseState.PLANNED);
    }
  }
}
