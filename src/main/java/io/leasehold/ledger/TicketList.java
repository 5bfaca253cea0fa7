package io.leasehold.ledger;

import io.leasehold.engine.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A list of submissions as tickets. Without a key each stands for itself. Under a key they go in
 * parts of a fixed size, so that a long list holds the pool's lock no longer than others do; each
 * part commits with a key of its own, the first with the key as it came. A retry falls into the
 * same parts: those that were decided are replayed, the others are decided then.
 */
final class TicketList {

  private TicketList() {}

  /**
   * @param whenAnswered runs before the last of them is answered
   */
  static List<Ticket> of(List<Submission> submissions, @Nullable Key key, Runnable whenAnswered) {
    if (submissions.stream().anyMatch(TicketList::followsAnother)) {
      return List.of(new Ticket(submissions, key, whenAnswered));
    }
    int size = key == null ? 1 : Key.PART;
    AtomicInteger open = new AtomicInteger((submissions.size() + size - 1) / size);
    Runnable answered =
        () -> {
          if (open.decrementAndGet() == 0) {
            whenAnswered.run();
          }
        };
    List<Ticket> tickets = new ArrayList<>();
    for (int from = 0; from < submissions.size(); from += size) {
      List<Submission> part = submissions.subList(from, Math.min(from + size, submissions.size()));
      tickets.add(new Ticket(part, key == null ? null : key.part(from / size), answered));
    }
    return tickets;
  }

  /** Decided before what it follows has come, it would find nothing there and take it for over. */
  private static boolean followsAnother(Submission submission) {
    return submission.command() instanceof Command.Create create && !create.ask().after().isEmpty();
  }
}
