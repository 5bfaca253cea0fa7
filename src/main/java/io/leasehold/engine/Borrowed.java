package io.leasehold.engine;

import java.util.UUID;

/**
 * Says of each occurrence whether others have some of it: a move when the first borrows, and one
 * when the last has given it back. Looks only at those whose devices went or came.
 */
final class Borrowed {

  private final Turn turn;
  private final Book book;

  Borrowed(Turn turn) {
    this.turn = turn;
    this.book = turn.book();
  }

  void note() {
    for (UUID id : book.reserved().touched()) {
      Occurrence occurrence = book.reserved().get(id);
      if (occurrence != null && occurrence.lent() != isLent(occurrence)) {
        boolean lent = !occurrence.lent();
        turn.move(new Move.OccurrenceMoved(occurrence.lent(lent), lent ? "lent" : "returned"));
      }
    }
  }

  private boolean isLent(Occurrence occurrence) {
    return book.reserved().holdersOf(occurrence).stream()
        .anyMatch(holder -> isOther(book, holder, occurrence));
  }

  /** Whether it is a lease that does not draw on what it has of an occurrence. */
  static boolean isOther(Book book, UUID holder, Occurrence occurrence) {
    Lease lease = book.lease(holder);
    return lease != null && !occurrence.reservation().equals(lease.ask().reservation());
  }
}
