package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Steps of search run out, one by one or many at a time. */
class BudgetTest {

  @Test
  void givesExactlyAsManyStepsAsItHas() {
    Budget budget = new Budget(2);
    assertThat(budget.spend()).isTrue();
    assertThat(budget.spend()).isTrue();
    assertThat(budget.isSpent()).as("all are used and none was missing").isFalse();
    assertThat(budget.spend()).isFalse();
    assertThat(budget.isSpent()).isTrue();
  }

  @Test
  void givesManyAtOnceIfItHasThem() {
    Budget budget = new Budget(5);
    assertThat(budget.spend(3)).isTrue();
    assertThat(budget.spend(2)).isTrue();
    assertThat(budget.isSpent()).isFalse();
    assertThat(budget.spend(1)).isFalse();
    assertThat(budget.isSpent()).isTrue();
  }
}
