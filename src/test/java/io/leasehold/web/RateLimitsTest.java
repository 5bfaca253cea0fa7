package io.leasehold.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.leasehold.web.Caller.Grant;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RateLimitsTest {

  private static Caller caller(int id, String tenant) {
    return new Caller(new UUID(0, id), "api-key", "k", Set.of(new Grant("member", tenant)));
  }

  private static Problem refusal(Runnable call) {
    Problem problem = catchThrowableOfType(Problem.class, call::run);
    assertThat(problem).isNotNull();
    assertThat(problem.status()).isEqualTo(429);
    assertThat(problem.retryAfterSeconds()).isPositive();
    return problem;
  }

  @Test
  void aCallerIsSlowedDownAfterItsBurstAndOthersAreNot() {
    RateLimits limits = new RateLimits(new WebProperties.Rate(1, 3, 1000, 10, 10));
    Caller one = caller(1, "blue");
    for (int i = 0; i < 3; i++) {
      limits.admit(one);
    }
    refusal(() -> limits.admit(one));
    assertThatCode(() -> limits.admit(caller(2, "blue"))).doesNotThrowAnyException();
  }

  @Test
  void aTenantIsSlowedDownOverAllItsCallers() {
    RateLimits limits = new RateLimits(new WebProperties.Rate(100, 100, 2, 10, 10));
    limits.admit(caller(1, "blue"));
    limits.admit(caller(2, "blue"));
    refusal(() -> limits.admit(caller(3, "blue")));
    assertThatCode(() -> limits.admit(caller(4, "green"))).doesNotThrowAnyException();
  }

  @Test
  void anAddressWithManyBadCredentialsIsNotListenedTo() {
    RateLimits limits = new RateLimits(new WebProperties.Rate(100, 100, 100, 2, 10));
    limits.admitAttempt("10.0.0.1");
    limits.failed("10.0.0.1");
    limits.admitAttempt("10.0.0.1");
    limits.failed("10.0.0.1");
    refusal(() -> limits.admitAttempt("10.0.0.1"));
    assertThatCode(() -> limits.admitAttempt("10.0.0.2")).doesNotThrowAnyException();
  }

  @Test
  void aTenantHasAtMostHalfOfThePermits() {
    RateLimits limits = new RateLimits(new WebProperties.Rate(100, 100, 100, 2, 4));
    RateLimits.Permit first = limits.enter(caller(1, "blue"));
    limits.enter(caller(2, "blue"));
    refusal(() -> limits.enter(caller(3, "blue")));
    limits.enter(caller(4, "green"));
    first.close();
    assertThatCode(() -> limits.enter(caller(3, "blue"))).doesNotThrowAnyException();
    limits.enter(caller(5, "red"));
    Problem full = catchThrowableOfType(Problem.class, () -> limits.enter(caller(6, "grey")));
    assertThat(full.status()).isEqualTo(503);
  }
}
