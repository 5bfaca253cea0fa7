package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What several who end at different times lose together. */
class TollTest {

  private final Story story = Story.of("h100", 4);

  @Test
  void nobodyIsBelowAGuaranteeOnceTheLastOfThemHasEnded() {
    story.facts(
        new Move.ClassSet(Story.noticed(2 * Time.MINUTE, null, story.book.serviceClass("batch"))),
        new Move.ClassSet(Story.serviceClass("spare", 0, true, false)),
        new Move.ContractSet(story.contract("acme", 8, null)),
        new Move.ContractSet(story.contract("vision", 4, null)),
        new Move.ContractSet(story.contract("nlp", 1, null)));
    story.asks("nlp", 2).lasting(5 * Time.HOUR).lease();
    story.asks("nlp", 1).of("spare").lasting(5 * Time.HOUR).lease();
    story.clusterObeys();
    story.asks("vision", 4).of("realtime").lasting(Time.HOUR).lease();
    assertThat(story.book.usage().of("nlp", "h100").at(story.now + 3 * Time.MINUTE))
        .isGreaterThanOrEqualTo(1_000);
  }

  @Test
  void norWhenTheOneOfThemThatHasNotBegunWouldHaveBegun() {
    Story two = Story.of("h100", 8, 4);
    PreemptionTest.contracts(two, 8, 4);
    Shape four = Story.AskMaker.whole(4);
    Shape first = four.avoiding(java.util.List.of(new UUID(7, 1)));
    Shape second = four.avoiding(java.util.List.of(new UUID(7, 0)));
    long one = Story.T + Time.HOUR;
    Lease runs = two.asks("nlp", 4).shape(first).lasting(5 * Time.HOUR).lease();
    two.asks("nlp", 4).shape(second).lasting(50 * Time.MINUTE).lease();
    Lease planned = two.asks("nlp", 4).shape(first).at(one, one + 4 * Time.HOUR).lease();
    two.clusterObeys();
    two.asks("vision", 0).groups(1, 8).of("realtime").lasting(3 * Time.HOUR).lease();
    assertThat(two.book.usage().of("nlp", "h100").at(one)).isGreaterThanOrEqualTo(4_000);
    assertThat(two.state(runs.id())).isEqualTo(LeaseState.ACTIVE);
    assertThat(two.lease(planned.id()).window()).isEqualTo(planned.window());
  }

  @Test
  void theRestOfAnOverdueGpuThatIsSetAsideIsNoRoom() {
    Story two = Story.of("h100");
    two.facts(new Move.ModelSet(Fleet.h100()), new Move.NodeSet(two.node("h100", 2)));
    Shape slice = Fleet.mig(1, "3g.40gb");
    two.asks("vision", 1).shape(slice).lasting(Time.HOUR).lease();
    two.clusterObeys();
    two.reserves(
        new UUID(5, 0),
        "nlp",
        Story.AskMaker.whole(2),
        true,
        Span.FOREVER,
        new Span(Story.T + 2 * Time.HOUR, Story.T + 4 * Time.HOUR));
    two.after(2 * Time.HOUR + Time.MINUTE);
    Lease borrower = two.asks("vision", 1).lasting(Time.HOUR).lease();
    assertThat(borrower.state()).isEqualTo(LeaseState.ALLOCATED);
    Lease taker =
        two.asks("vision", 1)
            .shape(slice)
            .of("realtime")
            .lasting(10 * Time.MINUTE)
            .orRefuse()
            .lease();
    assertThat(taker.state()).isEqualTo(LeaseState.REFUSED);
    assertThat(two.state(borrower.id())).isEqualTo(LeaseState.ALLOCATED);
  }
}
