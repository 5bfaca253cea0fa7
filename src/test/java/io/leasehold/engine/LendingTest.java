package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a level keeps to itself is used up first, and nobody else has it. */
class LendingTest {

  private final Story story = Story.of("h100", 8, 8);

  private void keeps(String tenant, int guaranteed, Integer lent) {
    UUID id = UUID.nameUUIDFromBytes(tenant.getBytes());
    story.facts(
        new Move.ContractSet(
            new Contract(
                id,
                tenant,
                new Span(Story.T - 1, Span.FOREVER),
                List.of(new Contract.Entitlement("h100", guaranteed, null, lent, 1)))));
  }

  /** The most GPUs that the limits let a tenant have beside what it has. */
  private int most(String tenant) {
    Span hour = new Span(story.now, story.now + Time.HOUR);
    int most = 0;
    while (!(story.book.limits().check(tenant, "h100", 1_000L * (most + 1), hour, true)
        instanceof Limits.Standing.Over)) {
      most++;
    }
    return most;
  }

  @Test
  void whatIsUsedOfWhatIsKeptTakesNothingFromOthers() {
    keeps("vision", 8, 2);
    assertThat(most("nlp")).isEqualTo(10);
    story.asks("vision", 6).lease();
    assertThat(most("nlp")).isEqualTo(10);
    story.asks("vision", 1).lease();
    assertThat(most("nlp")).as("one of the two that are lent is used").isEqualTo(9);
    story.asks("nlp", 4).lease();
    assertThat(most("nlp")).isEqualTo(5);
    assertThat(most("vision")).isEqualTo(5);
  }

  @Test
  void everyLevelKeepsItsOwnPart() {
    story.facts(new Move.TenantSet(new Tenant("lidar", "vision", false)));
    keeps("vision", 8, 1);
    keeps("lidar", 6, 1);
    assertThat(most("nlp")).as("five kept by lidar, two more by vision").isEqualTo(9);
    assertThat(most("vision")).as("without what lidar keeps").isEqualTo(11);
    assertThat(most("lidar")).isEqualTo(16);
    story.asks("nlp", 8).lease();
    story.asks("nlp", 1).lease();
    assertThat(most("nlp")).isZero();
    assertThat(most("vision")).isEqualTo(2);
    assertThat(most("lidar")).isEqualTo(7);
    story.asks("lidar", 6).lease();
    assertThat(most("lidar")).isEqualTo(1);
    assertThat(most("vision")).isEqualTo(1);
    assertThat(most("nlp")).isZero();
  }

  @Test
  void moreThanTheGuaranteeLentIsAllOfIt() {
    keeps("vision", 4, 9);
    assertThat(most("nlp")).isEqualTo(16);
  }

  @Test
  void aLimitOnlyBindsWhileItsContractIsValid() {
    keeps("vision", 8, 0);
    assertThat(most("nlp")).isEqualTo(8);
    story.now += 1;
    story.on(new Command.Terminate(UUID.nameUUIDFromBytes("vision".getBytes()), story.now));
    assertThat(most("nlp")).isEqualTo(16);
  }
}
