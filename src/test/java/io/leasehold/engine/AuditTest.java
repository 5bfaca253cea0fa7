package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The laws are looked at as the fleet is held: what came to a lease later is not held before. Each
 * is found broken, in the image that was taken, whatever happens to the book meanwhile.
 */
class AuditTest {

  private final Story story = Story.of("h100", 8, 8);

  /** What is wrong with a book in which three leases of four GPUs lie on two nodes. */
  private enum Fault {
    SAME_UNITS("I1", story -> plant(story, first(story).booking().slots().getFirst())),
    SAME_UNITS_LATER(
        "I1",
        story -> {
          Booking.Slot slot = first(story).booking().slots().getFirst();
          plant(story, slot, new Span(story.now + 30 * Time.MINUTE, story.now + 9 * Time.HOUR));
        }),
    TWO_MODES(
        "I1",
        story -> {
          Booking.Slot slot = last(story).booking().slots().getFirst();
          Units units = Units.of(7 * Units.PER_GPU, 7 * Units.PER_GPU + 1);
          plant(story, on(slot, units, Mode.SHARED));
          plant(story, on(slot, Units.of(units.size() + 7 * Units.PER_GPU, 8_000), Mode.MIG));
        }),
    BROKEN_GPU("I2", story -> breakGpus(story, first(story))),
    BROKEN_SET_ASIDE(
        "I2",
        story -> {
          story.reserves(
              "nlp", Story.AskMaker.whole(4), new Span(story.now, story.now + Time.HOUR));
          breakGpus(story, story.book.occurrences().iterator().next().booking());
        }),
    LOSS_NOT_RECORDED(
        "I2", story -> story.facts(new Move.ContractSet(story.contract("acme", 17, null)))),
    LOSS_RECORDED_IN_VAIN(
        "I2", story -> story.facts(new Move.LossSet("h100", List.of(new Loss("acme", 1_000, 0))))),
    COUNTED_TWICE("I8", story -> story.book.usage().add(last(story))),
    NOT_COUNTED("I8", story -> story.book.usage().remove(last(story))),
    COUNTED_FOR_NOBODY(
        "I8",
        story -> {
          story.facts(new Move.TenantSet(new Tenant("idle", null, false)));
          Ask ask = story.asks("idle", 1).ask();
          story.book.usage().add(Draft.of(last(story)).ask(ask).lease());
        });

    private final String law;
    private final Consumer<Story> plant;

    Fault(String law, Consumer<Story> plant) {
      this.law = law;
      this.plant = plant;
    }
  }

  private static Lease first(Story story) {
    return story.book.leases().iterator().next();
  }

  private static Lease last(Story story) {
    return List.copyOf(story.book.leases()).getLast();
  }

  private static Booking.Slot on(Booking.Slot slot, Units units, Mode mode) {
    return new Booking.Slot(0, slot.node(), mode, units, List.of(), 0, 0);
  }

  private static void plant(Story story, Booking.Slot slot) {
    plant(story, slot, first(story).window());
  }

  /** A lease that no decision would have given these devices. */
  private static void plant(Story story, Booking.Slot slot, Span window) {
    Lease requested =
        Draft.requested(
            story.asks("vision", 1).ask(),
            story.book.register().nextSequence(story.now),
            story.now);
    Lease lease =
        Draft.of(requested)
            .to(LeaseState.ALLOCATED)
            .window(window)
            .booking(new Booking("east", "h100", window, List.of(slot)))
            .raiseGeneration()
            .lease();
    story.facts(new Move.LeaseMoved(null, lease, "planted"));
  }

  private static void breakGpus(Story story, Lease of) {
    breakGpus(story, of.booking());
  }

  private static void breakGpus(Story story, Booking of) {
    Node node = story.book.node(of.slots().getFirst().node());
    List<Node.Gpu> gpus =
        node.gpus().stream().map(gpu -> new Node.Gpu(gpu.uuid(), Health.BROKEN)).toList();
    story.facts(
        new Move.NodeSet(
            new Node(
                node.id(),
                node.ordinal(),
                node.cluster(),
                node.name(),
                node.model(),
                node.domain(),
                0,
                0,
                gpus,
                null,
                false)));
  }

  private void threeLeases() {
    for (String tenant : List.of("vision", "nlp", "acme")) {
      story.asks(tenant, 4).lasting(Time.HOUR).lease();
    }
  }

  @ParameterizedTest
  @EnumSource
  void findsWhatDoesNotHold(Fault fault) {
    threeLeases();
    assertThat(Engine.audit(story.book)).isEmpty();

    fault.plant.accept(story);

    assertThat(Engine.audit(story.book))
        .isNotEmpty()
        .allMatch(found -> found.startsWith(fault.law));
  }

  @ParameterizedTest
  @EnumSource
  void seesTheBookAsItWasWhenTheImageWasTaken(Fault fault) {
    threeLeases();
    Image sound = Image.of(story.book);

    fault.plant.accept(story);
    Image broken = Image.of(story.book);
    Lease moved = last(story);
    Lease ending = Draft.of(moved).to(LeaseState.ENDING).lease();
    Lease ended = Draft.of(ending).to(LeaseState.ENDED).lease();
    story.facts(
        new Move.LeaseMoved(moved, ending, "gone"), new Move.LeaseMoved(ending, ended, "gone"));

    assertThat(sound.faults()).isEmpty();
    assertThat(broken.faults()).isNotEmpty().allMatch(found -> found.startsWith(fault.law));
  }

  @Test
  void whatIsLentMayChangeHands() {
    UUID reservation = new UUID(5, 0);
    Span window = new Span(story.now + Time.HOUR, story.now + 5 * Time.HOUR);
    story.reserves(reservation, "vision", Story.AskMaker.whole(16), true, Span.FOREVER, window);
    story.after(2 * Time.HOUR);
    Lease borrower = story.asks("nlp", 4).lasting(Time.HOUR).lease();
    story.now += Time.MINUTE;
    Decision done = story.on(new Command.Transfer(borrower.id(), "acme"));
    assertThat(done).isInstanceOf(Decision.Done.class);
    assertThat(Engine.audit(story.book)).isEmpty();
  }

  /** Two tenants to a part: the steps of each are looked at, by the book as it is by then. */
  @Test
  void findsUseThatIsNotWhatWasAddedAtEitherSideOfABorder() throws ReflectiveOperationException {
    threeLeases();
    List<Image.Part> parts = Image.of(story.book, 4).parts();
    assertThat(parts).hasSizeGreaterThan(1);
    for (String tenant : List.of("acme", "nlp", "vision")) {
      Profile used = story.book.usage().of(tenant, "h100");
      long start = used.changes(new Span(0, Span.FOREVER)).ceiling(1L);
      bend(used, start, 1);
      assertThat(faults(parts))
          .containsExactly(
              "I8: the usage of %s of h100 is not what was added to it".formatted(tenant));
      bend(used, start, -1);
    }
    assertThat(faults(parts)).isEmpty();
  }

  @Test
  void raisesNoAlarmForWhatMovesBetweenTheParts() {
    threeLeases();
    Image image = Image.of(story.book, 1);
    List<Image.Part> parts = image.parts();
    assertThat(parts).hasSize(3);

    assertThat(faults(parts.subList(0, 1))).isEmpty();
    story.asks("nlp", 2).lasting(Time.HOUR).lease();
    assertThat(faults(parts.subList(1, 2))).isEmpty();
    story.on(new Command.Release(first(story).id()));
    story.clusterObeys();
    assertThat(faults(parts.subList(2, 3))).isEmpty();
    assertThat(image.faults()).isEmpty();
    assertThat(image.leases()).hasSize(3);
  }

  private List<String> faults(List<Image.Part> parts) {
    return parts.stream().flatMap(part -> part.faults(story.book).stream()).toList();
  }

  /** As if an addition had gone wrong. */
  @SuppressWarnings("unchecked")
  private static void bend(Profile used, long start, long by) throws ReflectiveOperationException {
    var field = Profile.class.getDeclaredField("starts");
    field.setAccessible(true);
    ((java.util.TreeMap<Long, Long>) field.get(used)).merge(start, by, Long::sum);
  }
}
