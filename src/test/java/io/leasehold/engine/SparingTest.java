package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What becomes of what is set aside when its nodes change. */
class SparingTest {

  private final Story story = Story.of("h100", 8, 8);
  private final Span window = new Span(Story.T + Time.HOUR, Story.T + 9 * Time.HOUR);
  private final Occurrence occurrence =
      Story.setAside(story.reserves("vision", Story.AskMaker.whole(8), window)).getFirst();
  private final Node node = story.book.node(occurrence.booking().slots().getFirst().node());

  private List<String> causes() {
    return story.batches.getLast().moves().stream()
        .filter(Move.OccurrenceMoved.class::isInstance)
        .map(move -> ((Move.OccurrenceMoved) move).cause())
        .toList();
  }

  private UUID otherNode() {
    return new UUID(7, 1 - node.ordinal());
  }

  @Test
  void aNodeWithSomethingSetAsideIsNotTakenOutUnlessThatIsMeant() {
    Decision refused = story.on(new Command.SetNodes(List.of(node.gone()), Command.Shrink.REFUSE));
    assertThat(((Decision.Declined) refused).detail()).contains(occurrence.id().toString());
    assertThat(story.book.node(node.id()).retired()).isFalse();
    assertThat(story.occurrence(occurrence.id())).isEqualTo(occurrence);
    story.on(new Command.SetNodes(List.of(node.gone()), Command.Shrink.DEGRADE));
    assertThat(causes()).containsExactly("rebound");
    assertThat(Fleet.nodes(story.occurrence(occurrence.id()).booking()))
        .containsExactly(otherNode());
  }

  @Test
  void whatALeaseHasOfItKeepsAllOfItWhereItIs() {
    story
        .asks("vision", 2)
        .at(window.start(), window.start() + Time.HOUR)
        .on(occurrence.reservation())
        .lease();
    story.breakGpu(node.ordinal(), 7);
    assertThat(causes()).containsExactly("degraded");
    assertThat(story.occurrence(occurrence.id()).booking()).isEqualTo(occurrence.booking());
    story.setHealth(node.ordinal(), 7, Health.OK);
    assertThat(causes()).containsExactly("healed");
  }

  @Test
  void isMovedForTheRestOfItsTimeOnceThatHasBegun() {
    story.after(2 * Time.HOUR);
    story.breakGpu(node.ordinal(), 7);
    Occurrence moved = story.occurrence(occurrence.id());
    assertThat(Fleet.nodes(moved.booking())).containsExactly(otherNode());
    assertThat(moved.window()).isEqualTo(window);
  }

  @Test
  void itsSoundDevicesMayBePartOfWhereItLiesThen() {
    Story one = Story.of("h100", 8);
    Occurrence five =
        Story.setAside(one.reserves("vision", Story.AskMaker.whole(5), window)).getFirst();
    one.breakGpu(0, Long.numberOfTrailingZeros(five.booking().slots().getFirst().units().gpus()));
    Occurrence moved = one.occurrence(five.id());
    assertThat(moved.degraded()).isFalse();
    assertThat(moved.booking().gpuMilli()).isEqualTo(5_000);
    assertThat(Soundness.isSound(one.book, moved.booking())).isTrue();
  }
}
