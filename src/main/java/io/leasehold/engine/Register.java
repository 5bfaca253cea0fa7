package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The live leases, by id and by sequence, with what is due of each. */
final class Register {

  private final Table<UUID, Lease> byId;
  private final Table<Long, Lease> bySequence;
  private final Table<Long, Lease> waiting;
  private final Table<Long, Lease> planned;
  private final Table<Long, Lease> delayed;
  private final Table<Long, Lease> earmarked;
  private final Table<Long, Lease> replacing;
  private final Table<Long, Lease> undecided;
  private final Table<Long, Lease> noticed;
  private final Table<Overdue, Lease> ending;
  private final Shelf<UUID> claims;
  private final Lanes lanes;
  private final Shelf<Candidate.Kind> kinds;
  private final Table<String, Counts> counts;
  private final Dues dues;
  private final Undo undo;
  private long lastSequence;

  /** A withdrawal by the instant at which it is due. */
  private record Overdue(long due, long sequence) implements Comparable<Overdue> {

    private static final Comparator<Overdue> ORDER =
        Comparator.comparingLong(Overdue::due).thenComparingLong(Overdue::sequence);

    @Override
    public int compareTo(Overdue other) {
      return ORDER.compare(this, other);
    }
  }

  /** How much a tenant has open. */
  record Counts(int open, int waiting) {
    static final Counts NONE = new Counts(0, 0);
  }

  Register(Undo undo) {
    this.undo = undo;
    byId = Table.hashed(undo);
    bySequence = Table.sorted(undo);
    waiting = Table.sorted(undo);
    planned = Table.sorted(undo);
    delayed = Table.sorted(undo);
    earmarked = Table.sorted(undo);
    replacing = Table.sorted(undo);
    undecided = Table.sorted(undo);
    noticed = Table.sorted(undo);
    ending = Table.sorted(undo);
    claims = new Shelf<>(undo);
    lanes = new Lanes(undo);
    kinds = new Shelf<>(undo);
    counts = Table.hashed(undo);
    dues = new Dues(undo);
  }

  @Nullable Lease get(UUID id) {
    return byId.get(id);
  }

  Collection<Lease> all() {
    return bySequence.values();
  }

  Collection<Lease> waiting() {
    return waiting.values();
  }

  /** What is booked and has not begun. */
  Collection<Lease> planned() {
    return planned.values();
  }

  /** PLANNED ones whose devices are still in another lease's hands. */
  Collection<Lease> delayed() {
    return delayed.values();
  }

  Collection<Lease> earmarked() {
    return earmarked.values();
  }

  /** Those that have nodes for which no others were found yet. */
  Collection<Lease> replacing() {
    return replacing.values();
  }

  /** Those that are to end for another, by sequence. */
  Collection<Lease> noticed() {
    return noticed.values();
  }

  /** Those with devices that should have been withdrawn by an instant, and are not. */
  List<Lease> overdue(long now) {
    List<Lease> overdue = new ArrayList<>();
    for (Map.Entry<Overdue, Lease> each : ending.rows().entrySet()) {
      if (each.getKey().due() > now) {
        break;
      }
      overdue.add(each.getValue());
    }
    return overdue;
  }

  /** Those on a node that asked for now and are planned for when others are gone, by sequence. */
  Collection<Lease> claims(UUID node) {
    return claims.of(node);
  }

  /** Whether any that wait are of such a class. */
  boolean anyWaiting(Predicate<String> ofClass) {
    return kinds.keys().stream().map(Candidate.Kind::serviceClass).anyMatch(ofClass);
  }

  /** Those whose search was cut short and is tried again with a larger budget. */
  Collection<Lease> undecided() {
    return undecided.values();
  }

  /** Equal waiting requests. */
  Lanes lanes() {
    return lanes;
  }

  /** The next of the equals of a waiting request, which itself may be gone by now. */
  @Nullable Lease next(Lease lease) {
    return lanes.like(lease).higher(lease);
  }

  /** Whether nobody of its kind waits for longer. */
  boolean isOldest(Lease lease) {
    NavigableSet<Lease> kind = kinds.of(Candidate.Kind.of(lease.ask()));
    return !kind.isEmpty() && kind.first().id().equals(lease.id());
  }

  Counts counts(String tenant) {
    Counts of = counts.get(tenant);
    return of == null ? Counts.NONE : of;
  }

  Dues dues() {
    return dues;
  }

  /**
   * The next place in the order of arrival. Made of the instant, so that a book that never saw the
   * leases of the past goes on like one that did.
   */
  long nextSequence(long now) {
    long next = Math.max(lastSequence + 1, now);
    sawSequence(next);
    return next;
  }

  void sawSequence(long sequence) {
    if (sequence > lastSequence) {
      long old = lastSequence;
      lastSequence = sequence;
      undo.record(() -> lastSequence = old);
    }
  }

  void add(Lease lease, Table<String, ServiceClass> classes, long now) {
    byId.put(lease.id(), lease);
    bySequence.put(lease.sequence(), lease);
    count(lease, 1);
    if (lease.state() == LeaseState.WAITING) {
      waiting.put(lease.sequence(), lease);
      lanes.add(lease);
      kinds.add(Candidate.Kind.of(lease.ask()), lease);
      if (lease.retryBudget() > 0) {
        undecided.put(lease.sequence(), lease);
      }
    }
    if (lease.state() == LeaseState.PLANNED) {
      planned.put(lease.sequence(), lease);
    }
    if (withdrawnBy(lease) < Span.FOREVER) {
      ending.put(new Overdue(withdrawnBy(lease), lease.sequence()), lease);
    }
    if (lease.notice() != null && lease.notice().by() != null && lease.state().hasPromise()) {
      noticed.put(lease.sequence(), lease);
    }
    claimed(lease).forEach(node -> claims.add(node, lease));
    if (lease.delayedBy() != null) {
      delayed.put(lease.sequence(), lease);
    }
    if (lease.earmark() != null) {
      earmarked.put(lease.sequence(), lease);
    }
    if (lease.change() != null && !lease.change().replacing().isEmpty()) {
      replacing.put(lease.sequence(), lease);
    }
    eachDue(
        lease,
        classes,
        (instant, kind, sequence, id) -> {
          if (kind != Dues.Kind.LOOK || instant > now) {
            dues.add(instant, kind, sequence, id);
          }
        });
  }

  void remove(Lease lease, Table<String, ServiceClass> classes) {
    byId.remove(lease.id());
    bySequence.remove(lease.sequence());
    if (lease.state() == LeaseState.WAITING) {
      waiting.remove(lease.sequence());
      undecided.remove(lease.sequence());
      lanes.remove(lease);
      kinds.remove(Candidate.Kind.of(lease.ask()), lease);
    }
    planned.remove(lease.sequence());
    ending.remove(new Overdue(withdrawnBy(lease), lease.sequence()));
    claimed(lease).forEach(node -> claims.remove(node, lease));
    delayed.remove(lease.sequence());
    earmarked.remove(lease.sequence());
    replacing.remove(lease.sequence());
    noticed.remove(lease.sequence());
    count(lease, -1);
    eachDue(lease, classes, dues::remove);
  }

  /** When its devices, or those that it gave back, should be out of its cluster's hands. */
  private static long withdrawnBy(Lease lease) {
    Booking leaving = lease.leaving();
    long given = leaving == null ? Span.FOREVER : leaving.hold().end();
    return lease.withdrawDue() == null ? given : lease.withdrawDue();
  }

  /** The nodes on which it waits for others to be gone, having asked for now. */
  private static List<UUID> claimed(Lease lease) {
    boolean claims =
        lease.state() == LeaseState.PLANNED
            && (lease.ask().when() instanceof Ask.When.Now
                || lease.ask().when() instanceof Ask.When.NowUntil);
    return claims && lease.booking() != null
        ? lease.booking().slots().stream().map(Booking.Slot::node).distinct().toList()
        : List.of();
  }

  /** Looks at everything that waits again at an instant, if that is still to come. */
  void lookAt(long instant, UUID id, long now) {
    if (instant > now) {
      dues.add(instant, Dues.Kind.LOOK, 0, id);
    }
  }

  /** Looks at what is on a node when it must be empty; what has passed was looked at. */
  void drains(@Nullable Node before, Node node, long now) {
    if (before != null && before.drainDeadline() != null) {
      dues.remove(before.drainDeadline(), Dues.Kind.DRAINED, 0, before.id());
    }
    if (node.drainDeadline() != null && node.drainDeadline() > now) {
      dues.add(node.drainDeadline(), Dues.Kind.DRAINED, 0, node.id());
    }
  }

  private interface Entry {
    void put(long instant, Dues.Kind kind, long sequence, UUID id);
  }

  private static void eachDue(Lease lease, Table<String, ServiceClass> classes, Entry entry) {
    Span window = lease.window();
    switch (lease.state()) {
      case WAITING -> waits(lease, classes, entry);
      case PLANNED -> {
        if (lease.delayedBy() == null && lease.booking() != null) {
          entry.put(lease.booking().hold().start(), Dues.Kind.START, lease.sequence(), lease.id());
        }
        if (window != null && window.end() != Span.FOREVER) {
          long lastStart = window.end() - Time.SECOND;
          entry.put(lastStart, Dues.Kind.END, lease.sequence(), lease.id());
        }
      }
      case ALLOCATED, PUBLISHING, ACTIVE -> {
        if (window != null) {
          entry.put(window.end(), Dues.Kind.END, lease.sequence(), lease.id());
          ServiceClass serviceClass = classes.get(lease.ask().serviceClass());
          if (lease.ask().preemptible() && serviceClass != null && serviceClass.minimumRun() > 0) {
            long ripe = Time.plus(window.start(), serviceClass.minimumRun());
            entry.put(ripe, Dues.Kind.LOOK, lease.sequence(), lease.id());
          }
        }
      }
      default -> {}
    }
  }

  private static void waits(Lease lease, Table<String, ServiceClass> classes, Entry entry) {
    ServiceClass serviceClass = classes.get(lease.ask().serviceClass());
    if (serviceClass == null) {
      return;
    }
    Terms terms = new Terms(lease.ask(), serviceClass, lease.createdAt());
    entry.put(terms.waitsUntil(), Dues.Kind.WAIT_OVER, lease.sequence(), lease.id());
    long aged = Time.plus(lease.createdAt(), serviceClass.agingAfter());
    entry.put(aged, Dues.Kind.LOOK, lease.sequence(), lease.id());
    if (lease.earmark() != null) {
      Span hold = lease.earmark().booking().hold();
      entry.put(lease.earmark().start(), Dues.Kind.LOOK, lease.sequence(), lease.id());
      entry.put(hold.end(), Dues.Kind.LOOK, lease.sequence(), lease.id());
    }
  }

  private void count(Lease lease, int by) {
    String tenant = lease.ask().tenant();
    Counts old = counts(tenant);
    int waits = lease.state() == LeaseState.WAITING ? by : 0;
    counts.put(tenant, new Counts(old.open() + by, old.waiting() + waits));
  }
}
