package io.leasehold.ledger;

import io.leasehold.engine.Command;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which submissions of one ticket break its write. A ticket commits as a whole, so they are found
 * by writing parts of it and taking them back: each half by itself, until the culprit is alone.
 */
final class Culprits {

  private final Ticket ticket;
  private final Probe probe;
  private final Map<Integer, Throwable> found = new TreeMap<>();

  private Culprits(Ticket ticket, Probe probe) {
    this.ticket = ticket;
    this.probe = probe;
  }

  /** Writes a ticket and takes it back; null if that works. */
  @FunctionalInterface
  interface Probe {
    @Nullable Throwable failure(Ticket part) throws SQLException, InterruptedException;
  }

  /** Why each is one, by its place in the ticket; empty if only together they break it. */
  static Map<Integer, Throwable> of(Ticket ticket, Probe probe)
      throws SQLException, InterruptedException {
    Culprits culprits = new Culprits(ticket, probe);
    int size = ticket.submissions().size();
    culprits.search(0, size / 2);
    culprits.search(size / 2, size);
    culprits.addFollowers();
    return culprits.found;
  }

  private void search(int from, int to) throws SQLException, InterruptedException {
    Throwable failure =
        from == to ? null : probe.failure(new Ticket(ticket.submissions().subList(from, to), null));
    if (failure == null) {
      return;
    }
    if (to - from == 1) {
      found.put(from, failure);
      return;
    }
    int middle = (from + to) / 2;
    search(from, middle);
    search(middle, to);
  }

  /** Who starts after a culprit would find nothing there, and take it for over. */
  private void addFollowers() {
    Set<UUID> missing = new HashSet<>();
    List<Submission> all = ticket.submissions();
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).command() instanceof Command.Create create) {
        boolean follows = create.ask().after().stream().anyMatch(missing::contains);
        if (follows) {
          found.putIfAbsent(i, new IllegalStateException("what it follows was put aside"));
        }
        if (found.containsKey(i)) {
          missing.add(create.ask().lease());
        }
      }
    }
  }
}
