package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Gangs that may start smaller than they ask for. */
class PartialTest {

  private final Story story = Story.of("h100", 8, 8);

  @Test
  void startsWholeWhereItFits() {
    Decision.Decided decided = story.asks("vision", 16).orAtLeast(2).decided();
    assertThat(decided.lease().booking().gpuMilli()).isEqualTo(16_000);
    assertThat(decided.answer().reasons()).isEmpty();
  }

  @Test
  void startsWithTheMostThatFitsAndSaysHowMany() {
    story.asks("nlp", 5).lease();
    Decision.Decided decided = story.asks("vision", 16).orAtLeast(2).decided();
    assertThat(decided.answer().verdict()).isEqualTo(Verdict.ADMITTED);
    assertThat(decided.lease().booking().gpuMilli()).isEqualTo(11_000);
    assertThat(decided.lease().ask().shape().count()).isEqualTo(11);
    assertThat(decided.answer().reasons())
        .singleElement()
        .satisfies(
            reason -> {
              assertThat(reason.code()).isEqualTo("starts-smaller");
              assertThat(reason.need()).isEqualTo(16);
              assertThat(reason.limit()).isEqualTo(11);
              assertThat(reason.unit()).isEqualTo("gpu");
            });
    Lease grown =
        ((Decision.Declined) story.on(new Command.Resize(decided.lease().id(), 16, List.of())))
                .answer()
                .alternatives()
                .isEmpty()
            ? decided.lease()
            : null;
    assertThat(grown).as("there is nothing more to have").isNotNull();
  }

  @Test
  void wholeGroupsOnly() {
    story.asks("nlp", 5).lease();
    Decision.Decided decided = story.asks("vision", 0).groups(4, 4).orAtLeast(1).decided();
    assertThat(Fleet.perNode(decided.lease().booking())).containsExactly(4, 4);
    assertThat(decided.answer().reasons().getFirst().unit()).isEqualTo("group");
  }

  @Test
  void s55TakesItsPartOfWhatOthersWaitForAndNotEverythingThatIsLeft() {
    Lease holder = story.asks("nlp", 16).lease();
    Lease small = story.asks("nlp", 2).lasting(3 * Time.HOUR).lease();
    Lease elastic = story.asks("vision", 100).orAtLeast(2).lasting(2 * Time.HOUR).lease();
    assertThat(elastic.state()).isEqualTo(LeaseState.WAITING);
    story.decide(new Command.Release(holder.id()));
    story.clusterObeys();
    assertThat(story.lease(small.id()).booking()).isNotNull();
    assertThat(story.lease(elastic.id()).booking().gpuMilli())
        .as("alone by now: all that is left")
        .isEqualTo(14_000);

    Story other = Story.of("h100", 16);
    other.facts(
        new Move.ClassSet(Story.serviceClass("low", 1, true, false)),
        new Move.ClassSet(Story.serviceClass("high", 500, true, false)));
    Batch batch =
        other.decide(
            new Command.Create(
                other.asks("vision", 100).of("high").orAtLeast(2).lasting(Time.HOUR).ask()),
            new Command.Create(other.asks("nlp", 3).of("low").ask()),
            new Command.Create(other.asks("nlp", 3).of("low").ask()));
    assertThat(batch.decisions())
        .extracting(each -> ((Decision.Decided) each).lease().state())
        .containsOnly(LeaseState.ALLOCATED);
    assertThat(((Decision.Decided) batch.decisions().getFirst()).lease().booking().gpuMilli())
        .as("its part of two tenants that want the model")
        .isEqualTo(8_000);
  }

  @Test
  void itsPartFollowsTheWeights() {
    Story other = Story.of("h100", 16);
    other.facts(
        new Move.ClassSet(Story.serviceClass("high", 500, true, false)),
        new Move.ContractSet(weighted(1, "acme", 16, 1)),
        new Move.ContractSet(weighted(2, "vision", 8, 3)),
        new Move.ContractSet(weighted(3, "nlp", 0, 1)));
    Batch batch =
        other.decide(
            new Command.Create(other.asks("vision", 100).of("high").orAtLeast(2).ask()),
            new Command.Create(other.asks("nlp", 3).ask()));
    assertThat(((Decision.Decided) batch.decisions().getFirst()).lease().booking().gpuMilli())
        .isEqualTo(12_000);
  }

  private static Contract weighted(long id, String tenant, int guaranteed, int weight) {
    return new Contract(
        new java.util.UUID(4, id),
        tenant,
        new Span(Story.T - 1, Span.FOREVER),
        List.of(new Contract.Entitlement("h100", guaranteed, null, null, weight)));
  }

  @Test
  void aLimitMakesItSmallerToo() {
    story.facts(
        new Move.ContractSet(story.contract("acme", 16, 0)),
        new Move.ContractSet(story.contract("vision", 4, 2)));
    Lease lease = story.asks("vision", 16).orAtLeast(2).lease();
    assertThat(lease.booking().gpuMilli()).isEqualTo(6_000);
    assertThat(story.asks("vision", 16).orAtLeast(2).lease().state()).isEqualTo(LeaseState.WAITING);
  }

  @Test
  void whatCanNeverBeWholeIsNoRefusalWhereTheLeastCan() {
    assertThat(story.asks("vision", 100).orAtLeast(17).decided().answer().refusal())
        .isEqualTo(Answer.Refusal.NEVER);
    assertThat(story.asks("vision", 100).orAtLeast(16).lease().booking().gpuMilli())
        .isEqualTo(16_000);
  }

  @Test
  void waitsForTheLeastAndHoldsAnEarmarkForThat() {
    Lease holder = story.asks("nlp", 12).lasting(Time.HOUR).lease();
    Lease elastic = story.asks("vision", 100).orAtLeast(6).lease();
    assertThat(elastic.state()).isEqualTo(LeaseState.WAITING);
    assertThat(elastic.earmark().booking().gpuMilli()).isEqualTo(6_000);
    story.decide(new Command.Release(holder.id()));
    story.clusterObeys();
    assertThat(story.lease(elastic.id()).booking().gpuMilli()).isEqualTo(16_000);
  }

  @Test
  void aPlannedOneIsBookedSmallerAtTheStartAskedFor() {
    story.asks("nlp", 12).lasting(3 * Time.HOUR).lease();
    Lease planned =
        story
            .asks("vision", 16)
            .orAtLeast(2)
            .at(Story.T + Time.HOUR, Story.T + 2 * Time.HOUR)
            .lease();
    assertThat(planned.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(planned.booking().gpuMilli()).isEqualTo(4_000);
    assertThat(planned.window().start()).isEqualTo(Story.T + Time.HOUR);
  }

  @Test
  void doesNotStartLaterForTheSakeOfMore() {
    story.asks("nlp", 10).lasting(Time.DAY).lease();
    story.asks("nlp", 3).lasting(30 * Time.MINUTE).lease();
    Lease lease =
        story
            .asks("vision", 16)
            .orAtLeast(2)
            .within(Story.T, Story.T + 9 * Time.HOUR, Time.HOUR)
            .lease();
    assertThat(lease.window().start()).isEqualTo(Story.T);
    assertThat(lease.booking().gpuMilli()).isEqualTo(3_000);
  }

  @Test
  void takesNoAccountOfThoseWhoWantAnotherModel() {
    for (String named : List.of("a100", "h100")) {
      Story other = Story.of("h100", 16);
      other.facts(
          new Move.ModelSet(new GpuModel("a100", "A100", List.of(), 81_920, 0, 0, List.of(), 0)),
          new Move.NodeSet(other.node("a100", 4)),
          new Move.ClassSet(Story.serviceClass("high", 500, true, false)));
      Batch batch =
          other.decide(
              new Command.Create(
                  other
                      .asks("vision", 0)
                      .shape(Story.AskMaker.whole(100, "h100"))
                      .of("high")
                      .orAtLeast(2)
                      .ask()),
              new Command.Create(other.asks("nlp", 0).shape(Story.AskMaker.whole(3, named)).ask()));
      assertThat(((Decision.Decided) batch.decisions().getFirst()).lease().booking().gpuMilli())
          .as("others want %s", named)
          .isEqualTo(named.equals("a100") ? 16_000 : 8_000);
    }
  }
}
