package io.leasehold.engine;

import static io.leasehold.engine.PreemptionTest.contracts;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nobody ends for a request that no longer needs it. */
class ReprieveTest {

  private static final long NOTICE = 5 * Time.MINUTE;

  private final Story story = Story.of("h100", 8);

  @BeforeEach
  void batchIsToldBefore() {
    told(story);
  }

  private static void told(Story story) {
    ServiceClass batch = story.book.serviceClass("batch");
    story.facts(new Move.ClassSet(Story.noticed(NOTICE, null, batch)));
  }

  private static Lease active(Story story, Story.AskMaker asks) {
    Lease lease = asks.lease();
    story.clusterObeys();
    return story.lease(lease.id());
  }

  private void goesOn(Story in, Lease victim) {
    Lease now = in.lease(victim.id());
    assertThat(now.notice()).isNull();
    assertThat(now.window()).isEqualTo(victim.window());
    assertThat(now.booking()).isEqualTo(victim.booking());
    assertThat(in.decide().moves()).as("comes to rest").isEmpty();
  }

  @Test
  void aCancelledRequestNeedsNobodysEnd() {
    Lease victim = active(story, story.asks("vision", 8));
    Lease urgent = story.asks("vision", 8).of("realtime").lease();
    assertThat(story.lease(victim.id()).notice()).isNotNull();
    story.now += Time.MINUTE;
    Batch batch = story.decide(new Command.Cancel(urgent.id()));
    goesOn(story, victim);
    assertThat(batch.moves())
        .filteredOn(Move.LeaseMoved.class::isInstance)
        .extracting(move -> ((Move.LeaseMoved) move).cause())
        .containsExactly("cancelled", "reprieved");
    assertThat(batch.answers().getLast().answer().reasons())
        .extracting(Answer.Reason::code)
        .containsExactly("reprieved");
    story.after(NOTICE);
    assertThat(story.state(victim.id())).isEqualTo(LeaseState.ACTIVE);
  }

  @Test
  void itMayBeToldToEndAgain() {
    Lease victim = active(story, story.asks("vision", 8));
    Lease urgent = story.asks("vision", 8).of("realtime").lease();
    story.decide(new Command.Cancel(urgent.id()));
    Lease again = story.asks("nlp", 8).of("realtime").lease();
    assertThat(story.lease(victim.id()).notice().by()).isEqualTo(again.id());
  }

  @Test
  void whereOthersWerePromisedItsDevicesSinceItEnds() {
    Lease victim = active(story, story.asks("vision", 8));
    Lease urgent = story.asks("vision", 4).of("realtime").lease();
    Lease second = story.asks("vision", 4).of("realtime").lease();
    assertThat(second.earmark()).isNotNull();
    story.decide(new Command.Cancel(urgent.id()));
    assertThat(story.lease(victim.id()).notice()).isNotNull();
    story.decide(new Command.Cancel(second.id()));
    goesOn(story, victim);
  }

  @Test
  void whatWaitsBehindItDoesNotKeepItFromGoingOn() {
    Lease victim = active(story, story.asks("vision", 8).lasting(5 * Time.HOUR));
    Lease urgent = story.asks("vision", 8).of("realtime").lasting(Time.HOUR).lease();
    story.facts(new Move.ClassSet(Story.serviceClass("opportunistic", 0, true, false)));
    Lease waits = story.asks("nlp", 8).of("opportunistic").lease();
    assertThat(waits.earmark()).isNotNull();
    story.decide(new Command.Cancel(urgent.id()));
    goesOn(story, victim);
    assertThat(story.lease(waits.id()).earmark().start())
        .isGreaterThanOrEqualTo(victim.window().end());
  }

  @Test
  void newRequestsDoNotTakeTheRoomThatItGetsBack() {
    Lease victim = active(story, story.asks("vision", 8));
    Lease urgent = story.asks("vision", 8).of("realtime").lease();
    Ask other = story.asks("nlp", 8).lasting(10 * Time.MINUTE).ask();
    story.decide(new Command.Cancel(urgent.id()), new Command.Create(other));
    goesOn(story, victim);
  }

  @Test
  void whoCanStartElsewhereSoonerDoesAndNobodyEndsForIt() {
    Story two = Story.of("h100", 8, 8);
    told(two);
    Lease victim = active(two, two.asks("vision", 8));
    Lease other = active(two, two.asks("vision", 8).of("realtime"));
    Lease urgent = two.asks("nlp", 8).of("realtime").lasting(2 * Time.HOUR).lease();
    assertThat(two.lease(victim.id()).notice()).isNotNull();
    two.now += 10 * Time.SECOND;
    two.decide(new Command.Release(other.id()));
    two.now += 10 * Time.SECOND;
    two.decide(Story.withdrawn(two.lease(other.id())));
    Lease started = two.lease(urgent.id());
    assertThat(started.state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(started.window()).isEqualTo(new Span(two.now, two.now + 2 * Time.HOUR));
    goesOn(two, victim);
  }

  @Test
  void whoEndsForALimitGoesOnOnlyOnceTheLimitIsKeptWithoutThat() {
    Story two = Story.of("h100", 8, 8, 8);
    told(two);
    contracts(two, 8, 8);
    Lease own = active(two, two.asks("vision", 8));
    Lease urgent = two.asks("vision", 8).of("realtime").lease();
    assertThat(two.lease(own.id()).notice().by()).isEqualTo(urgent.id());
    assertThat(Fleet.nodes(urgent.booking())).isNotEqualTo(Fleet.nodes(own.booking()));
    two.after(Time.MINUTE);
    assertThat(two.lease(own.id()).notice()).isNotNull();
    two.decide(new Command.Cancel(urgent.id()));
    goesOn(two, own);
  }

  @Test
  void whoHasShortenedItsLeaseMeanwhileKeepsThat() {
    Lease victim = active(story, story.asks("vision", 8));
    Lease urgent = story.asks("vision", 8).of("realtime").lease();
    story.decide(new Command.Shorten(victim.id(), Story.T + 2 * Time.MINUTE));
    story.decide(new Command.Cancel(urgent.id()));
    assertThat(story.lease(victim.id()).window().end()).isEqualTo(Story.T + 2 * Time.MINUTE);
  }

  @Test
  void whoIsOnItsWayOutStaysSo() {
    Lease victim = active(story, story.asks("vision", 8));
    Lease urgent = story.asks("vision", 8).of("realtime").lease();
    story.after(NOTICE);
    story.decide(new Command.Cancel(urgent.id()));
    assertThat(story.state(victim.id())).isEqualTo(LeaseState.ENDING);
    assertThat(story.lease(victim.id()).endCause()).isEqualTo("preempted");
  }
}
