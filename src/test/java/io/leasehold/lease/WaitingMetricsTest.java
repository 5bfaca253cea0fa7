package io.leasehold.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.lease.WaitingMetrics.Count;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingMetricsTest {

  @Test
  void namesAFewTenantsAndLosesNoGpu() {
    List<Count> counts = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      counts.add(new Count("main", "t" + i, "capacity", i + 1));
      counts.add(new Count("edge", "t" + i, "shape", 1));
    }
    List<Count> bounded = WaitingMetrics.bounded(counts);
    assertThat(bounded.stream().map(Count::tenant).distinct())
        .hasSize(WaitingMetrics.MOST_TENANTS + 1)
        .contains("t999", "t901", WaitingMetrics.OTHERS)
        .doesNotContain("t900");
    assertThat(bounded.stream().mapToDouble(Count::gpus).sum())
        .isEqualTo(counts.stream().mapToDouble(Count::gpus).sum());
    assertThat(bounded).hasSize(2 * (WaitingMetrics.MOST_TENANTS + 1));
  }
}
