package io.leasehold.engine;

import static java.util.stream.Collectors.collectingAndThen;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Idle reserved capacity, lent to leases that may be preempted, and taken back when the owner draws
 * (engine rule 16). Who borrows is charged as for any lease that may be preempted, and ends in time
 * for the owner: at once, or with notice where the owner comes later.
 */
final class Lent {

  static final String CAUSE = "preempted";

  /** So many borrowers are considered for one that draws. */
  private static final int MOST_VICTIMS = 64;

  private final Turn turn;
  private final Book book;
  private final Life life;

  Lent(Turn turn, Life life) {
    this.turn = turn;
    this.book = turn.book();
    this.life = life;
  }

  /** What a request that draws may have once borrowers made room; they have, if it may. */
  Attempt.@Nullable Fits takeBack(Terms terms) {
    for (Occurrence each : book.reserved().of(Objects.requireNonNull(terms.ask().reservation()))) {
      List<Lease> borrowers = borrowers(each);
      Span window = borrowers.isEmpty() ? null : window(terms, each, borrowers);
      Booking booking = window == null ? null : place(terms, each, window, borrowers);
      if (booking != null) {
        borrowers.stream()
            .filter(lease -> overlaps(Objects.requireNonNull(lease.booking()), booking))
            .forEach(lease -> takeFrom(lease, booking.hold().start(), terms.ask().lease()));
        return new Attempt.Fits(booking, window, true);
      }
    }
    return null;
  }

  /** Leases on its devices that do not draw on it; who goes first is first. */
  private List<Lease> borrowers(Occurrence occurrence) {
    Booking all = Objects.requireNonNull(occurrence.booking());
    return book.reserved().holdersOf(occurrence).stream()
        .map(book::lease)
        .filter(Objects::nonNull)
        .filter(lease -> lease.state().hasPromise() && lease.ask().preemptible())
        .filter(lease -> !occurrence.reservation().equals(lease.ask().reservation()))
        .filter(lease -> overlaps(Objects.requireNonNull(lease.booking()), all))
        .sorted(
            Comparator.comparingInt((Lease lease) -> book.terms(lease).serviceClass().priority())
                .thenComparingInt(lease -> lease.ask().preemptionCost())
                .thenComparingLong(lease -> -Objects.requireNonNull(lease.window()).start())
                .thenComparing(Lease::id))
        .limit(MOST_VICTIMS)
        .collect(collectingAndThen(toList(), this::inBudgetFirst));
  }

  /** No budget stands between an owner and what is its own; who would break one goes last. */
  private List<Lease> inBudgetFirst(List<Lease> borrowers) {
    Map<Victims.Lot, Integer> left = new HashMap<>();
    List<Lease> inBudget = new ArrayList<>();
    List<Lease> others = new ArrayList<>();
    for (Lease lease : borrowers) {
      ServiceClass of = book.terms(lease).serviceClass();
      boolean quiet = of.disruption() != null && of.disruption().isQuiet(turn.now());
      int still =
          left.merge(
              Victims.Lot.of(lease),
              book.disruptions().left(Victims.Lot.of(lease), of, turn.now()) - 1,
              (known, first) -> known - 1);
      (quiet || still < 0 ? others : inBudget).add(lease);
    }
    inBudget.addAll(others);
    return inBudget;
  }

  /** The earliest window by which borrowers can be gone; null where that is too late. */
  private @Nullable Span window(Terms terms, Occurrence in, List<Lease> borrowers) {
    long gone =
        borrowers.stream()
            .mapToLong(lease -> book.terms(lease).holdEnd(turn.now()))
            .max()
            .orElseThrow();
    long wanted = terms.earliestStart(turn.now());
    long start = Math.max(wanted, Time.roundUp(gone) + terms.serviceClass().prepare());
    if (terms.ask().when() instanceof Ask.When.Within) {
      start = Math.max(start, in.window().start());
    } else if (!in.window().contains(wanted)) {
      return null;
    }
    boolean isFixed = terms.ask().when() instanceof Ask.When.At;
    boolean isInTime = isFixed ? start == wanted : start <= terms.latestStart();
    long end = terms.endFrom(start);
    return isInTime && start < end && in.window().contains(start) && end <= in.window().end()
        ? new Span(start, end)
        : null;
  }

  /** With as few borrowers gone as it takes, the least of them first. */
  private @Nullable Booking place(Terms terms, Occurrence in, Span window, List<Lease> borrowers) {
    Span free = new Span(freeFrom(terms, in, window), window.end());
    Set<UUID> gone = new HashSet<>();
    for (Lease lease : borrowers) {
      gone.add(lease.id());
      Booking booking =
          new Drawing(book, turn.now())
              .place(
                  terms, in, free, new Search.Misses(book), held -> !gone.contains(held.lease()));
      if (booking != null) {
        long start = terms.hold(window, turn.now()).start();
        return booking.over(new Span(start, booking.hold().end()));
      }
    }
    return null;
  }

  /**
   * But for borrowers it would start at once: only they are waited for. Else what is refused now
   * would be granted a moment later, though nothing happened.
   */
  private long freeFrom(Terms terms, Occurrence in, Span window) {
    long first = Math.max(terms.earliestStart(turn.now()), in.window().start());
    return Math.min(window.start(), Math.max(turn.now(), first));
  }

  private void takeFrom(Lease lease, long byThen, UUID by) {
    end(lease, byThen, by);
    turn.answer(lease.id(), Answers.takenBack(lease, turn.now()));
    life.disrupted(lease);
  }

  private void end(Lease lease, long byThen, UUID by) {
    Terms terms = book.terms(lease);
    Span window = Objects.requireNonNull(lease.window());
    long end = byThen - (terms.holdEnd(window.end()) - window.end());
    if (end <= turn.now() || end <= window.start()) {
      life.end(lease, turn.now(), CAUSE);
      return;
    }
    Booking booking = Objects.requireNonNull(lease.booking());
    Draft draft =
        Draft.of(lease)
            .window(new Span(window.start(), end))
            .booking(booking.over(new Span(booking.hold().start(), byThen)))
            .notice(new Lease.Notice(CAUSE, end, by, window.end()));
    turn.move(lease, draft.lease(), "noticed");
  }

  private static boolean overlaps(Booking one, Booking other) {
    if (!one.hold().overlaps(other.hold())) {
      return false;
    }
    List<Booking.Slot> slots = new ArrayList<>(other.slots());
    return one.slots().stream()
        .anyMatch(
            slot ->
                slots.stream()
                    .anyMatch(
                        each ->
                            each.node().equals(slot.node())
                                && (each.units().gpus() & slot.units().gpus()) != 0));
  }
}
