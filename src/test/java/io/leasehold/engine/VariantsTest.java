package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Other shapes than the one asked for, those that change the least first. */
class VariantsTest {

  private static Shape groups(int groups, int count, Shape.Spread... rules) {
    return new Shape(
        List.of(),
        0,
        groups,
        count,
        Shape.Slice.WHOLE,
        9_001,
        64_000,
        List.of(rules),
        Shape.Where.ANYWHERE,
        1);
  }

  private static Shape.Spread rule(Level level, Shape.Spread.Rule rule, Integer atMost) {
    return new Shape.Spread(level, rule, atMost);
  }

  @Test
  void theNearestModelByMemoryThatWasNotNamed() {
    Story story = Story.of("h100", 8);
    int[] memories = {24_000, 40_960, 141_000, 81_000};
    String[] slugs = {"l4", "a100", "h200", "a800"};
    for (int i = 0; i < slugs.length; i++) {
      story.facts(
          new Move.ModelSet(
              new GpuModel(slugs[i], slugs[i], List.of(), memories[i], 0, 0, List.of(), 0)),
          new Move.NodeSet(story.node(slugs[i], 8)));
    }
    assertThat(Variants.otherModels(story.book, Story.AskMaker.whole(1, "h100")))
        .containsExactly("a800", "a100", "l4", "h200");
    assertThat(Variants.otherModels(story.book, Story.AskMaker.whole(1, "h100", "l4")))
        .containsExactly("a800", "a100", "h200");
    assertThat(Variants.otherModels(story.book, Story.AskMaker.whole(1))).isEmpty();
  }

  @Test
  void aWiderDomainThenOnlyPreferredThenSmallerGroups() {
    Shape.Spread inRack = rule(Level.RACK, Shape.Spread.Rule.REQUIRED, null);
    Shape asked = groups(2, 4, inRack);
    List<Shape> looser = Variants.looser(asked);
    assertThat(looser)
        .extracting(shape -> shape.topology().getFirst())
        .startsWith(rule(Level.values()[Level.RACK.ordinal() - 1], inRack.rule(), null));
    int wider = Level.RACK.ordinal();
    assertThat(looser.subList(0, wider))
        .allMatch(shape -> shape.topology().getFirst().rule() == Shape.Spread.Rule.REQUIRED)
        .allMatch(shape -> shape.groups() == 2);
    assertThat(looser.get(wider).topology())
        .containsExactly(rule(Level.RACK, Shape.Spread.Rule.PREFERRED, null));
    assertThat(looser.subList(wider + 1, looser.size()))
        .extracting(Shape::groups, Shape::count, Shape::cpuMilli, Shape::memoryMiB, Shape::minCount)
        .containsExactly(tuple(4, 2, 4_501L, 32_000L, 2), tuple(8, 1, 2_251L, 16_000L, 4));
    assertThat(looser).allMatch(shape -> shape.pieces() == 8);
  }

  @Test
  void aMostPerDomainIsGivenUpAndSpreadingIsKept() {
    Shape asked = groups(0, 8, rule(Level.RACK, Shape.Spread.Rule.SPREAD, 2));
    assertThat(Variants.looser(asked))
        .singleElement()
        .satisfies(
            shape ->
                assertThat(shape.topology())
                    .containsExactly(rule(Level.RACK, Shape.Spread.Rule.SPREAD, null)));
    assertThat(Variants.looser(groups(0, 8))).isEmpty();
  }

  @Test
  void noLevelIsNamedTwice() {
    Shape.Spread inRack = rule(Level.RACK, Shape.Spread.Rule.REQUIRED, null);
    Shape.Spread above =
        rule(Level.values()[Level.RACK.ordinal() - 1], Shape.Spread.Rule.SPREAD, null);
    assertThat(Variants.looser(groups(0, 8, inRack, above)))
        .allSatisfy(
            shape ->
                assertThat(shape.topology())
                    .extracting(Shape.Spread::level)
                    .doesNotHaveDuplicates());
  }
}
