package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every no says why, by how much, and what would work instead. */
class AnswerTest {

  @Test
  void refusesWhatCanNeverFitWithTheLargestThatCould() {
    Story story = Story.of("h100", 8, 8);
    Decision.Decided decided = story.asks("vision", 1).groups(1, 9).decided();
    assertThat(decided.answer().refusal()).isEqualTo(Answer.Refusal.NEVER);
    assertThat(decided.lease().state()).isEqualTo(LeaseState.REFUSED);
    assertThat(story.asks("vision", 17).decided().answer().reasons())
        .singleElement()
        .satisfies(reason -> assertThat(reason.limit()).isEqualTo(16));
  }

  @Test
  void refusesWhatNoModelHasTheMemoryFor() {
    Story story = Story.of("h100", 8);
    assertThat(story.asks("vision", 0).shape(memory(81_920)).decided().answer().verdict())
        .isEqualTo(Verdict.ADMITTED);
    assertThat(story.asks("vision", 0).shape(memory(81_921)).decided().answer().refusal())
        .isEqualTo(Answer.Refusal.NEVER);
  }

  private static Shape memory(int leastMiB) {
    return new Shape(
        List.of(), leastMiB, 0, 1, Shape.Slice.WHOLE, 0, 0, List.of(), Shape.Where.ANYWHERE);
  }

  @Test
  void countsBrokenHardwareAsUsableForNever() {
    Story story = Story.of("h100", 8);
    story.breakGpu(0, 0);
    assertThat(story.asks("vision", 8).decided().answer().verdict()).isEqualTo(Verdict.WAITING);
  }

  @Test
  void tellsShapeFromCount() {
    Story story = Story.of("h100", 8, 8);
    story.asks("vision", 0).groups(1, 4).lease();
    Lease second = story.asks("vision", 0).groups(1, 6).lease();
    assertThat(second.state()).isEqualTo(LeaseState.ALLOCATED);
    Answer answer = story.asks("nlp", 0).groups(1, 6).decided().answer();
    assertThat(answer.verdict()).isEqualTo(Verdict.WAITING);
    assertThat(answer.reasons()).extracting(Answer.Reason::code).containsExactly("shape");
  }

  @Test
  void namesTheGuaranteeThatANonPreemptibleRequestExceeds() {
    Story story = Story.of("h100", 8);
    story.facts(new Move.ContractSet(story.contract("acme", 4, null)));
    story.facts(new Move.ContractSet(story.contract("vision", 4, null)));
    story.asks("vision", 3).of("realtime").lease();
    Answer answer = story.asks("vision", 2).of("realtime").orRefuse().decided().answer();
    assertThat(answer.reasons())
        .contains(
            new Answer.Reason(
                "guarantee",
                "a lease that may not be preempted must fit the guarantee of vision for h100",
                "tenant",
                "vision",
                2L,
                3L,
                4L,
                "gpu"));
    assertThat(story.asks("vision", 5).decided().answer().verdict()).isEqualTo(Verdict.ADMITTED);
  }

  @Test
  void everyAlternativeSentAsItIsIsBooked() {
    for (long seed = 1; seed <= 40; seed++) {
      Random random = new Random(seed);
      Story story = Story.of("h100", 8, 8, 4);
      story.facts(
          new Move.ModelSet(new GpuModel("a100", "A100", List.of(), 40_960, 0, 0, List.of(), 0)));
      story.facts(new Move.NodeSet(story.node("a100", 8)));
      for (int n = 0; n < 12; n++) {
        long start = Time.roundUp(story.now + random.nextLong(4 * Time.HOUR));
        story
            .asks("nlp", 1 + random.nextInt(8))
            .at(start, start + 1 + random.nextLong(3 * Time.HOUR))
            .decided();
      }
      story.asks("nlp", 1 + random.nextInt(12)).lasting(Time.HOUR).decided();
      Ask ask =
          story
              .asks("vision", 0)
              .shape(Story.AskMaker.whole(4 + random.nextInt(14), "h100"))
              .lasting(Time.MINUTE + random.nextLong(6 * Time.HOUR))
              .orRefuse()
              .ask();
      int mark = story.book.mark();
      Batch batch = Engine.decide(story.book, List.of(new Command.Create(ask)), story.now);
      story.book.undo(mark);
      Answer answer = ((Decision.Decided) batch.decisions().getFirst()).answer();
      for (Answer.Alternative each : answer.alternatives()) {
        Batch sent = Engine.decide(story.book, List.of(new Command.Create(each.ask())), story.now);
        story.book.undo(mark);
        assertThat(((Decision.Decided) sent.decisions().getFirst()).answer().verdict())
            .as("seed " + seed + ": " + each)
            .isIn(Verdict.ADMITTED, Verdict.PLANNED);
      }
      if (answer.verdict() == Verdict.REFUSED && answer.refusal() == Answer.Refusal.SHORTAGE) {
        assertThat(answer.alternatives()).as("seed " + seed).isNotEmpty();
      }
    }
  }

  @Test
  void whatIsPlannedLaterThanItCouldBeginOffersWhatWouldBeginThen() {
    Story story = Story.of("h100", 8, 8);
    story.facts(
        new Move.ModelSet(new GpuModel("a100", "A100", List.of(), 40_960, 0, 0, List.of(), 0)),
        new Move.NodeSet(story.node("a100", 8)));
    long first = Story.T + Time.HOUR;
    story
        .asks("nlp", 0)
        .shape(Story.AskMaker.whole(8, "h100"))
        .at(first, first + Time.HOUR)
        .lease();
    Ask ask =
        story
            .asks("vision", 0)
            .shape(Story.AskMaker.whole(16, "h100"))
            .within(first, first + 10 * Time.HOUR, Time.HOUR)
            .ask();
    Answer answer = rehearsed(story, ask);
    assertThat(answer.verdict()).isEqualTo(Verdict.PLANNED);
    assertThat(answer.start()).isGreaterThan(first);
    assertThat(answer.alternatives())
        .extracting(Answer.Alternative::kind)
        .containsExactly("fewer-gpus");
    assertThat(answer.alternatives().getFirst().ask().shape().count()).isEqualTo(8);
    assertThat(rehearsed(story, answer.alternatives().getFirst().ask()).start()).isEqualTo(first);
    story
        .asks("nlp", 0)
        .shape(Story.AskMaker.whole(8, "h100"))
        .at(first + Time.HOUR / 2, first + Time.HOUR)
        .lease();
    Ask small =
        story
            .asks("vision", 0)
            .shape(Story.AskMaker.whole(8, "h100"))
            .within(first, first + 10 * Time.HOUR, Time.HOUR)
            .ask();
    Answer other = rehearsed(story, small);
    assertThat(other.alternatives())
        .extracting(Answer.Alternative::kind)
        .containsExactly("other-model", "shorter");
    for (Answer.Alternative each : other.alternatives()) {
      assertThat(rehearsed(story, each.ask()).start()).as(each.toString()).isEqualTo(first);
    }
    story.ask(small);
    assertThat(Engine.explain(story.book, small.lease(), story.now)).isEqualTo(other);
    assertThat(story.state(small.lease())).isEqualTo(LeaseState.PLANNED);
  }

  @Test
  void namesOnlyWhoIsInTheWayWhereItMayLie() {
    Story story = Story.of("h100", 8, 8);
    UUID[] holders = new UUID[2];
    for (int i = 0; i < 2; i++) {
      Lease lease = story.asks("vision", 8).lease();
      holders[lease.booking().slots().getFirst().node().equals(new UUID(7, 0)) ? 0 : 1] =
          lease.id();
    }
    for (int i = 0; i < 2; i++) {
      Shape.Where where =
          new Shape.Where(List.of(), List.of(), List.of(new UUID(7, 1 - i)), List.of());
      Shape shape = new Shape(List.of(), 0, 0, 8, Shape.Slice.WHOLE, 0, 0, List.of(), where);
      Answer answer = story.asks("nlp", 0).shape(shape).orRefuse().decided().answer();
      assertThat(answer.blockedBy()).extracting(Answer.Blocker::lease).containsExactly(holders[i]);
    }
  }

  @Test
  void namesTheNodeThatCameClosest() {
    Story story = Story.of("h100", 8, 8);
    story.asks("vision", 6).of("realtime").lease();
    story.asks("vision", 0).groups(1, 4).of("realtime").lease();
    Shape.Spread node = new Shape.Spread(Level.NODE, Shape.Spread.Rule.REQUIRED, null);
    Shape shape =
        new Shape(List.of(), 0, 0, 5, Shape.Slice.WHOLE, 0, 0, List.of(node), Shape.Where.ANYWHERE);
    Answer answer = story.asks("nlp", 0).shape(shape).orRefuse().decided().answer();
    assertThat(answer.reasons().getFirst())
        .satisfies(
            reason -> {
              assertThat(reason.detail()).isEqualTo("h100: 6 free, but as 4+2");
              assertThat(reason.scope()).isEqualTo("node");
              assertThat(reason.name()).isEqualTo("n1");
            });
  }

  @Test
  void saysHowMuchOthersLoseForIt() {
    Story story = Story.of("h100", 8);
    story.asks("nlp", 6).lease();
    Answer answer = story.asks("vision", 4).of("realtime").decided().answer();
    assertThat(answer.reasons())
        .singleElement()
        .satisfies(
            reason -> {
              assertThat(reason.code()).isEqualTo("preempting");
              assertThat(reason.need()).isEqualTo(4);
              assertThat(reason.limit()).isEqualTo(6);
              assertThat(reason.unit()).isEqualTo("gpu");
            });
  }

  @ParameterizedTest
  @CsvSource({"0, 8, 4, gpu, 4", "4, 2, 2, group, 2"})
  void saysWhatAGangGoesOnWith(int groups, int each, int least, String unit, int keeps) {
    Story story = Story.of("h100", 8);
    Story.AskMaker asks = story.asks("nlp", each);
    Lease gang = (groups == 0 ? asks : asks.groups(groups, each)).orAtLeast(least).lease();
    story.clusterObeys();
    story.asks("vision", 4).of("realtime").lease();
    Answer told =
        story.batches.getLast().answers().stream()
            .filter(answer -> answer.lease().equals(gang.id()))
            .findFirst()
            .orElseThrow()
            .answer();
    assertThat(told.reasons().get(1))
        .satisfies(
            reason -> {
              assertThat(reason.code()).isEqualTo("surplus");
              assertThat(reason.need()).isEqualTo(keeps);
              assertThat(reason.used()).isEqualTo(groups == 0 ? each : groups);
              assertThat(reason.limit()).isEqualTo(least);
              assertThat(reason.unit()).isEqualTo(unit);
            });
  }

  private static Answer rehearsed(Story story, Ask ask) {
    int mark = story.book.mark();
    Batch batch = Engine.decide(story.book, List.of(new Command.Create(ask)), story.now);
    story.book.undo(mark);
    return ((Decision.Decided) batch.decisions().getFirst()).answer();
  }

  @Test
  void whatIsPlannedAsAskedOffersToBeginNow() {
    Story story = Story.of("h100", 8);
    long start = Story.T + Time.HOUR;
    Answer answer = story.asks("vision", 8).at(start, start + Time.HOUR / 4).decided().answer();
    assertThat(answer.alternatives())
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.kind()).isEqualTo("earlier-start");
              assertThat(each.start()).isEqualTo(Story.T);
              assertThat(each.ask().when()).isEqualTo(new Ask.When.Now(Time.HOUR / 4));
            });
    Answer second =
        story.asks("vision", 8).at(start + Time.DAY, start + 2 * Time.DAY).decided().answer();
    assertThat(second.alternatives()).as("a whole day is not free now").isEmpty();
  }
}
