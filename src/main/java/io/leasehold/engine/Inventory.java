package io.leasehold.engine;

import io.leasehold.engine.Decision.Affected;
import io.leasehold.engine.Decision.Declined;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Changes of the fleet and what they do to leases: planned ones are bound elsewhere in order of
 * precedence, active ones are degraded, never ended (engine rule 15).
 */
final class Inventory {

  private final Turn turn;
  private final Book book;

  Inventory(Turn turn) {
    this.turn = turn;
    this.book = turn.book();
  }

  Decision set(Command.SetNodes command) {
    String misfit = misfit(command.nodes());
    if (misfit != null) {
      return new Declined(Declined.Why.IN_USE, misfit, null);
    }
    Turn.Mark mark = turn.mark();
    List<Node> changed =
        command.nodes().stream().filter(node -> !node.equals(book.node(node.id()))).toList();
    Map<UUID, Node> before = new HashMap<>();
    for (Node node : changed) {
      Node old = book.node(node.id());
      if (old != null) {
        before.put(old.id(), old);
      }
      turn.move(new Move.NodeSet(node));
    }
    if (command.shrink() == Command.Shrink.REFUSE) {
      List<Lease> inUse =
          on(changed).stream()
              .filter(lease -> lease.state().hasPromise())
              .filter(this::losesDevices)
              .toList();
      List<UUID> setAside = new Sparing(turn).gone(changed);
      if (!inUse.isEmpty() || !setAside.isEmpty()) {
        turn.back(mark);
        return new Declined(
            Declined.Why.IN_USE,
            "in use by "
                + inUse.stream().map(lease -> lease.id().toString()).toList()
                + (setAside.isEmpty() ? "" : ", set aside by occurrences " + setAside),
            null);
      }
    }
    return new Decision.Changed(settle(changed, before));
  }

  Decision drain(Command.Drain command) {
    List<Node> nodes = new ArrayList<>();
    for (UUID id : command.nodes()) {
      Node node = book.node(id);
      if (node == null) {
        return new Declined(Declined.Why.NOT_FOUND, "no node " + id, null);
      }
      if (!Objects.equals(node.drainDeadline(), command.deadline())) {
        nodes.add(node.draining(command.deadline()));
      }
    }
    nodes.forEach(node -> turn.move(new Move.NodeSet(node)));
    return new Decision.Changed(settle(nodes, Map.of()));
  }

  /** The deadline of a drain has come: who is still there is degraded, and is not ended. */
  void mustBeEmpty(UUID id) {
    Node node = book.node(id);
    if (node != null) {
      settle(List.of(node), Map.of());
    }
  }

  Decision set(Command.SetCluster command) {
    if (!Boolean.valueOf(command.paused()).equals(book.clusterPaused(command.cluster()))) {
      turn.move(new Move.ClusterSet(command.cluster(), command.paused()));
    }
    return new Decision.Changed(List.of());
  }

  private @Nullable String misfit(List<Node> nodes) {
    Set<Integer> ordinals = new HashSet<>();
    for (Node node : nodes) {
      if (book.model(node.model()) == null) {
        return "node " + node.name() + ": no GPU model " + node.model();
      }
      Node old = book.node(node.id());
      if (old != null && old.ordinal() != node.ordinal()) {
        return "node " + node.name() + " has ordinal " + old.ordinal() + " for ever";
      }
      if (!ordinals.add(node.ordinal())) {
        return "ordinal " + node.ordinal() + " is given twice";
      }
    }
    return null;
  }

  private List<Affected> settle(List<Node> nodes, Map<UUID, Node> before) {
    List<Affected> affected = new ArrayList<>();
    new Sparing(turn).settle(nodes);
    for (Lease lease : Precedence.inOrder(on(nodes), book)) {
      Affected.Outcome outcome =
          lease.state() == LeaseState.PLANNED ? rebindUnlessSound(lease) : settle(lease, before);
      if (outcome != null) {
        affected.add(new Affected(lease.id(), lease.ask().tenant(), outcome));
      }
    }
    return affected;
  }

  private Affected.@Nullable Outcome rebindUnlessSound(Lease lease) {
    Booking booking = Objects.requireNonNull(lease.booking());
    return Soundness.isSound(book, booking) ? endsBefore(booking) : rebind(lease);
  }

  private Affected.@Nullable Outcome settle(Lease lease, Map<UUID, Node> before) {
    Booking booking = Objects.requireNonNull(lease.booking());
    boolean ending = lease.state() == LeaseState.ENDING;
    boolean degraded =
        Soundness.isBroken(book, booking)
            || Soundness.isOverdue(book, booking, turn.now())
            || (lease.degraded() && lease.change() != null);
    Lease.Notice notice = DrainNotice.of(book, lease, booking);
    if (!ending && degraded != lease.degraded()) {
      Lease after = Draft.of(lease).degraded(degraded).notice(notice).lease();
      turn.move(lease, after, degraded ? "degraded" : "healed");
    } else if (!ending && !Objects.equals(notice, lease.notice())) {
      Lease after = Draft.of(lease).notice(notice).lease();
      turn.move(lease, after, notice == null ? "notice-lifted" : "noticed");
    } else if (Soundness.hasChanged(book, booking, before)) {
      turn.move(lease, Draft.of(lease).lease(), "health-changed");
    }
    if (ending) {
      return null;
    }
    return degraded || !Soundness.outlivesDrain(book, booking)
        ? Affected.Outcome.DEGRADED
        : endsBefore(booking);
  }

  private Affected.@Nullable Outcome endsBefore(Booking booking) {
    boolean draining =
        booking.slots().stream()
            .map(slot -> book.node(slot.node()))
            .anyMatch(node -> node != null && node.drainDeadline() != null);
    return draining ? Affected.Outcome.ENDS_BEFORE : null;
  }

  /** The same window elsewhere, else the earliest new start, else it waits in its old place. */
  private Affected.Outcome rebind(Lease lease) {
    if (new Rebinding(turn).elsewhere(lease) instanceof Found.Room room) {
      Draft draft = Rebinding.to(room.booking(), lease, book);
      if (room.booking().hold().start() <= turn.now()) {
        draft.to(LeaseState.ALLOCATED).raiseGeneration();
      }
      turn.move(lease, draft.lease(), "rebound");
      return Affected.Outcome.MOVED;
    }
    if (later(lease)) {
      return Affected.Outcome.REPLACED;
    }
    Lease waiting = Draft.of(lease).toLine().lease();
    turn.move(lease, waiting, "hardware-lost");
    if (book.terms(lease).waitsUntil() <= turn.now()) {
      new Life(turn).waitIsOver(waiting);
    }
    return Affected.Outcome.REPLACED;
  }

  /** Who asked for a time in a span reckons with the one that was promised. */
  private Terms notSooner(Lease lease) {
    Terms terms = book.terms(lease);
    if (!(lease.ask().when() instanceof Ask.When.Within(Span span, long length))) {
      return terms;
    }
    Span rest = new Span(Objects.requireNonNull(lease.window()).start(), span.end());
    Ask ask = lease.ask().with(new Ask.When.Within(rest, length));
    return new Terms(ask, terms.serviceClass(), terms.createdAt());
  }

  /** The earliest new start inside the window that was asked for, or while it would have waited. */
  private boolean later(Lease lease) {
    Terms terms = notSooner(lease);
    Ask.When when = lease.ask().when();
    if (!(when instanceof Ask.When.Within || when instanceof Ask.When.Now)) {
      return false;
    }
    long latest =
        when instanceof Ask.When.Within
            ? terms.latestStart()
            : Math.max(turn.now(), terms.waitsUntil());
    int mark = book.mark();
    book.suppose(Draft.of(lease).toLine().lease());
    Attempt attempt = new Search(book, turn.now()).earliest(terms, latest, Search.STEPS);
    book.undo(mark);
    if (!(attempt instanceof Attempt.Fits fits)) {
      return false;
    }
    Draft draft = Rebinding.to(fits.booking(), lease, book).window(fits.window());
    if (fits.booking().hold().start() <= turn.now()) {
      draft.to(LeaseState.ALLOCATED).raiseGeneration();
    }
    turn.move(lease, draft.lease(), "hardware-lost");
    return true;
  }

  private boolean losesDevices(Lease lease) {
    Booking booking = Objects.requireNonNull(lease.booking());
    return Soundness.isGone(book, booking);
  }

  private List<Lease> on(Collection<Node> nodes) {
    Set<UUID> ids = new HashSet<>();
    nodes.forEach(node -> ids.add(node.id()));
    return book.leases().stream()
        .filter(lease -> lease.state().hasPromise() || lease.state().hasPossession())
        .filter(
            lease ->
                lease.booking() != null
                    && lease.booking().slots().stream().anyMatch(s -> ids.contains(s.node())))
        .toList();
  }
}
