package io.leasehold.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTest {

  private static Options options(String... args) {
    return new Options(List.of(args));
  }

  private static void assertBad(Runnable action, String message) {
    assertThatThrownBy(action::run).isInstanceOf(BadInput.class).hasMessage(message);
  }

  @Test
  void readsValuesFlagsAndDefaults() {
    Options options = options("--load", "0.9", "--compare", "--seed", "42-44");
    assertThat(options.part("load", 0.95, 10)).isEqualTo(0.9);
    assertThat(options.flag("compare")).isTrue();
    assertThat(options.seeds("seed")).containsExactly(42L, 43L, 44L);
    assertThat(options.count("arrivals", 7, 1, 10)).isEqualTo(7);
    assertThat(options.choice("out", List.of("table", "json"))).isEqualTo("table");
    options.refuseOthers();
  }

  @Test
  void saysWhatIsWrongWithAnOption() {
    assertBad(() -> options("openb"), "openb is no option: options begin with --");
    assertBad(() -> options("--seed"), "--seed needs a value");
    assertBad(() -> options("--seed", "--compare"), "--seed needs a value");
    assertBad(() -> options("--seed", "1", "--seed", "2"), "--seed is given twice");
    assertBad(() -> options().text("nodes"), "--nodes is missing");
    assertBad(
        () -> options("--out", "xml").choice("out", List.of("table", "json")),
        "--out xml: one of table, json");
    assertBad(
        () -> options("--arrivals", "0").count("arrivals", 5, 1, 10),
        "--arrivals 0: a whole number, 1 to 10");
    assertBad(
        () -> options("--load", "-1").part("load", 1, 10),
        "--load -1: a number above 0, at most 10.0");
    assertBad(
        () -> options("--seed", "3-1").seeds("seed"),
        "--seed 3-1: a whole number, or two as in 42-51");
  }

  @Test
  void refusesWhatNobodyAskedFor() {
    Options options = options("--colour", "red");
    options.seeds("seed");
    assertBad(options::refuseOthers, "--colour means nothing here; known are --seed");
  }
}
