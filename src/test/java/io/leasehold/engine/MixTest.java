package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked for, counted. */
class MixTest {

  private final Undo undo = new Undo();
  private final Mix mix = new Mix(undo);
  private long leases;

  private Lease asked(Shape shape) {
    Ask ask =
        new Ask(
            new UUID(1, ++leases),
            "vision",
            "batch",
            shape,
            new Ask.When.Now(Time.HOUR),
            true,
            Ask.Shortage.WAIT,
            0,
            List.of());
    return Draft.of(Draft.requested(ask, leases, 0)).to(LeaseState.WAITING).lease();
  }

  private static Lease over(Lease lease) {
    return Draft.of(lease).to(LeaseState.CANCELLED).lease();
  }

  private static Shape shape(int gpus, int milli, long cpu, String... models) {
    return new Shape(
        List.of(models),
        0,
        gpus > 1 ? 1 : 0,
        gpus,
        milli == 1000 ? Shape.Slice.WHOLE : new Shape.Slice.Share(milli),
        cpu,
        0,
        List.of(),
        Shape.Where.ANYWHERE);
  }

  private static List<Object> counts(Mix mix) {
    return List.of(
        mix.total(),
        mix.open(),
        mix.singles(),
        mix.named("h100"),
        mix.gangs().toString(),
        Arrays.toString(mix.cpuPerGpu(8)),
        Arrays.toString(mix.fitting()));
  }

  @Test
  void theCpuBesideAGpuIsThatOfEqualPartsOfTheDemand() {
    for (int i = 0; i < 3; i++) {
      mix.moved(null, asked(shape(1, 1000, 4_000)));
    }
    mix.moved(null, asked(shape(1, 500, 8_000)));
    mix.moved(null, asked(shape(1, 500, 0)));

    long[] quarters = mix.cpuPerGpu(4);
    assertThat(quarters[0]).isZero();
    assertThat(quarters[1]).isBetween(3_800L, 4_200L);
    assertThat(quarters[2]).isEqualTo(quarters[1]);
    assertThat(quarters[3]).isEqualTo(quarters[1]);
    assertThat(mix.cpuPerGpu(8)[7]).isBetween(15_200L, 17_000L);
  }

  @Test
  void aHoleIsWorthTheFractionsThatFitIntoIt() {
    mix.moved(null, asked(shape(1, 250, 0)));
    mix.moved(null, asked(shape(1, 750, 0)));

    long[] fitting = mix.fitting();
    assertThat(fitting[Holes.classOf(240)]).isZero();
    assertThat(fitting[Holes.classOf(250)]).isEqualTo(256);
    assertThat(fitting[Holes.classOf(750)]).isEqualTo(1024);
  }

  @Test
  void aMigInstanceCountsForTheLoadOnly() {
    mix.moved(null, asked(Fleet.mig(1, "1g.10gb")));
    assertThat(mix.total()).isZero();
    assertThat(mix.open()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void isTheSameWhateverCameAndWent(long seed) {
    Random random = new Random(seed);
    List<Lease> live = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      if (!live.isEmpty() && random.nextInt(3) == 0) {
        Lease lease = live.remove(random.nextInt(live.size()));
        mix.moved(lease, over(lease));
      } else {
        Lease lease = asked(anyShape(random));
        mix.moved(null, lease);
        live.add(lease);
      }
    }
    Mix fresh = new Mix(new Undo());
    Collections.shuffle(live, random);
    live.forEach(lease -> fresh.moved(null, lease));
    assertThat(counts(mix)).as("seed " + seed).isEqualTo(counts(fresh));

    undo.back(0);
    assertThat(counts(mix)).as("seed " + seed).isEqualTo(counts(new Mix(new Undo())));
  }

  private static Shape anyShape(Random random) {
    int gpus = 1 + random.nextInt(9);
    int milli = gpus == 1 ? 1 + random.nextInt(1_000) : 1_000;
    String[] models = random.nextBoolean() ? new String[0] : new String[] {"h100", "a100"};
    return shape(gpus, milli, random.nextInt(3) == 0 ? 0 : random.nextInt(200_000), models);
  }

  @Test
  void singlesGangsAndFractionsAreCountedApart() {
    mix.moved(null, asked(shape(1, 1000, 4_000)));
    mix.moved(null, asked(shape(1, 1000, 4_000, "h100")));
    mix.moved(null, asked(shape(1, 250, 4_000)));
    mix.moved(null, asked(shape(4, 1000, 4_000, "h100", "a100")));
    mix.moved(null, asked(shape(4, 1000, 4_000)));
    mix.moved(null, asked(shape(16, 1000, 32_000)));
    assertThat(mix.singles()).isEqualTo(2_000);
    assertThat(mix.total()).isEqualTo(26_250);
    assertThat(mix.named("h100")).isEqualTo(3_000);
    assertThat(mix.named("a100")).isEqualTo(2_000);
    assertThat(mix.gangs().keySet()).extracting(Mix.Gang::gpus).containsExactly(4, Score.LARGEST);
    assertThat(mix.gangs().values())
        .containsExactly(new Mix.Weight(8_000, 8_000, 2), new Mix.Weight(16_000, 16_000, 1));
  }
}
