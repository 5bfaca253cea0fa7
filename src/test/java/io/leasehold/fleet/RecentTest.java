package io.leasehold.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RecentTest {

  private final AtomicInteger reads = new AtomicInteger();
  private final Recent<Integer> recent = new Recent<>(reads::incrementAndGet);

  @Test
  void doesNotReadForEachThatAsks() {
    for (int i = 0; i < 100_000; i++) {
      recent.get();
    }
    assertThat(reads.get()).isLessThan(1_000);
  }

  @Test
  void readsAnewWhenItIsToldToForget() {
    int before = recent.get();
    recent.forget();
    assertThat(recent.get()).isGreaterThan(before);
  }
}
