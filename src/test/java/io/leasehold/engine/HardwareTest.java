package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A node that has changed is looked for where it is now. */
class HardwareTest {

  private final Story story = Story.of("h100", 4);
  private final Node first = story.book.node(new UUID(7, 0));

  private Node second(String cluster, String name, String model, Domain domain, int ordinal) {
    return new Node(
        new UUID(7, ordinal),
        ordinal,
        cluster,
        name,
        model,
        domain,
        0,
        0,
        first.gpus(),
        null,
        false);
  }

  private void becomes(Node node) {
    assertThat(story.on(new Command.SetNodes(List.of(node), Command.Shrink.DEGRADE)))
        .isInstanceOf(Decision.Changed.class);
  }

  private boolean fits(Shape shape) {
    Ask ask = story.asks("vision", 0).shape(shape).orRefuse().ask();
    int mark = story.book.mark();
    Batch batch = Engine.decide(story.book, List.of(new Command.Create(ask)), story.now);
    story.book.undo(mark);
    return ((Decision.Decided) batch.decisions().getFirst()).answer().verdict() == Verdict.ADMITTED;
  }

  private static Shape in(Shape of, Shape.Where where) {
    return new Shape(
        of.models(), 0, of.groups(), of.count(), of.slice(), 0, 0, of.topology(), where);
  }

  private static Shape.Where below(String path) {
    return new Shape.Where(List.of(), List.of(), List.of(), List.of(path));
  }

  @Test
  void inItsCluster() {
    Shape west =
        in(Fleet.whole(4), new Shape.Where(List.of("west"), List.of(), List.of(), List.of()));
    assertThat(fits(west)).isFalse();
    becomes(second("west", first.name(), first.model(), first.domain(), 0));
    assertThat(fits(west)).isTrue();
  }

  @Test
  void byItsModel() {
    story.facts(
        new Move.ModelSet(new GpuModel("a100", "A100", List.of(), 40_960, 0, 0, List.of(), 0)));
    Shape a100 = Story.AskMaker.whole(4, "a100");
    Shape h100 = Story.AskMaker.whole(4, "h100");
    assertThat(List.of(fits(a100), fits(h100))).containsExactly(false, true);
    becomes(second("east", first.name(), "a100", first.domain(), 0));
    assertThat(List.of(fits(a100), fits(h100))).containsExactly(true, false);
  }

  @Test
  void inItsRackAndByItsName() {
    becomes(second("east", "n1", "h100", Fleet.rack("b", "r2"), 1));
    Shape together = Fleet.groups(2, 4, Fleet.required(Level.RACK));
    assertThat(fits(together)).isFalse();
    becomes(second("east", first.name(), "h100", Fleet.rack("b", "r2"), 0));
    assertThat(fits(together)).isTrue();
    Shape named = in(Fleet.whole(4), below(Fleet.rack("b", "r2").pathOf("other")));
    assertThat(fits(named)).isFalse();
    becomes(second("east", "other", "h100", Fleet.rack("b", "r2"), 0));
    assertThat(fits(named)).isTrue();
  }

  @Test
  void nowhereOnceItIsRetired() {
    assertThat(fits(Fleet.whole(4))).isTrue();
    becomes(first.gone());
    assertThat(fits(Fleet.whole(4))).isFalse();
    becomes(first);
    assertThat(fits(Fleet.whole(4))).isTrue();
  }

  @Test
  void whatComesToTheFleetMayBeSignedAway() {
    Command eight = new Command.Sign(story.contract("acme", 8, null));
    assertThat(story.on(eight)).isInstanceOf(Decision.Shortfalls.class);
    becomes(second("east", "n1", "h100", first.domain(), 1));
    assertThat(story.on(eight)).isInstanceOf(Decision.Changed.class);
  }
}
