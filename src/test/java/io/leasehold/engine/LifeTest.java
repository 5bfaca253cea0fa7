package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The life of a lease, told in one pool of eight GPUs. */
class LifeTest {

  private final Story story = Story.of("h100", 8);

  @Test
  void livesFromAdmissionToItsWithdrawal() {
    Lease lease = story.asks("vision", 8).lease();
    assertThat(lease.state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(lease.generation()).isEqualTo(1);
    assertThat(lease.window()).isEqualTo(new Span(Story.T, Story.T + Time.HOUR));

    story.clusterObeys();
    assertThat(story.state(lease.id())).isEqualTo(LeaseState.ACTIVE);

    story.after(Time.HOUR);
    Lease ending = story.lease(lease.id());
    assertThat(ending.state()).isEqualTo(LeaseState.ENDING);
    assertThat(ending.generation()).isEqualTo(2);
    assertThat(ending.withdrawDue()).isEqualTo(story.now + 90 * Time.SECOND);

    story.clusterObeys();
    assertThat(story.last(lease.id()).state()).isEqualTo(LeaseState.ENDED);
    assertThat(story.last(lease.id()).endCause()).isEqualTo("expired");
    assertThat(story.asks("nlp", 8).lease().state()).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void startsAWaitingLeaseInTheBatchInWhichRoomAppears() {
    Lease holder = story.asks("vision", 8).lease();
    Decision.Decided waiting = story.asks("nlp", 4).decided();
    assertThat(waiting.answer().verdict()).isEqualTo(Verdict.WAITING);
    assertThat(waiting.lease().earmark()).isNotNull();
    story.decide(new Command.Release(holder.id()));
    assertThat(story.state(waiting.lease().id())).isEqualTo(LeaseState.WAITING);
    story.clusterObeys();
    assertThat(story.state(waiting.lease().id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void startsWhatIsPlannedOnlyWhenItsPredecessorIsWithdrawn() {
    Lease first = story.asks("vision", 8).at(Story.T, Story.T + Time.HOUR).lease();
    story.clusterObeys();
    long second = Story.T + Time.HOUR + 90 * Time.SECOND;
    Lease next = story.asks("nlp", 8).at(second, second + Time.HOUR).lease();
    assertThat(next.state()).isEqualTo(LeaseState.PLANNED);

    story.after(Time.HOUR + 90 * Time.SECOND);
    assertThat(story.state(first.id())).isEqualTo(LeaseState.ENDING);
    assertThat(story.lease(next.id()).delayedBy()).isEqualTo(first.id());

    Lease ending = story.lease(first.id());
    story.decide(Story.withdrawn(ending));
    assertThat(story.state(next.id())).isEqualTo(LeaseState.ALLOCATED);
    assertThat(story.lease(next.id()).window().end()).isEqualTo(second + Time.HOUR);
  }

  /** What a class takes to withdraw from now on was not booked by those who came before. */
  private void withdrawsIn(long grace, String slug) {
    ServiceClass of = story.book.serviceClass(slug);
    story.facts(
        new Move.ClassSet(
            new ServiceClass(
                slug,
                of.priority(),
                of.mayPreempt(),
                of.mayBePreempted(),
                of.mayBeOpenEnded(),
                0,
                0,
                grace,
                0,
                of.agingAfter(),
                of.longestDuration(),
                of.horizon())));
  }

  /** The same lease, with another right after it. */
  private Lease beforeAnother(Lease lease) {
    long next = lease.booking().hold().end();
    story.asks("nlp", 8).of("realtime").at(next, next + Time.HOUR).lease();
    return lease;
  }

  @Test
  void aSlowerWithdrawalDoesNotReachIntoWhatOthersWerePromisedMeanwhile() {
    Lease lease = beforeAnother(story.asks("vision", 8).lasting(3 * Time.HOUR).lease());
    withdrawsIn(Time.HOUR, "batch");
    story.on(new Command.Shorten(lease.id(), lease.window().end() - Time.MINUTE));
    assertThat(story.lease(lease.id()).booking().hold()).isEqualTo(lease.booking().hold());
    story.on(new Command.Release(lease.id()));
    assertThat(story.lease(lease.id()).withdrawDue()).isEqualTo(Story.T + Time.HOUR);
  }

  @Test
  void norWhereItStartsSooner() {
    story.asks("nlp", 8).lasting(Time.HOUR).lease();
    story.clusterObeys();
    Ask.When until = new Ask.When.NowUntil(story.now + 2 * Time.HOUR);
    Lease taker = beforeAnother(story.asks("vision", 8).of("realtime").when(until).lease());
    withdrawsIn(Time.HOUR, "realtime");
    story.now += 5 * Time.SECOND;
    story.clusterObeys();
    assertThat(story.state(taker.id())).isEqualTo(LeaseState.ALLOCATED);
    assertThat(story.lease(taker.id()).booking().hold().end())
        .isEqualTo(taker.booking().hold().end());
  }

  @Test
  void aFasterWithdrawalLeavesTimeForALaterEnd() {
    Lease lease = beforeAnother(story.asks("vision", 8).lease());
    withdrawsIn(10 * Time.SECOND, "batch");
    long later = lease.window().end() + Time.MINUTE;
    story.on(new Command.Extend(lease.id(), later));
    assertThat(story.lease(lease.id()).window().end()).isEqualTo(later);
    assertThat(story.lease(lease.id()).booking().hold().end()).isEqualTo(later + 10 * Time.SECOND);
  }
}
