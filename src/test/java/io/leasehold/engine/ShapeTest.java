package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The same shape in another size. */
class ShapeTest {

  private static Shape shape(int groups, int count, int minCount, String... models) {
    return new Shape(
        List.of(models),
        0,
        groups,
        count,
        Shape.Slice.WHOLE,
        9_001,
        64_000,
        List.of(),
        Shape.Where.ANYWHERE,
        minCount);
  }

  @Test
  void cpuAndMemoryOfTheWholeLeaseGoWithItsGpus() {
    Shape half = shape(0, 8, 6).scaled(4);
    assertThat(half.count()).isEqualTo(4);
    assertThat(half.cpuMilli()).as("rounded up").isEqualTo(4_501);
    assertThat(half.memoryMiB()).isEqualTo(32_000);
    assertThat(half.minCount()).as("no more than all").isEqualTo(4);
    assertThat(shape(0, 8, 2).scaled(4).minCount()).isEqualTo(2);
  }

  @Test
  void aGroupKeepsItsSize() {
    Shape fewer = shape(4, 8, 0).scaled(3);
    assertThat(List.of(fewer.groups(), fewer.count())).containsExactly(3, 8);
    assertThat(fewer.cpuMilli()).isEqualTo(9_001);
    assertThat(fewer.memoryMiB()).isEqualTo(64_000);
    assertThat(fewer.pieces()).isEqualTo(24);
  }

  @Test
  void theLeastIsItselfWhereItIsAllOrNothing() {
    Shape all = shape(4, 8, 0);
    assertThat(all.least()).isSameAs(all);
    Shape same = shape(4, 8, 4);
    assertThat(same.least()).isSameAs(same);
    assertThat(shape(4, 8, 2).least().groups()).isEqualTo(2);
    assertThat(shape(0, 8, 3).least().count()).isEqualTo(3);
  }

  @Test
  void anotherSizeIsAllOrNothing() {
    assertThat(shape(0, 8, 3).resized(5)).isEqualTo(shape(0, 8, 0).scaled(5));
    assertThat(shape(0, 8, 3).resized(5).minCount()).isZero();
  }

  @Test
  void otherNodesAreAvoidedBesideThoseThatAre() {
    Shape once = shape(0, 8, 3).avoiding(List.of(new UUID(7, 1)));
    Shape twice = once.avoiding(List.of(new UUID(7, 2)));
    assertThat(twice.where().avoidNodes()).containsExactly(new UUID(7, 1), new UUID(7, 2));
    assertThat(twice.minCount()).isEqualTo(3);
  }

  @Test
  void modelsAreASetInWhateverOrderTheyAreNamed() {
    assertThat(shape(0, 1, 0, "h100", "a100").modelSet()).containsExactly("a100", "h100");
    assertThat(shape(0, 1, 0, "h100").modelSet()).containsExactly("h100");
    assertThat(shape(0, 8, 3, "h100", "a100").ofModel("l4").models()).containsExactly("l4");
  }

  @Test
  void equalShapesHaveEqualHashesAndOthersMostlyNot() {
    assertThat(shape(0, 8, 0, "h100")).hasSameHashCodeAs(shape(0, 8, 0, "h100"));
    assertThat(
            List.of(
                shape(0, 8, 0).hashCode(),
                shape(0, 7, 0).hashCode(),
                shape(1, 8, 0).hashCode(),
                shape(0, 8, 0, "h100").hashCode(),
                shape(0, 8, 0, "h100", "a100").hashCode()))
        .doesNotHaveDuplicates();
  }
}
