package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Whose promises broken hardware breaks. */
class LossesTest {

  private final Story story = Story.of("h100", 8, 8);

  private void contracts(int acme, int vision, int nlp) {
    story.facts(
        new Move.ContractSet(story.contract("acme", acme, null)),
        new Move.ContractSet(story.contract("vision", vision, null)),
        new Move.ContractSet(story.contract("nlp", nlp, null)));
  }

  private List<Loss> losses() {
    return story.book.losses().getOrDefault("h100", List.of());
  }

  private void breakGpus(int node, int count) {
    for (int gpu = 0; gpu < count; gpu++) {
      story.breakGpu(node, gpu);
    }
  }

  @Test
  void whatNobodyIsPromisedGoesFirst() {
    contracts(12, 8, 4);
    breakGpus(0, 4);
    assertThat(losses()).isEmpty();
  }

  @Test
  void thenBorrowersLoseWhatTheyUseAndNoGuarantee() {
    contracts(12, 8, 4);
    story.asks("vision", 8).lease();
    story.asks("nlp", 8).lease();
    story.clusterObeys();
    breakGpus(0, 2);
    assertThat(losses()).containsExactly(new Loss("nlp", 0, 2_000));
    story.setHealth(0, 0, Health.OK);
    assertThat(losses()).containsExactly(new Loss("nlp", 0, 1_000));
    story.setHealth(0, 1, Health.OK);
    assertThat(losses()).isEmpty();
  }

  @Test
  void thenGuaranteesInProportionLevelByLevel() {
    contracts(12, 8, 4);
    breakGpus(0, 7);
    assertThat(losses())
        .containsExactly(
            new Loss("acme", 3_000, 0), new Loss("nlp", 1_000, 0), new Loss("vision", 2_000, 0));
  }

  @Test
  void whatALevelKeepsForItselfGoesBeforeItsChildren() {
    contracts(16, 8, 4);
    breakGpus(0, 4);
    assertThat(losses()).containsExactly(new Loss("acme", 4_000, 0));
    breakGpus(0, 7);
    assertThat(losses())
        .containsExactly(
            new Loss("acme", 7_000, 0), new Loss("nlp", 1_000, 0), new Loss("vision", 2_000, 0));
  }

  @Test
  void theRecordFollowsContractsThatBeginAndEnd() {
    contracts(8, 8, 0);
    breakGpus(0, 6);
    assertThat(losses()).isEmpty();
    Contract later =
        story.contract(
            "acme", "h100", 8, null, new Span(Story.T + Time.HOUR, Story.T + 2 * Time.HOUR));
    story.facts(new Move.ContractSet(later));
    story.after(Time.MINUTE);
    assertThat(losses()).isEmpty();
    Batch begins = story.after(Time.HOUR);
    assertThat(begins.moves())
        .containsExactly(new Move.LossSet("h100", List.of(new Loss("acme", 6_000, 0))));
    story.after(Time.HOUR);
    assertThat(losses()).isEmpty();
  }

  @Test
  void whoComesAfterTheLossIsCountedToo() {
    contracts(12, 8, 4);
    story.asks("vision", 8).lease();
    story.clusterObeys();
    breakGpus(0, 2);
    assertThat(losses()).isEmpty();
    story.asks("nlp", 8).lease();
    assertThat(losses()).containsExactly(new Loss("nlp", 0, 2_000));
  }

  @Test
  void nothingIsRecordedTwice() {
    contracts(16, 16, 0);
    breakGpus(0, 1);
    assertThat(losses()).hasSize(2);
    assertThat(story.after(Time.MINUTE).moves()).isEmpty();
  }

  @Test
  void whatTheDivisionLeavesIsLostByTheFirstOnly() {
    contracts(12, 7, 5);
    breakGpus(0, 5);
    assertThat(losses())
        .containsExactly(
            new Loss("acme", 1_000, 0), new Loss("nlp", 417, 0), new Loss("vision", 583, 0));
  }
}
