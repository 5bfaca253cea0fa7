package io.leasehold.ledger;

import io.leasehold.engine.Book;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What a submission would come to at this moment; the book is left as it was. */
final class Rehearsal {

  private Rehearsal() {}

  static Outcome of(
      String pool,
      Book book,
      long bookRevision,
      Submission submission,
      long now,
      Map<UUID, StoredLease> rows) {
    int mark = book.mark();
    try {
      Draft draft = new Draft(pool, book, bookRevision, now, rows);
      draft.decide(List.of(submission));
      return draft.outcomes(bookRevision).getFirst();
    } finally {
      book.undo(mark);
    }
  }

  /** The same, whatever its caller saw before. */
  static Outcome.Committed unconditional(
      String pool,
      Book book,
      long bookRevision,
      Submission s,
      long now,
      Map<UUID, StoredLease> rows) {
    Submission free =
        new Submission(
            s.command(),
            s.actor(),
            s.traceId(),
            s.subject(),
            s.texts(),
            null,
            null,
            s.urgent(),
            null);
    return (Outcome.Committed) of(pool, book, bookRevision, free, now, rows);
  }
}
