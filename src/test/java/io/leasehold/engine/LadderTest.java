package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A ladder, read at one instant, says what the limits say of that instant. */
class LadderTest {

  private static final String[] TENANTS = {"acme", "vision", "nlp", "lidar"};

  private final Story story = Story.of("h100", 8, 8, 8, 8);

  private Ladder ladder(String tenant) {
    return new Ladder(story.book, new Usage.Account(tenant, "h100"), story.now);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void saysWhatTheLimitsSay(long seed) {
    Random random = new Random(seed);
    story.facts(new Move.TenantSet(new Tenant("lidar", "vision", false)));
    for (int round = 0; round < 12; round++) {
      String tenant = TENANTS[random.nextInt(4)];
      Integer borrowing = random.nextBoolean() ? null : Integer.valueOf(random.nextInt(6));
      story.facts(new Move.ContractSet(story.contract(tenant, random.nextInt(8), borrowing)));
      story.asks(TENANTS[random.nextInt(4)], 1 + random.nextInt(3)).orRefuse().lease();
      for (String each : TENANTS) {
        for (int need = 1; need <= 12; need++) {
          agrees("seed " + seed + " round " + round, each, need * 1_000L, random.nextBoolean());
        }
      }
    }
  }

  private void agrees(String why, String tenant, long need, boolean preemptible) {
    Span instant = new Span(story.now, story.now + 1);
    Limits.Kind expected =
        switch (story.book.limits().check(tenant, "h100", need, instant, preemptible)) {
          case Limits.Standing.Guaranteed _ -> Limits.Kind.GUARANTEED;
          case Limits.Standing.Borrowed _ -> Limits.Kind.BORROWED;
          case Limits.Standing.Over _ -> Limits.Kind.OVER;
        };
    assertThat(ladder(tenant).standing(need, preemptible))
        .as("%s: %s needs %d, preemptible %s", why, tenant, need, preemptible)
        .isEqualTo(expected);
    assertThat(ladder(tenant).carries(need))
        .as("%s: %s is carried with %d", why, tenant, need)
        .isEqualTo(story.book.limits().isCarried(tenant, "h100", need, instant));
  }

  @Test
  void leavesToOthersWhatALendingLimitMayForbid() {
    Contract keeps =
        new Contract(
            new UUID(3, 77),
            "vision",
            new Span(Story.T - 1, Span.FOREVER),
            List.of(new Contract.Entitlement("h100", 8, null, 2, 1)));
    story.facts(
        new Move.ContractSet(story.contract("acme", 16, null)), new Move.ContractSet(keeps));
    assertThat(ladder("nlp").standing(1_000, true)).isNull();
    assertThat(ladder("vision").standing(8_000, true)).isEqualTo(Limits.Kind.GUARANTEED);
  }

  @Test
  void withoutContractsEverythingIsGuaranteed() {
    assertThat(ladder("vision").standing(99_000, false)).isEqualTo(Limits.Kind.GUARANTEED);
  }

  @Test
  void countsWhatIsBorrowedOfWhatTheLevelAboveCouldLend() {
    story.facts(
        new Move.ContractSet(story.contract("acme", 16, null)),
        new Move.ContractSet(story.contract("vision", 4, null)));
    story.asks("vision", 6).lease();
    Share[] shares = ladder("vision").shares(3_000);
    long past = 9_000 * History.TICK_MILLIS;
    assertThat(shares)
        .containsExactly(
            new Share(0, 32_000, 1),
            new Share(
                5_000 * History.WEIGHT + Math.max(0, past - 4_000 * History.WEIGHT), 16_000, 1));
  }

  @Test
  void isReadAgainOnceSomebodyTookMore() {
    story.facts(new Move.ContractSet(story.contract("acme", 8, 0)));
    Ladder ladder = ladder("vision");
    assertThat(ladder.standing(8_000, true)).isNotEqualTo(Limits.Kind.OVER);
    story.asks("nlp", 1).lease();
    assertThat(ladder.standing(8_000, true)).isEqualTo(Limits.Kind.OVER);
    assertThat(ladder.standing(7_000, true)).isNotEqualTo(Limits.Kind.OVER);
  }
}
