package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is used over time, held against a sum at each instant. */
class ProfileTest {

  private static final int LENGTH = 30;

  private record Use(Span span, long amount) {}

  private final Profile profile = new Profile();
  private final List<Use> uses = new ArrayList<>();

  private long at(long instant) {
    return uses.stream().filter(use -> use.span().contains(instant)).mapToLong(Use::amount).sum();
  }

  private static Span span(Random random) {
    long start = random.nextInt(LENGTH);
    return new Span(start, random.nextInt(8) == 0 ? Span.FOREVER : start + 1 + random.nextInt(12));
  }

  private void change(Random random) {
    if (random.nextInt(3) == 0 && !uses.isEmpty()) {
      Use over = uses.remove(random.nextInt(uses.size()));
      profile.add(over.span(), -over.amount());
    } else {
      Use use = new Use(span(random), 1 + random.nextInt(3));
      uses.add(use);
      profile.add(use.span(), use.amount());
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4})
  void isWhatItsUsesAddUpTo(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      change(random);
      String why = "seed " + seed + " round " + round + ": " + uses;
      for (long instant = 0; instant < LENGTH; instant++) {
        assertThat(profile.at(instant)).as(why + " at " + instant).isEqualTo(at(instant));
        changes(why + " after " + instant, instant);
      }
      Span looked = new Span(random.nextInt(LENGTH), LENGTH + random.nextInt(LENGTH));
      looksAt(why + " over " + looked, looked);
      long fingerprint = profile.fingerprint();
      assertThat(fingerprint).as(why).isEqualTo(again(uses).fingerprint());
      assertThat(fingerprint)
          .as(why)
          .isNotEqualTo(again(List.of(new Use(looked, 9))).fingerprint());
      assertThat(profile.isWhole()).as(why).isTrue();
      assertThat(profile.isEmpty()).as(why).isEqualTo(uses.isEmpty());
    }
  }

  private static Profile again(List<Use> uses) {
    Profile again = new Profile();
    uses.reversed().forEach(use -> again.add(use.span(), use.amount()));
    return again;
  }

  /** Also where as much starts as ends. */
  private void changes(String why, long after) {
    TreeSet<Long> starts = new TreeSet<>();
    TreeSet<Long> ends = new TreeSet<>(List.of(Span.FOREVER));
    uses.forEach(use -> starts.add(use.span().start()));
    uses.forEach(use -> ends.add(use.span().end()));
    long fall = ends.higher(after);
    Long start = starts.higher(after);
    assertThat(profile.nextFall(after)).as(why).isEqualTo(fall);
    assertThat(profile.nextChange(after))
        .as(why)
        .isEqualTo(start == null ? fall : Math.min(start, fall));
  }

  private void looksAt(String why, Span span) {
    long peak = 0;
    Steps steps = profile.steps(span);
    int step = 0;
    for (long instant = span.start(); instant < span.end(); instant++) {
      peak = Math.max(peak, at(instant));
      step += steps.end(step) == instant ? 1 : 0;
      assertThat(steps.value(step)).as(why + " at " + instant).isEqualTo(at(instant));
      boolean differs = instant == span.start() || at(instant) != at(instant - 1);
      assertThat(profile.changes(span).contains(instant) || !differs).as(why).isTrue();
    }
    assertThat(steps.end(steps.size() - 1)).as(why).isEqualTo(span.end());
    assertThat(profile.peak(span)).as(why).isEqualTo(peak);
    assertThat(profile.changes(span)).allMatch(span::contains);
  }
}
