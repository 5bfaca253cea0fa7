package io.leasehold.ledger;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Where callers hand their submissions to the deciders and wait for the outcomes, never longer than
 * they may. Knows the idempotency keys that are being answered in this replica.
 */
final class Handover {

  private final LedgerSettings settings;
  private final BiConsumer<String, Ticket> decider;
  private final Map<Claims.Name, Key> inFlight = new ConcurrentHashMap<>();

  /**
   * @param decider takes a ticket for a pool, or answers it at once
   */
  Handover(LedgerSettings settings, BiConsumer<String, Ticket> decider) {
    this.settings = settings;
    this.decider = decider;
  }

  /** See {@link Ledger#submitAll}. */
  List<Outcome> submitAll(String pool, List<Submission> submissions, @Nullable Key key) {
    Key first = key == null ? null : inFlight.putIfAbsent(Claims.Name.of(key), key);
    if (first != null) {
      return Collections.nCopies(submissions.size(), busy(first, key));
    }
    List<Ticket> tickets =
        TicketList.of(
            submissions,
            key,
            key == null ? () -> {} : () -> inFlight.remove(Claims.Name.of(key), key));
    boolean large = tickets.stream().anyMatch(Ticket::isLarge);
    Duration within = large ? settings.largeWithin() : settings.answerWithin();
    long deadline = System.nanoTime() + within.toNanos();
    return key == null ? decide(pool, tickets, deadline) : decideParts(pool, tickets, deadline);
  }

  private static Outcome busy(Key first, Key again) {
    return first.fingerprint().equals(again.fingerprint())
        ? new Outcome.KeyInFlight()
        : new Outcome.KeyReused();
  }

  private List<Outcome> decide(String pool, List<Ticket> tickets, long deadline) {
    tickets.forEach(ticket -> decider.accept(pool, ticket));
    List<Outcome> outcomes = new ArrayList<>();
    tickets.forEach(ticket -> outcomes.addAll(await(ticket, deadline)));
    return outcomes;
  }

  /** The first part claims the key; where it does not get it, the others are not decided. */
  private List<Outcome> decideParts(String pool, List<Ticket> parts, long deadline) {
    List<Ticket> others = parts.subList(1, parts.size());
    List<Outcome> outcomes = new ArrayList<>(decide(pool, parts.subList(0, 1), deadline));
    switch (outcomes.getFirst()) {
      case Outcome.KeyReused _, Outcome.KeyInFlight _, Outcome.Unavailable _ -> {
        Outcome ofAll = outcomes.getFirst();
        others.forEach(part -> part.answer(ofAll));
        others.forEach(part -> outcomes.addAll(await(part, deadline)));
      }
      default -> outcomes.addAll(decide(pool, others, deadline));
    }
    return outcomes;
  }

  private static List<Outcome> await(Ticket ticket, long deadline) {
    try {
      return ticket.answer().get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      if (ticket.claim()) {
        ticket.answer(new Outcome.Unavailable("not decided in time; nothing was changed", 1));
        return ticket.answer().join();
      }
      Outcome unknown = new Outcome.Unavailable("not answered in time; ask again", 1);
      return Collections.nCopies(ticket.submissions().size(), unknown);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      Outcome unknown = new Outcome.Unavailable("interrupted", 1);
      return Collections.nCopies(ticket.submissions().size(), unknown);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }
}
