package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Who ends for whom, and what each of them is told. */
class PreemptionTest {

  private static final long WIND_DOWN = 90 * Time.SECOND;

  private final Story story = Story.of("h100", 8);

  @Test
  void aHigherClassIsPlannedForWhenItsVictimIsGone() {
    Lease victim = story.asks("vision", 8).lease();
    story.clusterObeys();
    Decision.Decided decided = story.asks("vision", 8).of("realtime").decided();
    assertThat(decided.answer().verdict()).isEqualTo(Verdict.PLANNED);
    assertThat(decided.answer().reasons())
        .extracting(Answer.Reason::code)
        .containsExactly("preempting");
    assertThat(decided.lease().window().start()).isEqualTo(Story.T + WIND_DOWN);
    Lease ending = story.lease(victim.id());
    assertThat(ending.state()).isEqualTo(LeaseState.ENDING);
    assertThat(ending.endCause()).isEqualTo("preempted");
    assertThat(ending.withdrawDue()).isEqualTo(Story.T + WIND_DOWN);
  }

  @Test
  void theRoomIsHeldForWhoMadeIt() {
    Lease victim = story.asks("vision", 8).lease();
    story.clusterObeys();
    Lease urgent = story.asks("vision", 8).of("realtime").lease();
    story.decide(Story.withdrawn(story.lease(victim.id())));
    assertThat(story.asks("nlp", 1).orRefuse().lease().state()).isEqualTo(LeaseState.REFUSED);
    story.after(WIND_DOWN);
    story.clusterObeys();
    assertThat(story.state(victim.id())).isEqualTo(LeaseState.ENDED);
    assertThat(story.state(urgent.id())).isEqualTo(LeaseState.ACTIVE);
  }

  @Test
  void nobodyIsEndedWhereThereIsRoom() {
    Story two = Story.of("h100", 8, 8);
    Lease other = two.asks("vision", 8).lease();
    Lease urgent = two.asks("vision", 8).of("realtime").lease();
    assertThat(urgent.state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(two.state(other.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void anEqualClassTakesNothing() {
    Lease victim = story.asks("vision", 8).lease();
    assertThat(story.asks("vision", 8).lease().state()).isEqualTo(LeaseState.WAITING);
    assertThat(story.state(victim.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void decidingAgainChangesNothing() {
    story.asks("vision", 8).lease();
    story.asks("vision", 8).of("realtime").lease();
    assertThat(story.decide().moves()).isEmpty();
    assertThat(story.after(WIND_DOWN / 2).moves()).isEmpty();
    assertThat(List.copyOf(story.book.leases())).hasSize(2);
  }
}
