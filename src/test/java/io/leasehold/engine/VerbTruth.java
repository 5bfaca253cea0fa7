package io.leasehold.engine;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** What one version of a lease may have different from the one before, by why it changed. */
final class VerbTruth {

  /** Devices of what runs may change for these reasons only. */
  private static final Set<String> MOVES_DEVICES =
      Set.of("resized", "reduced", "replaced", "rebound", "consolidated");

  /** The end of what is promised may change for these reasons only. */
  private static final Set<String> MOVES_END =
      Set.of("extended", "shortened", "noticed", "reprieved");

  private final PoolTruth truth;

  VerbTruth(PoolTruth truth) {
    this.truth = truth;
  }

  /** I7, and that every version follows the one before. */
  void judge(Move.LeaseMoved moved, Lease was, long at) {
    Lease is = moved.after();
    if (was == null) {
      truth.check(
          moved.before() == null || moved.before().state().isFinal(), "%s comes from nowhere", is);
      truth.check(
          is.state() != LeaseState.ENDED && is.state() != LeaseState.ACTIVE, "%s at once", is);
      return;
    }
    truth.check(was.equals(moved.before()), "%s was not as the move says", is);
    truth.check(
        was.state() == is.state() || was.state().mayBecome(is.state()), "I7: illegal: %s", is);
    truth.check(is.revision() == was.revision() + 1, "revision of %s does not follow", is);
    truth.check(is.generation() >= was.generation(), "generation of %s falls", is);
    truth.check(is.sequence() == was.sequence(), "sequence of %s changes", is);
    truth.check(
        !moved.cause().equals("expired") || was.window() == null || was.window().end() <= at,
        "%s expires before its end",
        is);
    ask(moved.cause(), was, is);
    truth.check(
        is.notice() == null || is.state() != LeaseState.WAITING, "%s waits and is told to go", is);
    if (was.state().hasPossession() && is.state().hasPromise()) {
      ofWhatRuns(moved.cause(), was, is);
    }
    if (was.state().hasPromise() && is.state().hasPromise()) {
      window(moved.cause(), was, is, at);
    }
  }

  private void ask(String cause, Lease was, Lease is) {
    Ask one = was.ask();
    Ask other = is.ask();
    boolean sized = cause.equals("resized") || one.shape().minCount() > 0;
    truth.check(
        one.sameAs(other)
            || cause.equals("transferred") && one.of(other.tenant()).sameAs(other)
            || sized && one.with(other.shape()).sameAs(other),
        "the request of %s changes when it is " + cause,
        is);
    truth.check(
        cause.equals("resized")
            || other.shape().size() <= one.shape().size()
                && other.shape().size() >= Math.min(one.shape().size(), one.shape().minCount()),
        "%s has less than it asked for at least",
        is);
  }

  private void ofWhatRuns(String cause, Lease was, Lease is) {
    boolean same = gpus(was.booking()).equals(gpus(is.booking()));
    truth.check(same || MOVES_DEVICES.contains(cause), "devices of %s move silently", is);
    truth.check(same || is.generation() == was.generation() + 1, "no order says so: %s moved", is);
    if (Set.of("replaced", "consolidated", "resized", "reduced").contains(cause)) {
      Map<UUID, Long> given = gpus(was.booking());
      Map<UUID, Long> kept = gpus(is.booking());
      Map<UUID, Long> leaving = gpus(is.leaving());
      given.forEach(
          (node, gpus) ->
              truth.check(
                  (gpus & ~kept.getOrDefault(node, 0L) & ~leaving.getOrDefault(node, 0L)) == 0,
                  "%s forgets what it gave back and the cluster has",
                  is));
      boolean grows = is.ask().shape().size() > was.ask().shape().size();
      truth.check(
          !cause.equals("reduced") || isWithin(kept, given), "%s gives and gets another", is);
      truth.check(
          !cause.equals("resized") || (grows ? isWithin(given, kept) : isWithin(kept, given)),
          "%s is moved when it is resized",
          is);
    }
    truth.check(
        !cause.equals("replaced") && !cause.equals("consolidated")
            || was.booking().gpuMilli() == is.booking().gpuMilli(),
        "%s has another size elsewhere",
        is);
    truth.check(!cause.equals("consolidated") || was.ask().movable(), "%s may not be moved", is);
  }

  private static boolean isWithin(Map<UUID, Long> some, Map<UUID, Long> all) {
    return some.entrySet().stream()
        .allMatch(each -> (each.getValue() & ~all.getOrDefault(each.getKey(), 0L)) == 0);
  }

  private void window(String cause, Lease was, Lease is, long at) {
    boolean early = cause.equals("started") && is.window().start() <= was.window().start();
    if (was.state() == LeaseState.PLANNED && cause.equals("hardware-lost")) {
      truth.check(
          is.window().start() >= was.window().start()
              || !(is.ask().when() instanceof Ask.When.Within),
          "%s is lost and comes sooner",
          is);
      return;
    }
    truth.check(
        was.booking().model().equals(is.booking().model())
            && was.booking().cluster().equals(is.booking().cluster()),
        "%s gets another model or cluster when it is " + cause,
        is);
    truth.check(
        was.window().start() == is.window().start() || early,
        "the start of %s moves when it is " + cause,
        is);
    truth.check(
        was.window().end() == is.window().end() || early || MOVES_END.contains(cause),
        "the end of %s moves when it is " + cause,
        is);
    truth.check(
        !cause.equals("extended") || is.window().end() > was.window().end(),
        "%s is not longer",
        is);
    truth.check(
        is.window().end() >= was.window().end() || is.window().end() > at,
        "%s ends in the past",
        is);
    truth.check(
        (is.booking().hold().start() <= is.window().start() || is.booking().hold().start() <= at)
            && is.booking().hold().end() >= is.window().end(),
        "%s is not held over its window when it is " + cause,
        is);
  }

  private static Map<UUID, Long> gpus(Booking booking) {
    Map<UUID, Long> gpus = new HashMap<>();
    if (booking != null) {
      booking.slots().forEach(s -> gpus.merge(s.node(), s.units().gpus(), (a, b) -> a | b));
    }
    return gpus;
  }

  /** What was said to who asked is what came to be. */
  void answered(List<Command> commands, Batch batch) {
    for (int i = 0; i < commands.size(); i++) {
      Command command = commands.get(i);
      switch (batch.decisions().get(i)) {
        case Decision.Decided decided when command instanceof Command.Create -> decided(decided);
        case Decision.DecidedAtomic atomic when atomic.kept() ->
            atomic.each().forEach(this::decided);
        case Decision.Done done -> done(command, done);
        case Decision.Consolidated plan ->
            truth.check(
                plan.applied() || commands.size() > 1 || !batch.moves().isEmpty(),
                "an approved plan is not kept to",
                null);
        default -> {}
      }
    }
  }

  private void decided(Decision.Decided decided) {
    Lease stands = truth.leases.get(decided.lease().id());
    truth.check(
        stands == null ? decided.lease().state().isFinal() : decided.lease().equals(stands),
        "%s is answered otherwise than it stands",
        decided.lease());
  }

  private void done(Command command, Decision.Done done) {
    Lease lease = done.lease();
    switch (command) {
      case Command.Resize resize ->
          truth.check(
              lease.ask().shape().size() == resize.size(), "%s is not of the new size", lease);
      case Command.Extend extend ->
          truth.check(lease.window().end() == extend.newEnd(), "%s ends at another time", lease);
      case Command.Shorten shorten ->
          truth.check(lease.window().end() == shorten.newEnd(), "%s ends at another time", lease);
      case Command.Transfer transfer ->
          truth.check(
              lease.ask().tenant().equals(transfer.tenant()), "%s is not handed over", lease);
      case Command.Release _, Command.Cancel _, Command.Revoke _ ->
          truth.check(
              lease.state() == LeaseState.ENDING || lease.state().isFinal(),
              "%s goes on after its end",
              lease);
      default -> {}
    }
  }

  /** Time did everything that was due. */
  void nothingIsDue(long now) {
    for (Lease lease : truth.leases.values()) {
      truth.check(
          !lease.state().hasPromise() || lease.window().end() > now, "%s is over and stays", lease);
      truth.check(
          lease.state() != LeaseState.PLANNED
              || lease.booking().hold().start() > now
              || lease.delayedBy() != null,
          "%s is due and does not start",
          lease);
      truth.check(
          lease.state() != LeaseState.WAITING || lease.ask().waitUntil() > now,
          "%s waits for longer than it may",
          lease);
    }
    for (Occurrence each : truth.occurrences.values()) {
      truth.check(each.window().end() > now, "occurrence " + each.id() + " is over", null);
    }
  }
}
