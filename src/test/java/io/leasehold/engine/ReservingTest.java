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

/** What may be set aside, and how what is set aside may change; a no leaves all as it was. */
class ReservingTest {

  private static final Shape FOUR = Story.AskMaker.whole(4);
  private static final long NINE = Story.T + 9 * Time.HOUR;
  private static final Span WINDOW = new Span(NINE, NINE + 8 * Time.HOUR);

  private final Story story = Story.of("h100", 8);

  private Occurrence setAside() {
    return Story.setAside(
            story.reserves(new UUID(5, 1), "vision", FOUR, false, Time.HOUR, WINDOW, nextDay()))
        .getFirst();
  }

  private static Span nextDay() {
    return moved(Time.DAY, Time.DAY);
  }

  private static Span moved(long start, long end) {
    return new Span(WINDOW.start() + start, WINDOW.end() + end);
  }

  private Decision change(Occurrence occurrence, Span to, Shape shape) {
    return story.on(new Command.ChangeOccurrence(occurrence.id(), to, shape));
  }

  static Stream<Arguments> isNotSetAside() {
    Shape share =
        new Shape(
            List.of(), 0, 0, 1, new Shape.Slice.Share(500), 0, 0, List.of(), Shape.Where.ANYWHERE);
    return Stream.of(
        arguments("nobody", FOUR, WINDOW, Decision.Declined.Why.NOT_FOUND),
        arguments("gone", FOUR, WINDOW, Decision.Declined.Why.NOT_FOUND),
        arguments(
            "vision", Story.AskMaker.whole(4, "b200"), WINDOW, Decision.Declined.Why.NOT_FOUND),
        arguments("vision", share, WINDOW, Decision.Declined.Why.LIMIT),
        arguments(
            "vision", FOUR, new Span(Story.T - Time.HOUR, Story.T), Decision.Declined.Why.LIMIT));
  }

  @ParameterizedTest
  @MethodSource
  void isNotSetAside(String tenant, Shape shape, Span window, Decision.Declined.Why why) {
    story.facts(new Move.TenantSet(new Tenant("gone", "acme", true)));
    Decision decision = story.reserves(tenant, shape, window);
    assertThat(((Decision.Declined) decision).why()).isEqualTo(why);
    assertThat(story.book.occurrences()).isEmpty();
  }

  @Test
  void anOccurrenceIsSetAsideOnce() {
    Occurrence first = setAside();
    Occurrence.Ask again =
        new Occurrence.Ask(
            first.id(), first.reservation(), "vision", FOUR, NINE, WINDOW, false, Span.FOREVER);
    Decision decision =
        story.on(new Command.Reserve(List.of(again), Command.Reserve.Misfit.REFUSE_ALL));
    assertThat(((Decision.Declined) decision).why()).isEqualTo(Decision.Declined.Why.ID_TAKEN);
    assertThat(story.occurrence(first.id())).isEqualTo(first);
  }

  static Stream<Arguments> doesNotChange() {
    long six = -3 * Time.HOUR;
    return Stream.of(
        arguments("over already", new Span(Story.T - 1, Story.T), FOUR, 0, null),
        arguments("in the past", new Span(Story.T - 1, WINDOW.end()), FOUR, 0, null),
        arguments("overlap another", moved(0, 16 * Time.HOUR + 1), FOUR, 0, null),
        arguments("it has begun", moved(1, 0), FOUR, 9 * Time.HOUR, null),
        arguments("size is fixed", WINDOW, Story.AskMaker.whole(3), 9 * Time.HOUR, null),
        arguments("size is fixed", WINDOW, Story.AskMaker.whole(5), 0, WINDOW),
        arguments("no longer cover", moved(1, 0), FOUR, 0, WINDOW),
        arguments("no longer cover", moved(0, -1), FOUR, 0, WINDOW),
        arguments("no longer cover", moved(six, six), FOUR, 0, WINDOW));
  }

  @ParameterizedTest
  @MethodSource
  void doesNotChange(String detail, Span to, Shape shape, long after, Span drawn) {
    Occurrence occurrence = setAside();
    if (drawn != null) {
      draw(occurrence, drawn);
    }
    story.after(after);
    Occurrence before = story.occurrence(occurrence.id());
    Decision.Declined declined = (Decision.Declined) change(occurrence, to, shape);
    assertThat(declined.why()).isEqualTo(Decision.Declined.Why.ILLEGAL_MOVE);
    assertThat(declined.detail()).contains(detail);
    assertThat(story.occurrence(occurrence.id())).isEqualTo(before);
  }

  private void draw(Occurrence occurrence, Span at) {
    Lease lease =
        story.asks("vision", 1).at(at.start(), at.end()).on(occurrence.reservation()).lease();
    assertThat(lease.state()).isEqualTo(LeaseState.PLANNED);
  }

  static Stream<Arguments> changes() {
    return Stream.of(
        arguments("from now on", new Span(Story.T, WINDOW.end()), FOUR, 0, null),
        arguments("up to the next", moved(0, 16 * Time.HOUR), FOUR, 0, null),
        arguments("up to now", new Span(NINE, NINE + 1), FOUR, 9 * Time.HOUR, null),
        arguments("larger", WINDOW, Story.AskMaker.whole(8), 0, null),
        arguments(
            "round what is drawn",
            moved(Time.HOUR, -Time.HOUR),
            FOUR,
            0,
            moved(Time.HOUR, -Time.HOUR)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void changes(String name, Span to, Shape shape, long after, Span drawn) {
    Occurrence occurrence = setAside();
    if (drawn != null) {
      draw(occurrence, drawn);
    }
    story.after(after);
    assertThat(change(occurrence, to, shape)).isInstanceOf(Decision.Reserved.class);
    Occurrence changed = story.occurrence(occurrence.id());
    assertThat(changed.window()).isEqualTo(to);
    assertThat(changed.booking().gpuMilli()).isEqualTo(shape.count() * 1_000L);
  }

  @Test
  void whatStaysAsItIsChangesNothing() {
    Occurrence occurrence = setAside();
    assertThat(Story.setAside(change(occurrence, WINDOW, FOUR))).containsExactly(occurrence);
    assertThat(story.batches.getLast().moves()).isEmpty();
    Occurrence longer = Story.setAside(change(occurrence, moved(0, 1), FOUR)).getFirst();
    assertThat(longer.revision()).isEqualTo(occurrence.revision() + 1);
  }

  @Test
  void whoDoesNotComeToALaterStartIsMissedThatMuchLater() {
    Occurrence occurrence = setAside();
    assertThat(occurrence.noShowAt()).isEqualTo(NINE + Time.HOUR);
    Occurrence longer = Story.setAside(change(occurrence, moved(0, 1), FOUR)).getFirst();
    assertThat(longer.noShowAt()).isEqualTo(NINE + Time.HOUR);
    Occurrence later = Story.setAside(change(occurrence, moved(9, 9), FOUR)).getFirst();
    assertThat(later.noShowAt()).isEqualTo(NINE + 9 + Time.HOUR);
  }

  @Test
  void whatIsSetAsideFromNowOnHasBegun() {
    Span now = new Span(Story.T, Story.T + Time.HOUR);
    Span soon = new Span(Story.T + Time.HOUR, Story.T + 2 * Time.HOUR);
    assertThat(Story.setAside(story.reserves("vision", FOUR, now, soon)))
        .extracting(Occurrence::begun)
        .containsExactly(true, false);
  }

  @Test
  void whatIsGoneIsNotFound() {
    UUID nobody = new UUID(6, 99);
    for (Command command :
        List.of(
            new Command.ChangeOccurrence(nobody, WINDOW, FOUR),
            new Command.CancelOccurrences(List.of(setAside().id(), nobody)))) {
      assertThat(((Decision.Declined) story.on(command)).why())
          .isEqualTo(Decision.Declined.Why.NOT_FOUND);
    }
    assertThat(story.book.occurrences()).as("nor are others cancelled").hasSize(2);
  }
}
