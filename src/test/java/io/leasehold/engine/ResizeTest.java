package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Leases that grow and shrink while they live. */
class ResizeTest {

  private final Story story = Story.of("h100", 4, 4, 2);

  private Lease active(Story.AskMaker asks) {
    Lease lease = asks.lease();
    story.clusterObeys();
    return story.lease(lease.id());
  }

  private static Command resize(Lease lease, int size, UUID... keep) {
    return new Command.Resize(lease.id(), size, List.of(keep));
  }

  private Lease resized(Lease lease, int size, UUID... keep) {
    return ((Decision.Done) story.on(resize(lease, size, keep))).lease();
  }

  private long used(String tenant) {
    return story.book.usage().of(tenant, "h100").at(story.now) / Units.PER_GPU;
  }

  @Test
  void l21GrowthIsPublishedUnderTheNextGenerationOrRefusedAndNothingChanges() {
    Lease lease = active(story.asks("vision", 2));
    Lease grown = resized(lease, 4);
    assertThat(grown.state()).isEqualTo(LeaseState.ACTIVE);
    assertThat(grown.generation()).isEqualTo(lease.generation() + 1);
    assertThat(grown.booking().slots()).containsAll(lease.booking().slots());
    assertThat(grown.booking().gpuMilli()).isEqualTo(4_000);
    assertThat(grown.change().ordered()).isTrue();
    story.decide(Story.usable(lease));
    assertThat(story.lease(lease.id()).change()).as("old news confirms nothing").isNotNull();
    story.decide(Story.usable(grown));
    Lease confirmed = story.lease(lease.id());
    assertThat(confirmed.change()).isNull();
    assertThat(confirmed.activeAt()).isEqualTo(lease.activeAt());

    story.asks("nlp", 4).lease();
    Batch batch = story.decide(resize(lease, 8));
    Decision.Declined declined = (Decision.Declined) batch.decisions().getFirst();
    assertThat(declined.why()).isEqualTo(Decision.Declined.Why.SHORTAGE);
    assertThat(batch.moves()).as("L24: refused, so nothing moved").isEmpty();
    assertThat(story.lease(lease.id())).isEqualTo(confirmed);
    Ask offered = declined.answer().alternatives().getFirst().ask();
    assertThat(offered.shape().count()).isEqualTo(6);
    assertThat(resized(lease, 6).booking().gpuMilli()).isEqualTo(6_000);
  }

  @Test
  void whatIsGivenBackStaysInTheClustersHandsUntilItConfirms() {
    Lease lease = active(story.asks("vision", 0).groups(2, 4));
    UUID kept = lease.booking().slots().get(1).node();
    Lease shrunk = resized(lease, 1, kept);
    assertThat(Fleet.nodes(shrunk.booking())).containsExactly(kept);
    assertThat(shrunk.generation()).isEqualTo(lease.generation() + 1);
    assertThat(used("vision")).as("the quota is free at once").isEqualTo(4);
    assertThat(story.asks("nlp", 4).lasting(Time.MINUTE).orRefuse().lease().state())
        .as("the devices are not")
        .isEqualTo(LeaseState.REFUSED);
    story.decide(Story.usable(shrunk));
    assertThat(story.lease(lease.id()).leaving()).isNull();
    assertThat(story.asks("nlp", 4).lease().state()).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void anEndTakesWhatIsStillLeavingWithIt() {
    Lease lease = active(story.asks("vision", 0).groups(2, 4));
    resized(lease, 1);
    story.decide(new Command.Release(lease.id()));
    assertThat(story.lease(lease.id()).leaving()).isNotNull();
    assertThat(story.asks("nlp", 0).groups(2, 4).orRefuse().lease().state())
        .isEqualTo(LeaseState.REFUSED);
    story.clusterObeys();
    assertThat(story.asks("nlp", 0).groups(2, 4).lease().state()).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void givesBackWholeNodesBeforeAPartOfOne() {
    Lease lease = active(story.asks("vision", 10));
    Lease eight = resized(lease, 8);
    assertThat(Fleet.perNode(eight.booking())).containsExactly(4, 4);
    Lease three = resized(lease, 3);
    assertThat(Fleet.perNode(three.booking())).containsExactly(3);
    assertThat(three.leaving().gpuMilli()).isEqualTo(7_000);
    story.decide(Story.usable(three));
    assertThat(story.lease(lease.id()).leaving()).isNull();
    assertThat(story.asks("nlp", 7).lease().state()).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void givesBackBrokenDevicesFirst() {
    Lease lease = active(story.asks("vision", 0).groups(2, 4));
    UUID broken = lease.booking().slots().getFirst().node();
    story.breakGpu((int) broken.getLeastSignificantBits(), 0);
    assertThat(story.lease(lease.id()).degraded()).isTrue();
    Lease shrunk = resized(lease, 1);
    assertThat(Fleet.nodes(shrunk.booking())).doesNotContain(broken);
    story.decide(Story.usable(shrunk));
    assertThat(story.lease(lease.id()).degraded()).isFalse();
  }

  @Test
  void neverGivesBackWhatIsToBeKept() {
    Lease lease = active(story.asks("vision", 10));
    List<UUID> nodes = Fleet.nodes(lease.booking());
    Batch batch =
        story.decide(
            resize(lease, 4, nodes.toArray(UUID[]::new)),
            resize(lease, 4, new UUID(7, 99)),
            resize(lease, 0));
    assertThat(batch.decisions())
        .allSatisfy(
            each ->
                assertThat(((Decision.Declined) each).why())
                    .isEqualTo(Decision.Declined.Why.ILLEGAL_MOVE));
    assertThat(batch.moves()).isEmpty();
  }

  @Test
  void s35GrowthIsAdmittedAgainstTheLimitsAsANewRequest() {
    story.facts(
        new Move.ContractSet(story.contract("acme", 10, 0)),
        new Move.ContractSet(story.contract("vision", 4, 2)));
    Lease lease = active(story.asks("vision", 4));
    Decision.Declined declined = (Decision.Declined) story.on(resize(lease, 8));
    assertThat(declined.answer().reasons())
        .singleElement()
        .satisfies(
            reason -> {
              assertThat(reason.code()).isEqualTo("borrowing-limit");
              assertThat(reason.need()).isEqualTo(4);
              assertThat(reason.used()).isEqualTo(4);
              assertThat(reason.limit()).isEqualTo(6);
            });
    assertThat(declined.answer().alternatives().getFirst().ask().shape().count()).isEqualTo(6);
    assertThat(used("vision")).isEqualTo(4);
    resized(lease, 6);
    assertThat(used("vision")).isEqualTo(6);
  }

  @Test
  void growthStaysInTheDomainThatTheRequestRequires() {
    Story racks = Story.of("h100");
    for (int i = 0; i < 4; i++) {
      racks.facts(new Move.NodeSet(inRack(racks.node("h100", 4), "r" + i / 2)));
    }
    Shape inOneRack = Fleet.whole(4, Fleet.required(Level.RACK));
    Lease lease = racks.asks("vision", 0).shape(inOneRack).lease();
    racks.clusterObeys();
    String rack = rack(racks, lease.booking());
    Decision.Done done = (Decision.Done) racks.on(resize(lease, 8));
    assertThat(done.lease().booking().slots())
        .allSatisfy(
            slot -> assertThat(racks.book.node(slot.node()).domain().rack()).isEqualTo(rack));
    assertThat(racks.on(resize(lease, 9))).isInstanceOf(Decision.Declined.class);
  }

  private static String rack(Story story, Booking booking) {
    return story.book.node(booking.slots().getFirst().node()).domain().rack();
  }

  private static Node inRack(Node node, String rack) {
    return new Node(
        node.id(),
        node.ordinal(),
        node.cluster(),
        node.name(),
        node.model(),
        Fleet.rack("b1", rack),
        0,
        0,
        node.gpus(),
        null,
        false);
  }

  @Test
  void growthTakesNoEarmarkOfItsOwnClassAndMaySupersedeALowerOne() {
    Story one = Story.of("h100", 8);
    one.asks("vision", 2).lasting(Time.HOUR).lease();
    Lease batch = one.asks("vision", 1).lasting(4 * Time.HOUR).lease();
    Lease urgent = one.asks("vision", 1).of("realtime").lasting(4 * Time.HOUR).lease();
    one.clusterObeys();
    Lease head = one.asks("nlp", 6).lasting(2 * Time.HOUR).lease();
    long promised = head.earmark().start();
    assertThat(promised).isLessThan(Story.T + 2 * Time.HOUR);
    assertThat(one.on(resize(batch, 3))).isInstanceOf(Decision.Declined.class);
    assertThat(one.on(resize(urgent, 3))).isInstanceOf(Decision.Done.class);
    assertThat(one.lease(head.id()).earmark().start()).isGreaterThan(promised);
  }

  @Test
  void addedGroupsHaveNumbersOfTheirOwn() {
    Lease lease = active(story.asks("vision", 0).groups(1, 4));
    Lease grown = resized(lease, 2);
    assertThat(grown.booking().slots()).extracting(Booking.Slot::group).containsExactly(0, 1);
    Lease second = resized(lease, 1, node(grown, 1));
    assertThat(second.booking().slots()).extracting(Booking.Slot::group).containsExactly(1);
  }

  private static UUID node(Lease lease, int slot) {
    return lease.booking().slots().get(slot).node();
  }

  @Test
  void aBrokenNodeGoesBeforeALargerOneThatWouldBeEnough() {
    Lease lease = active(story.asks("vision", 10));
    story.breakGpu(2, 0);
    Lease six = resized(lease, 6);
    assertThat(Fleet.nodes(six.booking())).doesNotContain(new UUID(7, 2));
    assertThat(six.booking().gpuMilli()).isEqualTo(6_000);
  }

  @Test
  void aRequestThatWaitsMayAskForLessAndKeepsItsPlaceButNotForMore() {
    active(story.asks("nlp", 6));
    Lease waiting = story.asks("vision", 6).lease();
    assertThat(story.on(resize(waiting, 8))).isInstanceOf(Decision.Declined.class);
    story.decide(resize(waiting, 4));
    Lease started = story.lease(waiting.id());
    assertThat(started.state()).as("it fits now, so it starts").isEqualTo(LeaseState.ALLOCATED);
    assertThat(started.sequence()).isEqualTo(waiting.sequence());
    assertThat(started.booking().gpuMilli()).isEqualTo(4_000);
  }

  @Test
  void whatIsPlannedIsRebookedWithoutAnOrder() {
    Lease planned =
        story.asks("vision", 4).at(Story.T + Time.HOUR, Story.T + 2 * Time.HOUR).lease();
    Lease grown = resized(planned, 8);
    assertThat(grown.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(grown.generation()).isEqualTo(planned.generation());
    assertThat(grown.change()).isNull();
    assertThat(resized(planned, 2).booking().gpuMilli()).isEqualTo(2_000);
    assertThat(story.asks("nlp", 10).lasting(Time.DAY).lease().earmark()).isNotNull();
  }

  @Test
  void fractionsAndInstancesAreGivenBackOneByOne() {
    Story mig = Story.of("h100", 1);
    mig.facts(new Move.ModelSet(Fleet.h100()));
    Lease lease = mig.asks("vision", 0).shape(Fleet.mig(3, "1g.10gb")).lease();
    mig.clusterObeys();
    Lease one = ((Decision.Done) mig.on(resize(lease, 1))).lease();
    assertThat(one.booking().slots().getFirst().instances()).hasSize(1);
    assertThat(one.booking().gpuMilli()).isEqualTo(125);
    assertThat(one.leaving().slots().getFirst().instances()).hasSize(2);

    Story shared = Story.of("h100", 2);
    Lease fractions = shared.asks("vision", 0).shape(Fleet.share(4, 460)).lease();
    shared.clusterObeys();
    Lease less = ((Decision.Done) shared.on(resize(fractions, 3))).lease();
    assertThat(less.booking().gpuMilli()).isEqualTo(3 * 460);
    assertThat(less.leaving().gpuMilli()).isEqualTo(460);
    assertThat(shared.on(resize(fractions, 4)))
        .as("what is leaving is not free, not even for itself")
        .isInstanceOf(Decision.Declined.class);
    shared.decide(Story.usable(less));
    Lease more = ((Decision.Done) shared.on(resize(fractions, 4))).lease();
    assertThat(more.booking().gpuMilli()).isEqualTo(4 * 460);
  }

  @Test
  void anAddedPartIsChargedFromWhenItCame() {
    Lease lease = active(story.asks("vision", 2).lasting(10 * Time.HOUR));
    Story other = Story.of("h100", 4, 4, 2);
    Lease small = other.asks("vision", 2).lasting(10 * Time.HOUR).lease();
    Lease late = null;
    for (int hour = 0; hour < 4; hour++) {
      story.after(Time.HOUR);
      other.after(Time.HOUR);
      if (hour == 1) {
        resized(lease, 8);
        late = other.asks("vision", 6).lasting(8 * Time.HOUR).lease();
      }
      if (hour == 2) {
        resized(lease, 4);
        other.decide(new Command.Release(late.id()));
        other.asks("vision", 2).lasting(7 * Time.HOUR).lease();
      }
      assertThat(story.book.history("vision", "h100"))
          .as("hour " + hour)
          .isEqualTo(other.book.history("vision", "h100"));
    }
    assertThat(small.state()).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void growsOnWhatALowerClassIsWaitingFor() {
    Story one = Story.of("h100", 8);
    one.asks("nlp", 4).of("realtime").lasting(30 * Time.MINUTE).lease();
    Lease lease = one.asks("vision", 2).of("realtime").lasting(5 * Time.HOUR).lease();
    one.clusterObeys();
    Lease waits = one.asks("nlp", 6).lasting(Time.HOUR).lease();
    assertThat(waits.earmark().start()).isLessThan(Story.T + Time.HOUR);
    Batch batch = one.decide(resize(lease, 4));
    assertThat(batch.moves())
        .filteredOn(Move.LeaseMoved.class::isInstance)
        .extracting(move -> ((Move.LeaseMoved) move).cause())
        .containsExactly("displaced", "resized", "earmarked");
    assertThat(one.lease(waits.id()).earmark().start())
        .isEqualTo(one.lease(lease.id()).booking().hold().end());
  }
}
