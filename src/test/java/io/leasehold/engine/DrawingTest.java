package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A request that draws on a reservation lies inside one of its times, or is told why not. */
class DrawingTest {

  private static final UUID SERIES = new UUID(5, 1);
  private static final long NINE = Story.T + 9 * Time.HOUR;
  private static final long TWELVE = NINE + 3 * Time.HOUR;
  private static final long TOMORROW = NINE + Time.DAY;

  private final Story story = Story.of("h100", 8, 8);

  private List<Occurrence> setAside(int gpus) {
    return Story.setAside(
        story.reserves(
            SERIES,
            "vision",
            Story.AskMaker.whole(gpus),
            false,
            Span.FOREVER,
            new Span(NINE, TWELVE),
            new Span(TOMORROW, TOMORROW + 3 * Time.HOUR)));
  }

  private Story.AskMaker draws(int gpus) {
    return story.asks("vision", gpus).on(SERIES);
  }

  static Stream<Arguments> startsInTheFirstOfItsTimesThatHasRoom() {
    long given = NINE + Time.HOUR + 90 * Time.SECOND;
    return Stream.of(
        arguments(2, Time.HOUR, Span.FOREVER, NINE),
        arguments(8, Time.HOUR, Span.FOREVER, given),
        arguments(8, TWELVE - given, Span.FOREVER, given),
        arguments(8, TWELVE - given + Time.SECOND, Span.FOREVER, TOMORROW),
        arguments(8, 3 * Time.HOUR, Span.FOREVER, TOMORROW),
        arguments(8, Time.HOUR, given + Time.HOUR, given),
        arguments(8, Time.HOUR, given + Time.HOUR - 1, 0L));
  }

  @ParameterizedTest(name = "{0} GPUs for {1}, until {2}")
  @MethodSource
  void startsInTheFirstOfItsTimesThatHasRoom(int gpus, long length, long until, long expected) {
    setAside(8);
    draws(6).at(NINE, NINE + Time.HOUR).lease();
    Lease lease = draws(gpus).within(story.now, until, length).lease();
    long start = lease.window() == null ? 0 : lease.window().start();
    assertThat(start).isEqualTo(expected);
  }

  static Stream<Arguments> isToldWhy() {
    return Stream.of(
        arguments(
            new Ask.When.At(new Span(NINE - Time.HOUR, NINE)), "reservation-closed", null, null),
        arguments(
            new Ask.When.At(new Span(TWELVE, TWELVE + Time.HOUR)),
            "reservation-closed",
            null,
            null),
        arguments(
            new Ask.When.At(new Span(TOMORROW + 3 * Time.HOUR, TOMORROW + 4 * Time.HOUR)),
            "reservation-over",
            null,
            null),
        arguments(
            new Ask.When.At(new Span(NINE + Time.HOUR, TWELVE + Time.SECOND)),
            "reservation-ends",
            7_201L,
            7_200L),
        arguments(
            new Ask.When.Within(new Span(NINE, Span.FOREVER), 4 * Time.HOUR),
            "reservation-ends",
            14_400L,
            10_800L));
  }

  @ParameterizedTest
  @MethodSource
  void isToldWhy(Ask.When when, String code, Long need, Long limit) {
    setAside(8);
    Answer answer = draws(1).when(when).decided().answer();
    assertThat(answer.reasons().getFirst())
        .satisfies(
            reason -> {
              assertThat(reason.code()).isEqualTo(code);
              assertThat(reason.need()).isEqualTo(need);
              assertThat(reason.limit()).isEqualTo(limit);
              assertThat(reason.name()).isEqualTo(SERIES.toString());
            });
  }

  @Test
  void whatIsOverIsNeverDrawnAndSaysSo() {
    setAside(8);
    story.after(2 * Time.DAY);
    Answer answer = draws(1).decided().answer();
    assertThat(answer.refusal()).isEqualTo(Answer.Refusal.NEVER);
    assertThat(answer.reasons()).extracting(Answer.Reason::code).contains("reservation-over");
  }

  @Test
  void anotherModelOrLessThanAGpuIsNeverDrawn() {
    story.facts(new Move.ModelSet(new GpuModel("a100", "A100", List.of(), 80, 0, 0, List.of(), 0)));
    setAside(8);
    Shape part =
        new Shape(
            List.of(), 0, 0, 1, new Shape.Slice.Share(500), 0, 0, List.of(), Shape.Where.ANYWHERE);
    for (Shape shape : List.of(Story.AskMaker.whole(1, "a100"), part)) {
      Answer answer = draws(1).shape(shape).decided().answer();
      assertThat(answer.refusal()).isEqualTo(Answer.Refusal.NEVER);
      assertThat(answer.reasons().getFirst().code()).isEqualTo("reservation-model");
      assertThat(answer.reasons().getFirst().detail()).contains("h100");
    }
  }

  @Test
  void isBoundElsewhereInsideItsReservationOnly() {
    Occurrence occurrence = setAside(6).getFirst();
    Booking.Slot aside = occurrence.booking().slots().getFirst();
    Lease lease = draws(5).at(NINE, TWELVE).lease();
    int broken = Long.numberOfTrailingZeros(lease.booking().slots().getFirst().units().gpus());
    story.breakGpu(story.book.node(aside.node()).ordinal(), broken);
    Lease elsewhere = story.lease(lease.id());
    Booking.Slot now = story.occurrence(occurrence.id()).booking().slots().getFirst();
    assertThat(elsewhere.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(elsewhere.window()).isEqualTo(lease.window());
    assertThat(elsewhere.revision())
        .as("it did not wait meanwhile")
        .isEqualTo(lease.revision() + 1);
    Booking.Slot slot = elsewhere.booking().slots().getFirst();
    assertThat(slot.node()).isEqualTo(now.node());
    assertThat(slot.units().gpus() & ~now.units().gpus()).isZero();
    assertThat(slot.node().equals(aside.node()) && (slot.units().gpus() >>> broken & 1) == 1)
        .as("on what is broken")
        .isFalse();
  }

  /** Those at the end of the reservation are there already when it grows, beside what it has. */
  @Test
  void whoGrowsBesideThoseWhoComeNextEndsWithItsReservation() {
    story.breakGpu(1, 0);
    setAside(8);
    story.after(9 * Time.HOUR);
    Lease lease = draws(2).lasting(3 * Time.HOUR).lease();
    story.clusterObeys();
    assertThat(lease.booking().hold().end()).isGreaterThan(TWELVE);
    Shape.Where there = new Shape.Where(List.of(), List.of(), List.of(new UUID(7, 1)), List.of());
    Shape six = new Shape(List.of(), 0, 1, 6, Shape.Slice.WHOLE, 0, 0, List.of(), there);
    assertThat(story.asks("nlp", 6).shape(six).at(TWELVE, TWELVE + Time.HOUR).lease().state())
        .isEqualTo(LeaseState.PLANNED);
    Decision grown = story.on(new Command.Resize(lease.id(), 6, List.of()));
    assertThat(((Decision.Done) grown).lease().booking().gpuMilli()).isEqualTo(6_000);
    assertThat(story.lease(lease.id()).booking().hold().end()).isEqualTo(TWELVE);
  }

  @Test
  void aDrainMattersOnlyIfItComesBeforeTheEnd() {
    List<Occurrence> series = setAside(8);
    UUID node = series.getFirst().booking().slots().getFirst().node();
    story.on(new Command.Drain(List.of(node), TWELVE));
    assertThat(draws(8).at(NINE, TWELVE).lease().state()).isEqualTo(LeaseState.PLANNED);
  }
}
