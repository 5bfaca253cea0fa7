package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A verb that says no says why, in the words of its first reason. */
class RefusalsTest {

  private final Answer.Reason reason = Reasons.plain("guarantee", "more than is guaranteed");

  @Test
  void aLimitOfTheClassAndALimitOfTheTenantAreToldApart() {
    Decision.Declined ofClass = Refusals.over(Decision.Declined.Why.LIMIT, reason, Story.T);
    assertThat(ofClass.answer().refusal()).isEqualTo(Answer.Refusal.LIMIT);
    Decision.Declined ofTenant = Refusals.over(Decision.Declined.Why.SHORTAGE, reason, Story.T);
    assertThat(ofTenant.answer().refusal()).isEqualTo(Answer.Refusal.SHORTAGE);
    assertThat(ofTenant.answer().reasons()).containsExactly(reason);
    assertThat(ofTenant.answer().decidedAt()).isEqualTo(Story.T);
  }

  @Test
  void aShortageIsToldByItsFirstReason() {
    Attempt.Short missing = new Attempt.Short(List.of(reason), List.of(), false, 0);
    Decision.Declined declined = Refusals.shortage(missing, List.of(), Story.T);
    assertThat(declined.detail()).isEqualTo("more than is guaranteed");
    assertThat(declined.why()).isEqualTo(Decision.Declined.Why.SHORTAGE);
    Attempt.Short untold = new Attempt.Short(List.of(), List.of(), false, 0);
    assertThat(Refusals.shortage(untold, List.of(), Story.T).detail()).isNotBlank();
  }
}
