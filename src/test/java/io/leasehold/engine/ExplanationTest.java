package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is said in which situation, word by word: a change of these is a change of the API. */
class ExplanationTest {

  private static Arguments told(
      String situation, Supplier<Decision.Decided> request, String verdict, String... reasons) {
    return Arguments.of(situation, request, verdict, List.of(reasons));
  }

  static Stream<Arguments> situations() {
    return Stream.of(
        told(
            "too few are free",
            () -> taken(Story.of("h100", 8), 5).asks("nlp", 4).decided(),
            "WAITING",
            "capacity: h100: 3 of 4 free (cluster east; need 4, limit 3 gpu)"),
        told(
            "S16: enough are free, but not together",
            () -> halves().asks("nlp", 0).groups(1, 8).decided(),
            "WAITING",
            "shape: h100: 8 free, but as 4+4 (cluster east; need 8, limit 8 gpu)"),
        told(
            "S10: more than any node has",
            () -> Story.of("h100", 8, 8).asks("nlp", 0).groups(1, 9).decided(),
            "REFUSED NEVER",
            "capacity: h100: at most 0 can ever be had in this shape (cluster east; need 9, limit 0"
                + " gpu)"),
        told(
            "S10: more than the pool has",
            () -> Story.of("h100", 8, 8).asks("nlp", 17).decided(),
            "REFUSED NEVER",
            "capacity: h100: at most 16 can ever be had in this shape (cluster east; need 17,"
                + " limit 16 gpu)"),
        told(
            "not now, and it does not wait",
            () -> taken(Story.of("h100", 8), 8).asks("nlp", 1).orRefuse().decided(),
            "REFUSED SHORTAGE",
            "capacity: h100: 0 of 1 free (cluster east; need 1, limit 0 gpu)"),
        told(
            "S36: over what its tenant may borrow, counted once",
            () -> limited().asks("nlp", 5).decided(),
            "WAITING",
            "borrowing-limit: more than nlp may borrow of h100 (tenant nlp; need 5, used 3, limit 6"
                + " gpu)"),
        told(
            "over what a level above may borrow",
            () -> limited().asks("vision", 7).decided(),
            "WAITING",
            "borrowing-limit: more than acme may borrow of h100 (tenant acme; need 7, used 3, limit"
                + " 8 gpu)"),
        told(
            "what may not be preempted is outside its guarantee",
            () -> {
              Story story = limited();
              story.asks("vision", 3).of("realtime").lease();
              return story.asks("vision", 2).of("realtime").decided();
            },
            "WAITING",
            "guarantee: a lease that may not be preempted must fit the guarantee of vision for h100"
                + " (tenant vision; need 2, used 3, limit 4 gpu)",
            "no-preemption: h100: nobody is ended for it: of GPUs 3 are inside guarantees (pool ;"
                + " need 2, limit 0 gpu)"),
        told(
            "fractions are counted in thousandths",
            () -> {
              Story story = limited();
              story.asks("nlp", 0).shape(Fleet.share(1, 400)).lease();
              return story.asks("nlp", 0).shape(Fleet.share(4, 700)).decided();
            },
            "WAITING",
            "borrowing-limit: more than nlp may borrow of h100 (tenant nlp; need 2800, used 3400,"
                + " limit 6000 gpu-milli)"),
        told(
            "above the highest limit of all contracts",
            () -> limited().asks("nlp", 7).decided(),
            "REFUSED NEVER",
            "borrowing-limit: more than nlp may borrow of h100 (tenant nlp; need 7, used 0, limit 6"
                + " gpu)"),
        told(
            "longer than its class allows",
            () -> Story.of("h100", 8).asks("nlp", 1).lasting(400 * Time.DAY).decided(),
            "REFUSED LIMIT",
            "duration-limit: a lease of class batch lasts at most 31622400 s (class batch; need"
                + " 34560000, limit 31622400 second)"),
        told(
            "further ahead than its class plans",
            () -> {
              Story story = Story.of("h100", 8);
              long start = story.now + 100 * Time.DAY;
              return story.asks("nlp", 1).at(start, start + Time.HOUR).decided();
            },
            "REFUSED LIMIT",
            "horizon: a start may lie at most 7776000 s ahead (class batch; need 8640000, limit"
                + " 7776000 second)"),
        told(
            "behind what has no end",
            () -> {
              Story story = Story.of("h100", 8);
              story.asks("vision", 8).of("realtime").lasting(Span.FOREVER).lease();
              return story.asks("nlp", 8).decided();
            },
            "WAITING",
            "capacity: h100: 0 of 8 free (cluster east; need 8, limit 0 gpu)",
            "held-open-ended: held by leases that have no end (pool ; lease)"),
        told(
            "after others",
            () -> {
              Story story = Story.of("h100", 8);
              UUID first = story.asks("nlp", 1).lease().id();
              return story.asks("nlp", 1).after(first).decided();
            },
            "WAITING",
            "after: waits until 1 other leases are over (pool ; need 0, used 1, limit 0 lease)"));
  }

  private static Story taken(Story story, int gpus) {
    story.asks("vision", gpus).lease();
    return story;
  }

  /** Two nodes, half of each free. */
  private static Story halves() {
    Story story = Story.of("h100", 8, 8);
    Lease one = story.asks("vision", 0).groups(1, 4).lease();
    Lease filler = story.asks("vision", 0).groups(1, 4).lease();
    story.asks("vision", 0).groups(1, 4).lease();
    story.clusterObeys();
    story.decide(new Command.Release(filler.id()));
    story.clusterObeys();
    assertThat(story.lease(one.id()).state()).isEqualTo(LeaseState.ACTIVE);
    return story;
  }

  /** Acme may have 8 of 16, nlp 4 and 2 more; three of that are used. */
  private static Story limited() {
    Story story = Story.of("h100", 8, 8);
    story.facts(
        new Move.ContractSet(story.contract("acme", 8, 0)),
        new Move.ContractSet(story.contract("vision", 4, null)),
        new Move.ContractSet(story.contract("nlp", 4, 2)));
    story.asks("nlp", 3).lease();
    return story;
  }

  private static String text(Answer.Reason reason) {
    StringBuilder numbers = new StringBuilder();
    if (reason.need() != null) {
      numbers.append("need ").append(reason.need()).append(", ");
    }
    if (reason.used() != null) {
      numbers.append("used ").append(reason.used()).append(", ");
    }
    if (reason.limit() != null) {
      numbers.append("limit ").append(reason.limit()).append(' ');
    }
    return "%s: %s (%s %s; %s%s)"
        .formatted(
            reason.code(), reason.detail(), reason.scope(), reason.name(), numbers, reason.unit());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("situations")
  void saysExactly(
      String situation, Supplier<Decision.Decided> request, String verdict, List<String> reasons) {
    Answer answer = request.get().answer();
    String told = answer.verdict() + (answer.refusal() == null ? "" : " " + answer.refusal());
    assertThat(told).as(situation).isEqualTo(verdict);
    assertThat(answer.reasons()).extracting(ExplanationTest::text).isEqualTo(reasons);
  }

  @Test
  void aSearchThatGaveUpTellsItsBudgetAndTheNext() {
    Story story = Story.of("h100", 8);
    Answers answers = new Answers(story.book, new Search(story.book, story.now), story.now);
    Answer answer = answers.undecided(20_000, 40_000);
    assertThat(answer.verdict()).isEqualTo(Verdict.UNDECIDED);
    assertThat(text(answer.reasons().getFirst()))
        .isEqualTo(
            "budget: the search was cut short after 20000 steps and is tried again with 40000 (pool"
                + " ; used 20000, limit 40000 step)");
    assertThat(answers.undecided(40_000, 40_000).reasons().getFirst().detail())
        .endsWith("tried again when something changes");
  }

  @Test
  void s16TheSameAmountInAnotherShapeIsOffered() {
    Answer answer = halves().asks("nlp", 0).groups(1, 8).decided().answer();
    Answer.Alternative other = of(answer, "other-topology");
    assertThat(other.ask().shape().groups()).isEqualTo(2);
    assertThat(other.ask().shape().count()).as("the least change").isEqualTo(4);
    Shape onOneNode = Fleet.whole(8, Fleet.required(Level.NODE));
    Answer required = halves().asks("nlp", 0).shape(onOneNode).decided().answer();
    assertThat(of(required, "other-topology").ask().shape().topology())
        .containsExactly(Fleet.preferred(Level.NODE));
    Answer count = taken(Story.of("h100", 8), 5).asks("nlp", 4).decided().answer();
    assertThat(count.alternatives()).noneMatch(each -> each.kind().equals("other-topology"));
  }

  @Test
  void theSmallestChangeIsOffered() {
    Answer over = limited().asks("nlp", 5).decided().answer();
    assertThat(of(over, "fewer-gpus").ask().shape().count())
        .as("as many as the limit leaves")
        .isEqualTo(3);
    Story two = Story.of("h100", 8);
    two.facts(
        new Move.ModelSet(new GpuModel("a30", "A30", List.of(), 24_576, 0, 0, List.of(), 0)),
        new Move.ModelSet(new GpuModel("h200", "H200", List.of(), 98_304, 0, 0, List.of(), 0)),
        new Move.NodeSet(two.node("a30", 8)),
        new Move.NodeSet(two.node("h200", 8)));
    two.asks("vision", 0).shape(Story.AskMaker.whole(8, "h100")).lease();
    Answer other = two.asks("nlp", 0).shape(Story.AskMaker.whole(8, "h100")).decided().answer();
    assertThat(of(other, "other-model").ask().shape().models())
        .as("nearest in memory")
        .containsExactly("h200");
  }

  @Test
  void whatCanNeverBeIsOfferedWhatCould() {
    Answer never = Story.of("h100", 8, 8).asks("nlp", 17).decided().answer();
    assertThat(never.alternatives())
        .extracting(Answer.Alternative::kind)
        .containsExactly("fewer-gpus");
    assertThat(of(never, "fewer-gpus").ask().shape().count()).isEqualTo(16);
  }

  @Test
  void aFixedStartIsOfferedTheFirstLaterOne() {
    Story story = Story.of("h100", 8);
    long start = story.now + Time.HOUR;
    story.asks("vision", 8).at(start, start + Time.HOUR).lease();
    Answer answer =
        story
            .asks("nlp", 8)
            .at(start + Time.MINUTE, start + Time.HOUR)
            .orRefuse()
            .decided()
            .answer();
    Answer.Alternative later = of(answer, "later-start");
    assertThat(later.start()).isEqualTo(start + Time.HOUR + 90 * Time.SECOND);
    assertThat(later.ask().when())
        .isEqualTo(new Ask.When.At(new Span(later.start(), later.start() + 59 * Time.MINUTE)));
  }

  @Test
  void s56AskedAgainAndAgainAnAnswerDoesNotGrow() {
    Story story = taken(Story.of("h100", 8), 8);
    UUID waiting = story.asks("nlp", 4).lease().id();
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      story.after(Time.MINUTE);
      answers.add(Engine.explain(story.book, waiting, story.now));
    }
    assertThat(answers)
        .extracting(each -> text(each.reasons().getFirst()))
        .containsOnly("capacity: h100: 0 of 4 free (cluster east; need 4, limit 0 gpu)");
    assertThat(answers).allMatch(each -> each.reasons().size() == 1);
    story.after(2 * Time.HOUR);
    story.clusterObeys();
    assertThat(Engine.explain(story.book, waiting, story.now).reasons()).as("S58").isEmpty();
  }

  private static Answer.Alternative of(Answer answer, String kind) {
    return answer.alternatives().stream()
        .filter(each -> each.kind().equals(kind))
        .findFirst()
        .orElseThrow(() -> new AssertionError(kind + " of " + answer.alternatives()));
  }
}
