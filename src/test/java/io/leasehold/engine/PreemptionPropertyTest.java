package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever asks and whoever ends for it: what must hold of every set of victims. */
class PreemptionPropertyTest {

  private static final int ASKS = 60;
  private static final List<String> TEAMS = List.of("vision", "nlp", "audio", "labs");

  /** More with {@code -Dseeds=1000}. */
  static LongStream seeds() {
    return LongStream.rangeClosed(1, Long.getLong("seeds", 12));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void victimsAreOfLowerPrecedenceNeededAndNeverBelowAGuarantee(long seed) {
    Pool pool = new Pool(seed);
    int taken = 0;
    for (int i = 0; i < ASKS; i++) {
      taken += pool.step("seed " + seed + ", ask " + i);
    }
    assertThat(taken).as("seed %s: leases ended for others", seed).isPositive();
  }

  /** A lease and how it stood before it was told to end. */
  private record Ended(Lease before, Lease after) {

    boolean goesOn() {
      return after.endCause() == null && after.notice() == null;
    }

    /** When the last of what is taken is free. */
    long freeAt(long now) {
      Booking taken = goesOn() ? after.leaving() : after.taken();
      return taken == null ? now : taken.hold().end();
    }
  }

  private static final class Pool {
    private final Random random;
    private final Story story = Story.of("h100");

    Pool(long seed) {
      random = new Random(seed);
      story.facts(
          new Move.TenantSet(new Tenant("labs", "acme", false)),
          new Move.TenantSet(new Tenant("audio", "labs", false)),
          new Move.ClassSet(Story.serviceClass("opportunistic", 0, true, false)),
          new Move.ClassSet(Story.serviceClass("interactive", 500, false, true)));
      for (int i = 0; i < 6; i++) {
        story.facts(new Move.NodeSet(node(i)));
      }
      if (seed % 3 != 0) {
        contract("acme", 40);
        contract("vision", random.nextInt(16));
        contract("nlp", random.nextInt(12));
        contract("labs", 8 + random.nextInt(6));
        contract("audio", random.nextInt(8));
      }
    }

    private Node node(int ordinal) {
      Node plain = story.node("h100", 8);
      return new Node(
          plain.id(),
          plain.ordinal(),
          plain.cluster(),
          plain.name(),
          plain.model(),
          new Domain("eu", "eu-1", "b1", "r" + ordinal / 2, null),
          0,
          0,
          plain.gpus(),
          null,
          false);
    }

    private void contract(String tenant, int guaranteed) {
      story.facts(new Move.ContractSet(story.contract(tenant, guaranteed, null)));
    }

    /** One ask on its own, so that whoever ends, ends for it. */
    int step(String where) {
      story.now += 1 + random.nextLong(3 * Time.MINUTE);
      story.decide();
      if (random.nextInt(3) > 0) {
        story.clusterObeys();
      }
      Ask ask = ask();
      String before = Dump.of(story.book);
      int mark = story.book.mark();
      Batch dry = Engine.decide(story.book, List.of(new Command.Create(ask)), story.now);
      List<Ended> ended = ended(dry);
      Decision decision = dry.decisions().getFirst();
      story.book.undo(mark);
      assertThat(Dump.difference(Dump.of(story.book), before)).as("undone, " + where).isEmpty();
      if (!ended.isEmpty()) {
        judge(ask, ((Decision.Decided) decision).lease(), ended, where);
      }
      Batch real = story.decide(new Command.Create(ask));
      assertThat(real.moves()).as("the same again, " + where).isEqualTo(dry.moves());
      assertThat(story.decide().moves()).as("I14, " + where).isEmpty();
      for (Ended each : ended) {
        keepsGuarantees(ask, each, where);
      }
      return ended.size();
    }

    private List<Ended> ended(Batch batch) {
      List<Ended> ended = new ArrayList<>();
      for (Move move : batch.moves()) {
        if (move instanceof Move.LeaseMoved moved
            && List.of("preempted", "noticed", "reduced").contains(moved.cause())) {
          ended.add(new Ended(moved.before(), moved.after()));
        }
      }
      return ended;
    }

    private void judge(Ask ask, Lease taker, List<Ended> ended, String where) {
      assertThat(ended.stream().map(each -> each.before().id()))
          .as("once each, " + where)
          .doesNotHaveDuplicates();
      Claim claim =
          new Claim(
              story.book,
              story.book.terms(taker.ask(), story.now),
              Objects.requireNonNull(taker.booking()).model(),
              story.now);
      assertThat(claim.place(story.now)).as("no room before, " + where).isNull();
      Mandate mandate = Mandate.of(story.book, claim, story.now);
      for (Ended each : ended) {
        assertThat(each.before().ask().preemptible()).as("preemptible, " + where).isTrue();
        assertThat(mandate.over(Victims.Lot.of(each.before())))
            .as("a right to take, " + where)
            .isNotEqualTo(Mandate.Right.NONE);
        isNeeded(claim, ended, each, where);
        if (each.goesOn()) {
          keepsItsLeast(each, where);
          eachPartIsNeeded(claim, ended, each, where);
        }
      }
    }

    private void keepsItsLeast(Ended each, String where) {
      Shape had = each.before().ask().shape();
      Shape has = each.after().ask().shape();
      assertThat(has.size()).as("its least, " + where).isBetween(had.minCount(), had.size() - 1);
      assertThat(each.after().booking().gpuMilli())
          .as("whole parts, " + where)
          .isEqualTo(each.before().booking().gpuMilli() / had.size() * has.size());
    }

    /** With one part fewer of a gang there is no room, when the others are gone. */
    private void eachPartIsNeeded(Claim claim, List<Ended> ended, Ended one, String where) {
      Surplus surplus = new Surplus(story.book, one.before());
      List<Booking.Slot> kept = surplus.under(one.after().booking());
      List<Booking.Slot> given = new ArrayList<>(surplus.parts());
      given.removeAll(kept);
      for (int i = 0; i < given.size() && given.size() > 1; i++) {
        List<Booking.Slot> less = new ArrayList<>(given);
        less.remove(i);
        assertThat(without(claim, ended, one, surplus.without(less, story.now)))
            .as("each part is needed: " + one.before().id() + ", " + where)
            .isNull();
      }
    }

    /** Without one of them there is no room, when the others are gone. */
    private void isNeeded(Claim claim, List<Ended> ended, Ended one, String where) {
      if (ended.size() > 1) {
        assertThat(without(claim, ended, one, one.before()))
            .as("needed: " + one.before().id() + ", " + where)
            .isNull();
      }
    }

    /** What the claim has when one stands otherwise than it was told to. */
    private Attempt.Fits without(Claim claim, List<Ended> ended, Ended one, Lease instead) {
      int mark = story.book.mark();
      Preemption.withhold(story.book, story.now);
      long start = claim.holdStart();
      boolean reclaims = false;
      Mandate mandate = Mandate.of(story.book, claim, story.now);
      for (Ended other : ended) {
        story.book.suppose(other == one ? instead : other.after());
        boolean goes = other != one || one.goesOn() && instead != one.before();
        start = goes ? Math.max(start, other.freeAt(start)) : start;
        Mandate.Right right = mandate.over(Victims.Lot.of(other.before()));
        reclaims |= goes && right == Mandate.Right.GUARANTEE;
      }
      Attempt.Fits fits = claim.place(start <= claim.holdStart() ? start : Time.roundUp(start));
      story.book.undo(mark);
      return fits == null || reclaims && !fits.guaranteed() ? null : fits;
    }

    /** Of tenants beside the one that takes. */
    private void keepsGuarantees(Ask ask, Ended ended, String where) {
      Lease victim = ended.before();
      Lease.Notice notice = ended.after().notice();
      long end = notice == null ? story.now : notice.effectiveAt();
      List<String> own = story.book.tree().path(ask.tenant());
      for (String level : story.book.tree().path(victim.ask().tenant())) {
        if (own.contains(level)) {
          return;
        }
        long at = Math.max(end, victim.window().start());
        long guaranteed = story.book.entitlements().at(level, "h100", at).guaranteed();
        assertThat(story.book.usage().of(level, "h100").at(at))
            .as(level + " keeps what it is guaranteed, " + where)
            .isGreaterThanOrEqualTo(guaranteed);
      }
    }

    private Ask ask() {
      String[] classes = {"realtime", "interactive", "batch", "batch", "opportunistic"};
      String serviceClass = classes[random.nextInt(classes.length)];
      Story.AskMaker maker =
          story
              .asks(TEAMS.get(random.nextInt(TEAMS.size())), 1 + random.nextInt(8))
              .of(serviceClass)
              .costing(random.nextInt(3))
              .lasting(Time.HOUR + random.nextLong(8 * Time.HOUR))
              .orRefuse();
      if (serviceClass.equals("interactive")) {
        maker.protectedFromPreemption();
      }
      if (serviceClass.equals("realtime") && random.nextInt(3) == 0) {
        maker.preemptible();
      }
      Shape.Spread rack = new Shape.Spread(Level.RACK, Shape.Spread.Rule.REQUIRED, null);
      switch (random.nextInt(6)) {
        case 0 -> maker.groups(1 + random.nextInt(2), 4 + random.nextInt(5));
        case 1 -> maker.shape(shape(2, 4, Shape.Slice.WHOLE, List.of(rack)));
        case 2 -> maker.shape(shape(0, 1 + random.nextInt(3), new Shape.Slice.Share(400)));
        default -> {}
      }
      if (random.nextInt(3) == 0) {
        maker.orAtLeast(1);
      }
      if (random.nextInt(6) == 0) {
        long start = Time.roundUp(story.now + random.nextLong(4 * Time.HOUR));
        maker.at(start, start + Time.HOUR + random.nextLong(Time.HOUR));
      }
      return maker.ask();
    }

    private static Shape shape(int groups, int count, Shape.Slice slice) {
      return shape(groups, count, slice, List.of());
    }

    private static Shape shape(
        int groups, int count, Shape.Slice slice, List<Shape.Spread> topology) {
      return new Shape(
          List.of("h100"), 0, groups, count, slice, 0, 0, topology, Shape.Where.ANYWHERE);
    }
  }
}
