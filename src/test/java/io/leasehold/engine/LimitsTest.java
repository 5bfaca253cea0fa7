package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Guarantees, borrowing and lending, over time and at every level of the tree. */
class LimitsTest {

  private final Story story = Story.of("h100", 8, 8);

  @Test
  void borrowsUpToTheLimitOfEveryLevel() {
    story.facts(
        new Move.ContractSet(story.contract("acme", 4, 4)),
        new Move.ContractSet(story.contract("vision", 2, null)));
    assertThat(story.asks("vision", 8).lease().state()).isEqualTo(LeaseState.ALLOCATED);
    Answer answer = story.asks("nlp", 1).decided().answer();
    assertThat(answer.verdict()).isEqualTo(Verdict.WAITING);
    assertThat(answer.reasons())
        .singleElement()
        .satisfies(
            reason -> {
              assertThat(reason.code()).isEqualTo("borrowing-limit");
              assertThat(reason.name()).isEqualTo("acme");
              assertThat(List.of(reason.need(), reason.used(), reason.limit()))
                  .containsExactly(1L, 8L, 8L);
            });
  }

  @Test
  void aLimitIsCheckedAtEveryBreakpointOfTheWindow() {
    story.facts(new Move.ContractSet(story.contract("acme", 8, 0)));
    long start = Story.T + 2 * Time.HOUR;
    story.asks("vision", 6).at(start, start + Time.HOUR).lease();
    assertThat(story.asks("vision", 4).lasting(Time.HOUR).orRefuse().lease().state())
        .isEqualTo(LeaseState.ALLOCATED);
    assertThat(story.asks("nlp", 4).lasting(3 * Time.HOUR).orRefuse().lease().state())
        .isEqualTo(LeaseState.REFUSED);
  }

  @Test
  void aGuaranteeMustLastAsLongAsALeaseThatMayNotBePreempted() {
    story.facts(
        new Move.ContractSet(
            story.contract("acme", "h100", 8, null, new Span(Story.T - 1, Story.T + Time.HOUR))),
        new Move.ContractSet(
            story.contract("vision", "h100", 8, null, new Span(Story.T - 1, Story.T + Time.HOUR))));
    assertThat(
            story
                .asks("vision", 1)
                .of("realtime")
                .lasting(2 * Time.HOUR)
                .orRefuse()
                .lease()
                .state())
        .isEqualTo(LeaseState.REFUSED);
    assertThat(story.asks("vision", 1).of("realtime").lasting(Time.HOUR).orRefuse().lease().state())
        .isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void whatIsNotLentIsNotTaken() {
    Contract keeps =
        new Contract(
            new UUID(3, 77),
            "vision",
            new Span(Story.T - 1, Span.FOREVER),
            List.of(new Contract.Entitlement("h100", 8, null, 2, 1)));
    story.facts(
        new Move.ContractSet(story.contract("acme", 16, null)), new Move.ContractSet(keeps));
    assertThat(story.asks("nlp", 11).orRefuse().decided().answer().reasons())
        .extracting(Answer.Reason::code)
        .contains("lending-limit");
    assertThat(story.asks("nlp", 10).orRefuse().lease().state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(story.asks("vision", 6).lease().state()).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void aContractThatBeginsWakesWhoWaitsForIt() {
    story.facts(
        new Move.ContractSet(story.contract("nlp", 1, 0)),
        new Move.ContractSet(
            story.contract("vision", "h100", 2, 0, new Span(Story.T - 1, Story.T + Time.HOUR))),
        new Move.ContractSet(
            story.contract("vision", "h100", 4, 0, new Span(Story.T + Time.HOUR, Span.FOREVER))));
    Lease waiting = story.asks("vision", 4).lease();
    assertThat(waiting.state()).isEqualTo(LeaseState.WAITING);
    assertThat(story.book.nextDue()).isLessThanOrEqualTo(Story.T + Time.HOUR);
    story.after(Time.HOUR);
    assertThat(story.state(waiting.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void aGuaranteeCarriesAsMuchAsIsLeftOfItForAsLongAsItLasts() {
    Span hour = new Span(Story.T, Story.T + Time.HOUR);
    Span two = new Span(Story.T, Story.T + 2 * Time.HOUR);
    story.facts(
        new Move.ContractSet(story.contract("acme", 6, 0)),
        new Move.ContractSet(
            story.contract("vision", "h100", 4, 0, new Span(Story.T - 1, Story.T + Time.HOUR))),
        new Move.ContractSet(story.contract("nlp", 8, 0)));
    Limits limits = story.book.limits();
    assertThat(limits.isCarried("vision", "h100", 4_000, hour)).isTrue();
    assertThat(limits.isCarried("vision", "h100", 4_001, hour)).isFalse();
    assertThat(limits.isCarried("vision", "h100", 4_000, two)).as("it ends before").isFalse();
    assertThat(limits.isCarried("nlp", "h100", 1_000, hour)).as("acme has less").isFalse();
    story.asks("vision", 1).lasting(30 * Time.MINUTE).lease();
    assertThat(limits.isCarried("vision", "h100", 3_000, hour)).isTrue();
    assertThat(limits.isCarried("vision", "h100", 4_000, hour)).isFalse();
  }

  @Test
  void aboveTheHighestLimitOfAllContractsIsNever() {
    story.facts(new Move.ContractSet(story.contract("acme", 4, 2)));
    assertThat(story.asks("vision", 7).decided().answer().refusal())
        .isEqualTo(Answer.Refusal.NEVER);
  }

  @Test
  void signsOnlyWhatTheFleetAndTheParentCanHold() {
    assertThat(story.on(new Command.Sign(story.contract("acme", 17, null))))
        .isInstanceOfSatisfying(
            Decision.Shortfalls.class,
            no ->
                assertThat(no.shortfalls())
                    .singleElement()
                    .satisfies(
                        shortfall -> {
                          assertThat(shortfall.scope()).isEqualTo("pool");
                          assertThat(shortfall.promised()).isEqualTo(17);
                          assertThat(shortfall.available()).isEqualTo(16);
                        }));
    assertThat(story.book.contracts()).isEmpty();
    assertThat(story.on(new Command.Sign(story.contract("acme", 16, null))))
        .isInstanceOf(Decision.Changed.class);
    story.on(new Command.Sign(story.contract("vision", 10, null)));
    assertThat(story.on(new Command.Sign(story.contract("nlp", 7, null))))
        .isInstanceOfSatisfying(
            Decision.Shortfalls.class,
            no ->
                assertThat(no.shortfalls())
                    .extracting(Decision.Shortfall::scope)
                    .containsExactly("acme"));
  }

  @Test
  void whatIsBookedOutlivesACutContract() {
    Contract contract = story.contract("acme", 16, 0);
    story.facts(new Move.ContractSet(contract));
    Lease lease = story.asks("vision", 8).lease();
    story.on(new Command.Terminate(contract.id(), story.now));
    assertThat(story.book.contracts().iterator().next().valid().end()).isEqualTo(story.now);
    assertThat(story.state(lease.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void usageMovesWithATenantThatMoves() {
    story.facts(new Move.TenantSet(new Tenant("other", null, false)));
    story.asks("vision", 3).lease();
    story.facts(new Move.TenantSet(new Tenant("vision", "other", false)));
    assertThat(story.book.usage().of("acme", "h100").at(story.now)).isZero();
    assertThat(story.book.usage().of("other", "h100").at(story.now)).isEqualTo(3_000);
    assertThat(Engine.audit(story.book)).isEmpty();
  }

  /** Without an end a lease outlives any contract: it is checked as far as one is known. */
  @Test
  void whatHasNoEndIsCheckedAsFarAsItsTenantsContractsReach() {
    Story open = Story.of("h100", 8);
    Span year = new Span(Story.T - 1, Story.T + 365 * Time.DAY);
    open.facts(
        new Move.ContractSet(open.contract("acme", "h100", 8, 0, year)),
        new Move.ContractSet(open.contract("vision", "h100", 4, 0, year)));
    Ask.When forEver = new Ask.When.Now(Span.FOREVER);
    assertThat(open.asks("vision", 4).of("realtime").when(forEver).lease().state())
        .isEqualTo(LeaseState.ALLOCATED);
    assertThat(open.asks("vision", 1).of("realtime").when(forEver).lease().state())
        .isEqualTo(LeaseState.WAITING);

    Story gap = Story.of("h100", 8);
    gap.facts(
        new Move.ContractSet(gap.contract("acme", "h100", 8, 0, year)),
        new Move.ContractSet(
            gap.contract("vision", "h100", 4, 0, new Span(Story.T - 1, Story.T + 10 * Time.DAY))),
        new Move.ContractSet(
            gap.contract(
                "vision",
                "h100",
                2,
                0,
                new Span(Story.T + 10 * Time.DAY, Story.T + 20 * Time.DAY))));
    assertThat(gap.asks("vision", 4).of("realtime").when(forEver).lease().state())
        .as("a smaller contract that is known binds")
        .isEqualTo(LeaseState.WAITING);
    assertThat(gap.asks("vision", 2).of("realtime").when(forEver).lease().state())
        .isEqualTo(LeaseState.ALLOCATED);
  }
}
