package io.leasehold;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ActuatorExposureTest {

  @Test
  void stopsTheStartWhenMoreThanHealthInfoAndMetricsIsExposed() {
    assertThatThrownBy(() -> ActuatorExposure.check(List.of("health", "heapdump", "env")))
        .isInstanceOf(CannotStart.class)
        .hasMessageContaining("names env, heapdump;");
  }

  @Test
  void letsHealthInfoAndMetricsPass() {
    assertThatCode(() -> ActuatorExposure.check(List.of("health", "info", "prometheus")))
        .doesNotThrowAnyException();
  }
}
