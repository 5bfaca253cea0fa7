package io.leasehold.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where each policy lays a request on a fleet small enough to see it. */
class PlacementTest {

  private static final Request ONE = request(1, 1000);

  private static Request request(int gpus, int milli, String... models) {
    return new Request(1_000, 0, gpus, milli, List.of(models));
  }

  private static Racks racks(int... gpus) {
    return new Racks(
        Arrays.stream(gpus)
            .mapToObj(each -> new Machine("n" + each, 8_000, 10, each, "T4"))
            .toList());
  }

  private static int node(Racks racks, Placement placement, int id, Request request) {
    Racks.Spot spot = placement.place(id, request);
    if (spot != null) {
      racks.take(id, request, spot);
    }
    return spot == null ? -1 : spot.node();
  }

  @Test
  void firstFitTakesTheFirstThatFits() {
    Racks racks = racks(1, 4, 2);
    Placement placement = Simple.firstFit(racks);
    assertThat(node(racks, placement, 1, request(2, 1000))).isEqualTo(1);
    assertThat(node(racks, placement, 2, ONE)).isEqualTo(0);
    assertThat(node(racks, placement, 3, ONE)).isEqualTo(1);
    assertThat(node(racks, placement, 4, request(4, 1000))).isEqualTo(-1);
  }

  @Test
  void bestFitTakesTheNodeWithTheLeastLeft() {
    Racks racks = racks(4, 2, 8);
    Placement placement = Simple.bestFit(racks);
    assertThat(node(racks, placement, 1, ONE)).isEqualTo(1);
    assertThat(node(racks, placement, 2, request(1, 300))).isEqualTo(1);
    assertThat(node(racks, placement, 3, ONE)).isEqualTo(0);
  }

  @Test
  void randomTakesAnyThatFitsAndTheSameForTheSameSeed() {
    int[] hits = new int[3];
    for (long seed = 0; seed < 90; seed++) {
      Racks racks = racks(1, 1, 1);
      int node = node(racks, Simple.random(racks, seed), 1, ONE);
      Racks again = racks(1, 1, 1);
      assertThat(node(again, Simple.random(again, seed), 1, ONE)).isEqualTo(node);
      hits[node]++;
    }
    assertThat(hits).doesNotContain(0);
  }

  @Test
  void fgdKeepsWhatTheMixCanUse() {
    Racks racks = racks(2, 2);
    racks.take(0, request(1, 600), new Racks.Spot(1, 1));
    Fragmentation mix = new Fragmentation(List.of(ONE, request(1, 400)));
    Placement placement = new Fgd(racks, mix);
    Racks.Spot spot = placement.place(1, request(1, 400));
    assertThat(spot).isEqualTo(new Racks.Spot(1, 1));
  }

  @Test
  void fragmentationIsWhatARequestOfTheMixCanNotUse() {
    Fragmentation wholeOnly = new Fragmentation(List.of(ONE));
    assertThat(wholeOnly.of("T4", 8_000, new int[] {1_000, 400})).isEqualTo(400);
    assertThat(wholeOnly.of("T4", 999, new int[] {1_000, 400})).isEqualTo(1_400);
    Fragmentation halfFractions = new Fragmentation(List.of(ONE, request(1, 400)));
    assertThat(halfFractions.of("T4", 8_000, new int[] {1_000, 400})).isEqualTo(200);
    Fragmentation named = new Fragmentation(List.of(request(1, 1000, "T4")));
    assertThat(named.of("T4", 8_000, new int[] {1_000})).isZero();
    assertThat(named.of("P100", 8_000, new int[] {1_000})).isEqualTo(1_000);
    Fragmentation pairs = new Fragmentation(List.of(request(2, 1000)));
    assertThat(pairs.of("T4", 8_000, new int[] {1_000, 1_000})).isZero();
    assertThat(pairs.of("T4", 8_000, new int[] {1_000, 0})).isEqualTo(1_000);
  }

  @Test
  void modelsCpuAndMemoryCount() {
    Racks racks = racks(4);
    assertThat(racks.fits(0, request(1, 1000, "P100", "T4"))).isTrue();
    assertThat(racks.fits(0, request(1, 1000, "P100"))).isFalse();
    assertThat(racks.fits(0, new Request(8_001, 0, 1, 1000, List.of()))).isFalse();
    assertThat(racks.fits(0, new Request(0, 11, 0, 1000, List.of()))).isFalse();
    assertThat(racks.fits(0, new Request(8_000, 10, 0, 1000, List.of()))).isTrue();
  }

  @Test
  void whatIsNotFreeCanNotBeTaken() {
    Racks racks = racks(1);
    racks.take(1, request(1, 600), new Racks.Spot(0, 1));
    assertThatThrownBy(() -> racks.take(2, request(1, 600), new Racks.Spot(0, 1)))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> racks(4).take(2, request(2, 1000), new Racks.Spot(0, 1)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void whatIsGivenBackIsFree() {
    Racks racks = racks(2);
    racks.take(1, request(2, 1000), new Racks.Spot(0, 3));
    assertThat(racks.allocatedPercent()).isEqualTo(100);
    racks.give(1);
    racks.give(1);
    assertThat(racks.allocatedPercent()).isZero();
    assertThat(racks.whole(0)).isEqualTo(2);
  }

  @Test
  void oursLaysAndEndsLeasesOfEveryKind() {
    List<Machine> machines =
        List.of(new Machine("a", 8_000, 10, 2, "T4"), new Machine("b", 8_000, 10, 1, "P100"));
    Racks racks = new Racks(machines);
    Placement ours = new Engined(machines);
    assertThat(node(racks, ours, 1, request(2, 1000))).isEqualTo(0);
    assertThat(node(racks, ours, 2, request(1, 1000, "T4"))).isEqualTo(-1);
    assertThat(node(racks, ours, 3, request(1, 500, "T4", "P100"))).isEqualTo(1);
    assertThat(node(racks, ours, 4, new Request(6_900, 0, 0, 1000, List.of()))).isEqualTo(0);
    assertThat(node(racks, ours, 5, new Request(7_001, 0, 0, 1000, List.of()))).isEqualTo(-1);
    ours.end(1);
    racks.give(1);
    assertThat(node(racks, ours, 6, request(1, 1000, "T4"))).isEqualTo(0);
    assertThat(ours.bytesPerLease()).isNotNegative();
  }
}
