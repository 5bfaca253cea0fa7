package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Each alternative, sent as it is on a book that did not change, is booked as it was offered. */
class AlternativesPropertyTest {

  private static final int STEPS = 80;

  private final Map<String, Integer> offered = new TreeMap<>();

  /** One test for all seeds, more with {@code -Dseeds=1000}: the kinds are those of all. */
  @Test
  void whatIsOfferedIsBookedAndEveryKindIsOffered() {
    for (long seed = 1; seed <= Math.max(2, Long.getLong("seeds", 12)); seed++) {
      whatIsOfferedIsBooked(seed);
    }
    assertThat(offered)
        .containsKeys(
            "earlier-start",
            "fewer-gpus",
            "later-start",
            "other-model",
            "other-topology",
            "shorter");
  }

  private void whatIsOfferedIsBooked(long seed) {
    Random random = new Random(seed);
    Story story = fleet(random);
    int before = offers();
    for (int step = 0; step < STEPS; step++) {
      story.after(1_000 + (random.nextInt(3) == 0 ? random.nextLong(Time.HOUR) : 0));
      if (random.nextInt(3) == 0) {
        story.clusterObeys();
      }
      Ask ask = ask(random, story);
      Answer answer = rehearsed(story, ask);
      for (Answer.Alternative each : answer.alternatives()) {
        String why = "seed " + seed + " step " + step + ": " + each + " instead of " + ask;
        check(why, story, each);
      }
      story.decide(new Command.Create(ask));
    }
    assertThat(offers() - before).as("offered, seed " + seed).isGreaterThan(10);
  }

  private int offers() {
    return offered.values().stream().mapToInt(n -> n).sum();
  }

  private void check(String why, Story story, Answer.Alternative each) {
    Answer sent = rehearsed(story, each.ask());
    assertThat(sent.verdict()).as(why).isIn(Verdict.ADMITTED, Verdict.PLANNED);
    assertThat(sent.start())
        .as("sooner where it comes before an earmark; " + why)
        .isLessThanOrEqualTo(each.start());
    boolean exact = !(each.ask().when() instanceof Ask.When.Within);
    assertThat(sent.start().equals(each.start()) || !exact).as(why).isTrue();
    offered.merge(each.kind(), 1, Integer::sum);
  }

  private static Answer rehearsed(Story story, Ask ask) {
    int mark = story.book.mark();
    Batch batch = Engine.decide(story.book, List.of(new Command.Create(ask)), story.now);
    story.book.undo(mark);
    return ((Decision.Decided) batch.decisions().getFirst()).answer();
  }

  private static Story fleet(Random random) {
    Story story = Story.of("h100", 8, 8, 4, 2);
    story.facts(new Move.ModelSet(Fleet.h100()));
    story.facts(
        new Move.ModelSet(new GpuModel("a100", "A100", List.of(), 40_960, 0, 0, List.of(), 0)));
    story.facts(new Move.NodeSet(story.node("a100", 8)), new Move.NodeSet(story.node("a100", 4)));
    if (random.nextBoolean()) {
      Span always = new Span(Story.T - 1, Story.T + 60 * Time.HOUR);
      story.facts(
          new Move.ContractSet(story.contract("acme", "h100", 18, 4, always)),
          new Move.ContractSet(story.contract("vision", "h100", 10, 6, always)),
          new Move.ContractSet(story.contract("nlp", "h100", 6, null, always)));
    }
    return story;
  }

  private static Ask ask(Random random, Story story) {
    int gpus = 1 + random.nextInt(random.nextInt(3) == 0 ? 14 : 6);
    boolean grouped = random.nextInt(3) == 0;
    Shape.Slice slice =
        switch (random.nextInt(8)) {
          case 0 -> new Shape.Slice.Share(400);
          case 1 -> new Shape.Slice.Mig("3g.40gb");
          default -> Shape.Slice.WHOLE;
        };
    List<String> models =
        switch (random.nextInt(3)) {
          case 0 -> List.of("h100");
          case 1 -> List.of("h100", "a100");
          default -> List.of();
        };
    List<Shape.Spread> topology = new ArrayList<>();
    if (random.nextInt(4) == 0) {
      topology.add(new Shape.Spread(Level.NODE, Shape.Spread.Rule.REQUIRED, null));
    }
    int least = random.nextInt(5) == 0 && gpus > 1 && !grouped ? 1 + random.nextInt(gpus - 1) : 0;
    Story.AskMaker maker =
        story
            .asks(random.nextBoolean() ? "vision" : "nlp", gpus)
            .shape(
                new Shape(
                    models,
                    0,
                    grouped ? 1 + random.nextInt(3) : 0,
                    grouped ? 1 + random.nextInt(4) : gpus,
                    slice,
                    0,
                    0,
                    topology,
                    Shape.Where.ANYWHERE,
                    least));
    boolean realtime = random.nextInt(4) == 0;
    if (realtime) {
      maker.of("realtime");
    }
    long start = Time.roundUp(story.now + random.nextLong(5 * Time.HOUR));
    long length = Time.MINUTE + random.nextLong(5 * Time.HOUR);
    switch (random.nextInt(6)) {
      case 0 -> maker.at(start, start + length);
      case 1 -> maker.within(start, start + 9 * Time.HOUR, length);
      case 2 -> maker.when(new Ask.When.NowUntil(story.now + length));
      case 3 -> maker.lasting(realtime ? Span.FOREVER : length);
      default -> maker.lasting(length);
    }
    if (random.nextInt(3) == 0) {
      maker.orRefuse();
    }
    return maker.ask();
  }
}
