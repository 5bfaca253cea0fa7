package io.leasehold.engine;

import java.util.Comparator;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What happens by itself, and when: the earliest first, at one instant ends before starts. */
final class Dues {

  /** Kinds of due instants, in the order in which they happen at one instant. */
  enum Kind {
    /** A lease's window is over. */
    END,
    /** An occurrence of a reservation is over. */
    OVER,
    /** A node must be empty by now. */
    DRAINED,
    /** A wait is over. */
    WAIT_OVER,
    /** A planned lease's hold begins, or an occurrence. */
    START,
    /** Nobody drew on an occurrence until now. */
    NO_SHOW,
    /** A contract begins or ends, a request is old enough, an earmark begins: look again. */
    LOOK
  }

  /** Something due. Contracts and nodes have no sequence: 0. */
  record Due(long instant, Kind kind, long sequence, UUID id) implements Comparable<Due> {

    private static final Comparator<Due> ORDER =
        Comparator.comparingLong(Due::instant)
            .thenComparing(Due::kind)
            .thenComparingLong(Due::sequence)
            .thenComparing(Due::id);

    @Override
    public int compareTo(Due other) {
      return ORDER.compare(this, other);
    }
  }

  private final TreeSet<Due> dues = new TreeSet<>();
  private final Undo undo;

  Dues(Undo undo) {
    this.undo = undo;
  }

  void add(long instant, Kind kind, long sequence, UUID id) {
    Due due = new Due(instant, kind, sequence, id);
    if (instant != Span.FOREVER && dues.add(due)) {
      undo.record(() -> dues.remove(due));
    }
  }

  void remove(long instant, Kind kind, long sequence, UUID id) {
    remove(new Due(instant, kind, sequence, id));
  }

  void remove(Due due) {
    if (dues.remove(due)) {
      undo.record(() -> dues.add(due));
    }
  }

  /** Who decided at an instant had looked at everything due until then. */
  void dropLooks(long until) {
    for (Due due = first(); due != null && due.instant() <= until; due = dues.higher(due)) {
      if (due.kind() == Kind.LOOK || due.kind() == Kind.DRAINED) {
        remove(due);
      }
    }
  }

  @Nullable Due first() {
    return dues.isEmpty() ? null : dues.first();
  }
}
