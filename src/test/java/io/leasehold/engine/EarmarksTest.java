package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Who holds an earmark keeps its place among those who do. */
class EarmarksTest {

  private final Story story = Story.of("h100", 8);

  EarmarksTest() {
    story.facts(
        new Move.ModelSet(new GpuModel("a100", "A100", List.of(), 80, 0, 0, List.of(), 0)),
        new Move.NodeSet(story.node("a100", 8)),
        new Move.TenantSet(new Tenant("lidar", "acme", false)));
  }

  private Ask asks(String tenant, String model, long length) {
    return story.asks(tenant, 8).shape(Story.AskMaker.whole(8, model)).lasting(length).ask();
  }

  /** All borrow, so the tenant that has used less comes first. */
  @Test
  void ranksRiseInTheOrderOfPrecedenceAndArePlacesInLine() {
    Span always = new Span(Story.T - 1, Span.FOREVER);
    for (String tenant : List.of("acme", "vision", "nlp")) {
      story.facts(
          new Move.ContractSet(story.contract(tenant, "h100", 0, null, always)),
          new Move.ContractSet(story.contract(tenant, "a100", 0, null, always)));
    }
    story.ask(asks("vision", "h100", Time.HOUR));
    story.ask(asks("lidar", "a100", 2 * Time.HOUR));
    story.clusterObeys();
    Ask usedMuch = asks("vision", "h100", Time.HOUR);
    Ask usedLittle = asks("nlp", "a100", Time.HOUR);
    story.decide(new Command.Create(usedMuch), new Command.Create(usedLittle));
    assertThat(rank(usedLittle)).isZero();
    assertThat(rank(usedMuch)).isEqualTo(1);
    assertThat(Engine.queue(story.book, story.now))
        .extracting(Place::lease)
        .containsExactly(usedLittle.lease(), usedMuch.lease());

    Ask third = asks("nlp", "h100", Time.HOUR);
    story.ask(third);
    story.after(Time.HOUR);
    story.clusterObeys();
    assertThat(story.state(usedMuch.lease())).isEqualTo(LeaseState.ALLOCATED);
    assertThat(rank(usedLittle)).as("kept until it starts").isZero();
    assertThat(rank(third)).isEqualTo(1);
  }

  private int rank(Ask ask) {
    return story.lease(ask.lease()).earmark().rank();
  }
}
