package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Thousandths of the GPUs of a node. */
class UnitsTest {

  private static final Units SOME = Units.of(3_000, 4_000, 250, 1_000, 1_000, 1_500);

  @Test
  void areSortedJoinedAndWrittenAsPostgresqlDoes() {
    assertThat(SOME).hasToString("{[250,1500),[3000,4000)}");
    assertThat(Units.NONE).hasToString("{}");
    assertThat(Units.ofGpus(0b1011)).hasToString("{[0,2000),[3000,4000)}");
    assertThat(SOME.size()).isEqualTo(2_250);
    assertThat(SOME.gpus()).isEqualTo(0b1011);
    assertThat(SOME.first()).isEqualTo(250);
    assertThat(Units.NONE.first()).isEqualTo(-1);
  }

  @Test
  void noUnitIsThereTwiceOrNowhere() {
    assertThatThrownBy(() -> Units.of(0, 10, 9, 20)).hasMessage("units overlap at 9");
    assertThatThrownBy(() -> Units.of(5, 5)).hasMessage("units [5, 5)");
    assertThatThrownBy(() -> Units.of(-1, 5)).hasMessage("units [-1, 5)");
    assertThat(Units.of(0, 10).overlaps(Units.of(10, 20))).isFalse();
    assertThat(Units.of(0, 11).overlaps(Units.of(10, 20))).isTrue();
    assertThat(SOME.overlaps(Units.of(2_000, 3_001))).isTrue();
    assertThat(SOME.overlaps(Units.of(1_500, 3_000))).isFalse();
  }

  @Test
  void partsAreCutFromTheLowestUnitAcrossHoles() {
    assertThat(SOME.cut(1_500)).hasToString("[{[250,1500),[3000,3250)}, {[3250,4000)}]");
    assertThat(SOME.on(0)).hasToString("{[250,1000)}");
    assertThat(SOME.on(2)).isEqualTo(Units.NONE);
    int[] perGpu = new int[4];
    SOME.addTo(perGpu);
    assertThat(perGpu).containsExactly(750, 500, 0, 1_000);
  }
}
