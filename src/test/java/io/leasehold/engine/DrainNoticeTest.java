package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A lease is told beforehand of a drain that will not wait for its end. */
class DrainNoticeTest {

  private static final UUID NODE = new UUID(7, 0);

  private final Story story = Story.of("h100", 8);
  private final Lease lease = running();

  private Lease running() {
    Lease asked = story.asks("vision", 8).lease();
    story.clusterObeys();
    return story.lease(asked.id());
  }

  private Decision drain(Long deadline) {
    return story.on(new Command.Drain(List.of(NODE), deadline));
  }

  private Lease.Notice notice() {
    return story.lease(lease.id()).notice();
  }

  @Test
  void isToldTheDeadlineOnceAndTheDrainSaysSo() {
    long deadline = story.now + 10 * Time.MINUTE;
    Decision.Changed done = (Decision.Changed) drain(deadline);
    assertThat(done.affected().getFirst().outcome()).isEqualTo(Decision.Affected.Outcome.DEGRADED);
    assertThat(notice()).isEqualTo(new Lease.Notice("drained", deadline));
    assertThat(story.lease(lease.id()).revision()).isEqualTo(lease.revision() + 1);
    drain(deadline);
    assertThat(story.lease(lease.id()).revision()).isEqualTo(lease.revision() + 1);
    drain(deadline + Time.MINUTE);
    assertThat(notice().effectiveAt()).isEqualTo(deadline + Time.MINUTE);
  }

  @Test
  void isNotToldOfADrainThatWaitsForIt() {
    drain(lease.booking().hold().end());
    assertThat(notice()).isNull();
    assertThat(story.lease(lease.id())).isEqualTo(lease);
  }

  @Test
  void isToldThatTheDrainIsCalledOff() {
    drain(story.now + 10 * Time.MINUTE);
    drain(null);
    assertThat(notice()).isNull();
  }

  @Test
  void keepsItsNoticeThroughTheDeadlineAndIsHealedWithoutIt() {
    drain(story.now + 10 * Time.MINUTE);
    story.after(10 * Time.MINUTE);
    assertThat(story.lease(lease.id()).degraded()).isTrue();
    assertThat(notice()).isNotNull();
    drain(null);
    assertThat(story.lease(lease.id()).degraded()).isFalse();
    assertThat(notice()).isNull();
  }

  @Test
  void losesItsNoticeWhenItWillBeGoneInTime() {
    drain(story.now + 30 * Time.MINUTE);
    story.decide(new Command.Shorten(lease.id(), story.now + 20 * Time.MINUTE));
    assertThat(notice()).isNull();
  }

  /** Planned for later, on the node that drains, past the deadline. */
  private Lease planned(Story on) {
    Lease planned = on.asks("vision", 8).at(on.now + Time.HOUR, on.now + 2 * Time.HOUR).lease();
    long deadline = planned.booking().hold().end() + Time.MINUTE;
    on.on(new Command.Drain(List.of(planned.booking().slots().getFirst().node()), deadline));
    on.decide(new Command.Extend(planned.id(), deadline + Time.HOUR));
    assertThat(on.lease(planned.id()).notice()).isEqualTo(new Lease.Notice("drained", deadline));
    return on.lease(planned.id());
  }

  private static int ordinal(Lease lease) {
    return (int) lease.booking().slots().getFirst().node().getLeastSignificantBits();
  }

  @Test
  void whatIsPlannedElsewhereIsToldNothingOfTheNodeItLeft() {
    Story two = Story.of("h100", 8, 8);
    Lease planned = planned(two);
    two.breakGpu(ordinal(planned), 0);
    assertThat(ordinal(two.lease(planned.id()))).isNotEqualTo(ordinal(planned));
    assertThat(two.lease(planned.id()).notice()).isNull();
  }

  @Test
  void whoIsBackInLineIsToldNothing() {
    Story one = Story.of("h100", 8);
    Lease planned = planned(one);
    one.breakGpu(0, 0);
    assertThat(one.state(planned.id())).isEqualTo(LeaseState.WAITING);
    assertThat(one.lease(planned.id()).notice()).isNull();
  }
}
