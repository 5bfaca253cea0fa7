package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What has not begun when its hardware is lost (engine rule 15). */
class LostHardwareTest {

  private final Story story = Story.of("h100", 8, 8);
  private final long start = story.now + 2 * Time.HOUR;

  private static Shape onOneNode(int gpus, UUID... avoided) {
    return new Shape(
        List.of(),
        0,
        1,
        gpus,
        Shape.Slice.WHOLE,
        0,
        0,
        List.of(),
        new Shape.Where(List.of(), List.of(), List.of(avoided), List.of()));
  }

  private Story.AskMaker eight(String serviceClass) {
    return story.asks("vision", 8).of(serviceClass).shape(onOneNode(8));
  }

  private int nodeOf(Lease lease) {
    return (int) lease.booking().slots().getFirst().node().getLeastSignificantBits();
  }

  /** Every GPU of a node. */
  private void fails(int node) {
    for (int gpu = 0; gpu < 8; gpu++) {
      story.breakGpu(node, gpu);
    }
  }

  @Test
  void theHigherClassIsBoundElsewhereFirstAndTheOtherStartsLater() {
    Lease low = eight("batch").within(start, start + 10 * Time.HOUR, Time.HOUR).lease();
    UUID avoided = new UUID(7, 1 - nodeOf(low));
    Lease high =
        story
            .asks("vision", 8)
            .of("realtime")
            .shape(onOneNode(8))
            .at(start + 2 * Time.HOUR, start + 3 * Time.HOUR)
            .lease();
    Lease blocker =
        story
            .asks("nlp", 8)
            .shape(onOneNode(8, new UUID(7, nodeOf(low))))
            .at(start, start + Time.HOUR)
            .lease();
    assertThat(nodeOf(blocker)).isEqualTo((int) avoided.getLeastSignificantBits());
    fails(nodeOf(low));
    Lease kept = story.lease(high.id());
    assertThat(kept.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(kept.window()).isEqualTo(high.window());
    assertThat(nodeOf(kept)).isEqualTo(nodeOf(blocker));
    Lease moved = story.lease(low.id());
    assertThat(moved.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(moved.window().start()).isGreaterThan(low.window().start());
    assertThat(story.batches.getLast().moves()).isNotEmpty();
    assertThat(causeOf(low.id())).isEqualTo("hardware-lost");
  }

  @Test
  void whatLiesInsideItsGuaranteeIsBoundElsewhereBeforeWhatIsBorrowed() {
    PreemptionTest.contracts(story, 16, 0);
    Lease borrowed = story.asks("nlp", 4).at(start, start + Time.HOUR).lease();
    Lease guaranteed = story.asks("vision", 4).at(start, start + Time.HOUR).lease();
    Lease blocker = story.asks("vision", 4).at(start, start + Time.HOUR).lease();
    assertThat(nodeOf(borrowed)).isEqualTo(nodeOf(guaranteed)).isNotEqualTo(nodeOf(blocker));
    Node node = story.book.node(new UUID(7, nodeOf(borrowed)));
    List<Node.Gpu> broken =
        node.gpus().stream().map(_ -> new Node.Gpu(null, Health.BROKEN)).toList();
    story.decide(new Command.SetNodes(List.of(node.withGpus(broken)), Command.Shrink.DEGRADE));
    assertThat(nodeOf(story.lease(guaranteed.id()))).isEqualTo(nodeOf(blocker));
    assertThat(story.state(borrowed.id())).isEqualTo(LeaseState.WAITING);
  }

  private String causeOf(UUID id) {
    String cause = "";
    for (Batch batch : story.batches) {
      for (Move move : batch.moves()) {
        if (move instanceof Move.LeaseMoved moved && moved.after().id().equals(id)) {
          cause = moved.cause();
        }
      }
    }
    return cause;
  }

  @Test
  void whatMayNotStartLaterWaitsInItsOldPlace() {
    Lease first = eight("batch").at(start, start + Time.HOUR).lease();
    Lease second = eight("batch").at(start, start + Time.HOUR).lease();
    Lease newer = eight("batch").lasting(10 * Time.HOUR).orRefuse().decided().lease();
    assertThat(newer.state()).as("nothing is free for ten hours").isEqualTo(LeaseState.REFUSED);
    fails(nodeOf(first));
    Lease waiting = story.lease(first.id());
    assertThat(waiting.state()).isEqualTo(LeaseState.WAITING);
    assertThat(waiting.sequence()).isEqualTo(first.sequence());
    assertThat(waiting.booking()).isNull();
    assertThat(causeOf(first.id())).isIn("hardware-lost", "earmarked");
    assertThat(story.lease(second.id())).as("untouched").isEqualTo(second);
    story.decide(new Command.Cancel(second.id()));
    assertThat(story.state(first.id())).isEqualTo(LeaseState.PLANNED);
    assertThat(story.lease(first.id()).window()).isEqualTo(first.window());
  }

  @Test
  void l27WhatFailsInTheSameBatchIsNotChosen() {
    Node node = story.book.node(new UUID(7, 0));
    List<Node.Gpu> gpus = new java.util.ArrayList<>(node.gpus());
    gpus.set(3, new Node.Gpu(null, Health.BROKEN));
    Batch batch =
        story.decide(
            new Command.Create(eight("batch").ask()),
            new Command.SetNodes(List.of(node.withGpus(gpus)), Command.Shrink.DEGRADE));
    Lease lease = ((Decision.Decided) batch.decisions().getFirst()).lease();
    assertThat(nodeOf(lease)).isEqualTo(1);
  }

  @Test
  void l28TypedDevicesAreNotTakenFromWhoeverNamedThem() {
    story.facts(
        new Move.ModelSet(new GpuModel("a100", "A100", List.of(), 40_960, 0, 0, List.of(), 0)));
    story.facts(new Move.NodeSet(story.node("a100", 8)));
    Lease typed =
        story
            .asks("vision", 0)
            .shape(Story.AskMaker.whole(8, "a100"))
            .at(start, start + Time.HOUR)
            .lease();
    story.on(new Command.Drain(List.of(new UUID(7, 0)), story.now + Time.DAY));
    for (int i = 0; i < 4; i++) {
      Lease any = story.asks("nlp", 8).at(start, start + Time.HOUR).lease();
      if (any.booking() != null) {
        assertThat(any.booking().slots())
            .extracting(Booking.Slot::node)
            .doesNotContain(new UUID(7, 0));
        assertThat(any.booking().model()).isEqualTo("h100");
      }
    }
    assertThat(story.lease(typed.id()).booking()).isEqualTo(typed.booking());
    assertThat(story.lease(typed.id()).state()).isEqualTo(LeaseState.PLANNED);
  }
}
