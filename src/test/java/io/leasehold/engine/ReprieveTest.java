package io.leasehold.engine;

import static io.leasehold.engine.PreemptionTest.contracts;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
  void whoseLimitIsUsedOtherwiseMeanwhileEnds() {
    Story two = Story.of("h100", 8, 8);
    told(two);
    two.facts(
        new Move.ContractSet(two.contract("acme", 16, null)),
        new Move.ContractSet(two.contract("vision", 0, 8)),
        new Move.ContractSet(two.contract("nlp", 16, null)));
    Lease victim = active(two, two.asks("vision", 8).lasting(5 * Time.HOUR));
    two.asks("nlp", 8).of("realtime").lasting(25 * Time.MINUTE).lease();
    long at = two.now + 20 * Time.MINUTE;
    Lease owner = two.asks("nlp", 8).of("realtime").at(at, at + Time.HOUR).lease();
    assertThat(two.lease(victim.id()).notice().by()).isEqualTo(owner.id());
    long then = two.now + 30 * Time.MINUTE;
    Lease instead = two.asks("vision", 8).at(then, then + Time.HOUR).lease();
    assertThat(instead.state()).isEqualTo(LeaseState.PLANNED);
    two.decide(new Command.Cancel(owner.id()));
    assertThat(two.lease(victim.id()).notice()).isNotNull();
    two.decide(new Command.Cancel(instead.id()));
    goesOn(two, victim);
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

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void nobodyEndsForARequestThatIsGone(long seed) {
    Random random = new Random(seed);
    Story fleet = Story.of("h100", 8, 4, 4);
    told(fleet);
    if (seed % 2 == 0) {
      contracts(fleet, 8, 6);
    }
    int spared = 0;
    for (int step = 0; step < 60; step++) {
      fleet.now += random.nextLong(2 * Time.MINUTE);
      spared += reprieved(fleet.decide(something(fleet, random)));
      if (random.nextInt(3) > 0) {
        fleet.clusterObeys();
      }
      for (Lease lease : fleet.book.register().noticed()) {
        assertThat(isNeeded(fleet.book, lease))
            .as("seed %s, step %s: %s", seed, step, lease)
            .isTrue();
      }
      assertThat(fleet.decide().moves()).as("seed %s, step %s", seed, step).isEmpty();
    }
    assertThat(spared).as("seed %s: leases that go on", seed).isPositive();
  }

  private static int reprieved(Batch batch) {
    return (int)
        batch.moves().stream()
            .filter(move -> move instanceof Move.LeaseMoved moved)
            .filter(move -> ((Move.LeaseMoved) move).cause().equals("reprieved"))
            .count();
  }

  private static Command something(Story story, Random random) {
    List<Lease> urgent =
        story.book.leases().stream()
            .filter(lease -> !lease.ask().preemptible() && lease.state() != LeaseState.ENDING)
            .toList();
    if (!urgent.isEmpty() && random.nextInt(3) == 0) {
      return new Command.Release(urgent.get(random.nextInt(urgent.size())).id());
    }
    String tenant = random.nextBoolean() ? "vision" : "nlp";
    String serviceClass = random.nextInt(3) == 0 ? "realtime" : "batch";
    return new Command.Create(
        story
            .asks(tenant, 1 + random.nextInt(8))
            .of(serviceClass)
            .lasting(Time.HOUR + random.nextLong(Time.HOUR))
            .ask());
  }

  /** Who it ends for is there; or others have its devices then, or its limits are used up. */
  private static boolean isNeeded(Book book, Lease lease) {
    Lease taker = book.lease(lease.notice().by());
    Booking booking = lease.booking();
    Span more = new Span(booking.hold().end(), book.terms(lease).holdEnd(lease.notice().until()));
    Span window = new Span(lease.window().end(), lease.notice().until());
    Ask ask = lease.ask();
    return (taker != null && taker.state().hasPromise())
        || !book.capacity().inTheWay(lease.id(), booking, more).isEmpty()
        || book.limits().check(ask.tenant(), booking.model(), booking.gpuMilli(), window, true)
            instanceof Limits.Standing.Over;
  }
}
