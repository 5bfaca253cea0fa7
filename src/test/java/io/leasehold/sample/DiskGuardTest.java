package io.leasehold.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.web.Problem;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class DiskGuardTest {

  private final AtomicLong free = new AtomicLong();
  private final DiskGuard guard = new DiskGuard(Path.of("data"), free::get);

  @Test
  void refusesChangesWhileTheDiskIsNearlyFull() {
    free.set(DiskGuard.LEAST_FREE - 1);
    assertThatThrownBy(() -> passes("POST"))
        .isInstanceOfSatisfying(
            Problem.class,
            problem -> {
              assertThat(problem.status()).isEqualTo(503);
              assertThat(problem.isRetryable()).isTrue();
            });
    assertThat(passes("GET")).isTrue();
  }

  @Test
  void letsChangesPassWhileThereIsRoom() {
    free.set(DiskGuard.LEAST_FREE);
    assertThat(passes("POST")).isTrue();
  }

  private boolean passes(String method) {
    return guard.preHandle(
        new MockHttpServletRequest(method, "/api/v1/leases"), new MockHttpServletResponse(), this);
  }
}
