package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Leases that change hands. */
class TransferTest {

  private final Story story = Story.of("h100", 8);

  private Decision transfer(Lease lease, String tenant) {
    return story.on(new Command.Transfer(lease.id(), tenant));
  }

  private long used(String tenant) {
    return story.book.usage().of(tenant, "h100").at(story.now) / Units.PER_GPU;
  }

  @Test
  void s35TheOtherTenantIsAskedForItAsForANewRequest() {
    story.facts(
        new Move.ContractSet(story.contract("acme", 8, 0)),
        new Move.ContractSet(story.contract("vision", 6, 0)),
        new Move.ContractSet(story.contract("nlp", 4, 0)));
    Lease lease = story.asks("vision", 6).lease();
    story.clusterObeys();
    Batch batch = story.decide(new Command.Transfer(lease.id(), "nlp"));
    Decision.Declined declined = (Decision.Declined) batch.decisions().getFirst();
    assertThat(declined.answer().reasons())
        .singleElement()
        .satisfies(reason -> assertThat(reason.limit()).isEqualTo(4));
    assertThat(batch.moves()).isEmpty();
    assertThat(used("vision")).isEqualTo(6);

    Lease small = story.asks("nlp", 2).lease();
    Lease handed = ((Decision.Done) transfer(small, "nlp")).lease();
    assertThat(handed).as("reached already").isEqualTo(story.lease(small.id()));
    story.decide(new Command.Resize(lease.id(), 2, java.util.List.of()));
    Lease after = ((Decision.Done) transfer(lease, "nlp")).lease();
    assertThat(after.ask().tenant()).isEqualTo("nlp");
    assertThat(after.state()).isEqualTo(LeaseState.ACTIVE);
    assertThat(after.generation()).as("nothing to order").isEqualTo(lease.generation() + 1);
    assertThat(used("vision")).isZero();
    assertThat(used("nlp")).isEqualTo(4);
    assertThat(used("acme")).isEqualTo(4);
  }

  @Test
  void aParentAtItsLimitSeesNoDifference() {
    story.facts(
        new Move.ContractSet(story.contract("acme", 8, 0)),
        new Move.ContractSet(story.contract("vision", 4, 4)),
        new Move.ContractSet(story.contract("nlp", 4, 4)));
    Lease lease = story.asks("vision", 8).lease();
    assertThat(transfer(lease, "nlp")).isInstanceOf(Decision.Done.class);
    assertThat(used("acme")).isEqualTo(8);
  }

  @Test
  void eachTenantIsChargedForItsOwnTime() {
    Lease lease = story.asks("vision", 4).lasting(10 * Time.HOUR).lease();
    story.after(2 * Time.HOUR);
    long before = story.book.history("vision", "h100");
    transfer(lease, "nlp");
    assertThat(story.book.history("vision", "h100")).isEqualTo(before);
    assertThat(story.book.history("nlp", "h100")).isZero();
    story.after(2 * Time.HOUR);
    assertThat(story.book.history("vision", "h100")).isLessThan(before);
    assertThat(story.book.history("nlp", "h100")).isEqualTo(before);
  }

  @Test
  void nobodyTakesOverWhatWaitsOrATenantThatIsNone() {
    story.asks("vision", 8).lease();
    Lease waiting = story.asks("vision", 8).lease();
    assertThat(((Decision.Declined) transfer(waiting, "nlp")).why())
        .isEqualTo(Decision.Declined.Why.ILLEGAL_MOVE);
    Lease lease = story.book.leases().iterator().next();
    assertThat(((Decision.Declined) transfer(lease, "nobody")).why())
        .isEqualTo(Decision.Declined.Why.NOT_FOUND);
  }
}
