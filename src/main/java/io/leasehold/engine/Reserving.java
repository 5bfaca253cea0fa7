package io.leasehold.engine;

import io.leasehold.engine.Decision.Declined;
import io.leasehold.engine.Decision.Declined.Why;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Sets capacity aside, changes and releases it. What is set aside must fit the guarantee of its
 * owner over its whole window, and is bound to devices from then on (engine rule 16). A refused
 * change leaves all as it was.
 */
final class Reserving {

  private final Turn turn;
  private final Book book;
  private final SetAside search;

  Reserving(Turn turn) {
    this.turn = turn;
    this.book = turn.book();
    this.search = new SetAside(turn);
  }

  Decision reserve(Command.Reserve command) {
    for (Occurrence.Ask ask : command.occurrences()) {
      Declined declined = declines(ask);
      if (declined != null) {
        return declined;
      }
    }
    return command.misfit() == Command.Reserve.Misfit.RECORD
        ? new Decision.Reserved(each(command.occurrences()))
        : all(command.occurrences());
  }

  private @Nullable Declined declines(Occurrence.Ask ask) {
    Tenant tenant = book.tenant(ask.tenant());
    if (tenant == null || tenant.retired()) {
      return new Declined(Why.NOT_FOUND, "no tenant " + ask.tenant() + " that reserves", null);
    }
    for (String model : ask.shape().models()) {
      if (book.model(model) == null) {
        return new Declined(Why.NOT_FOUND, "no GPU model " + model, null);
      }
    }
    if (book.reserved().get(ask.id()) != null) {
      return new Declined(Why.ID_TAKEN, "occurrence " + ask.id() + " exists", null);
    }
    if (ask.window().end() <= turn.now()) {
      return new Declined(Why.LIMIT, "it would be over already", null);
    }
    return ask.shape().slice() instanceof Shape.Slice.Whole
        ? null
        : new Declined(Why.LIMIT, "only whole GPUs are set aside", null);
  }

  private List<Occurrence> each(List<Occurrence.Ask> asks) {
    List<Occurrence> decided = new ArrayList<>();
    for (Occurrence.Ask ask : asks) {
      Booking booking = search.booking(ask, new Search.Misses(book));
      decided.add(
          booking == null ? move(Occurrence.refused(ask), "no-room") : search.book(ask, booking));
    }
    return decided;
  }

  private Decision all(List<Occurrence.Ask> asks) {
    Turn.Mark mark = turn.mark();
    SetAside.Outcome outcome = search.all(asks, SetAside.MOST_TOLD);
    if (outcome.refused().isEmpty()) {
      return new Decision.Reserved(outcome.booked());
    }
    turn.back(mark);
    return new Declined(
        search.isNever(asks.getFirst()) ? Why.NEVER : Why.SHORTAGE,
        outcome.refused().size() + " occurrences do not fit",
        search.answer(asks, outcome));
  }

  /** Another time or size of one occurrence; the others of its series stay as they are. */
  Decision change(Command.ChangeOccurrence command) {
    Occurrence standing = book.reserved().get(command.occurrence());
    if (standing == null) {
      return notFound(command.occurrence());
    }
    if (command.window().equals(standing.window()) && command.shape().equals(standing.shape())) {
      return new Decision.Reserved(List.of(standing));
    }
    String illegal = illegal(standing, command);
    if (illegal != null) {
      return new Declined(Why.ILLEGAL_MOVE, illegal, null);
    }
    Turn.Mark mark = turn.mark();
    book.suppose(standing.ended(Occurrence.State.CANCELLED, "changed"));
    Occurrence.Ask ask = asked(standing, command);
    Search.Misses misses = new Search.Misses(book);
    Booking booking =
        isFixed(standing) ? search.same(ask, standing, misses) : search.booking(ask, misses);
    turn.back(mark);
    if (booking == null) {
      return new Declined(
          Why.SHORTAGE, "the occurrence does not fit there", search.refusal(ask, misses));
    }
    boolean broken = Soundness.isBroken(book, booking);
    Occurrence changed = standing.rebooked(command.window(), command.shape(), booking, broken);
    move(changed, "changed");
    return new Decision.Reserved(List.of(search.begunIfDue(changed)));
  }

  private static Occurrence.Ask asked(Occurrence standing, Command.ChangeOccurrence command) {
    return new Occurrence.Ask(
        standing.id(),
        standing.reservation(),
        standing.tenant(),
        command.shape(),
        standing.originalStart(),
        command.window(),
        standing.lend(),
        standing.noShowAfter());
  }

  /** It has begun, or leases are on it: then its devices stay. */
  private boolean isFixed(Occurrence standing) {
    return standing.window().start() <= turn.now() || !drawing(standing).isEmpty();
  }

  private @Nullable String illegal(Occurrence standing, Command.ChangeOccurrence command) {
    Span window = command.window();
    if (window.end() <= turn.now()) {
      return "it would be over already: cancel it instead";
    }
    boolean begun = standing.window().start() <= turn.now();
    if (window.start() != standing.window().start() && (begun || window.start() < turn.now())) {
      return begun ? "its start is fixed, since it has begun" : "its start would be in the past";
    }
    for (Occurrence other : book.reserved().of(standing.reservation())) {
      if (!other.id().equals(standing.id()) && other.window().overlaps(window)) {
        return "it would overlap another occurrence of the same reservation";
      }
    }
    if (isFixed(standing) && !command.shape().equals(standing.shape())) {
      return "its size is fixed, since it has begun or leases draw on it";
    }
    for (Lease lease : drawing(standing)) {
      Span drawn = Objects.requireNonNull(lease.window());
      if (drawn.start() < window.start() || drawn.end() > window.end()) {
        return "leases draw on it at times that it would no longer cover";
      }
    }
    return null;
  }

  /** Takes occurrences back; refused for all while a lease draws on any. */
  Decision cancel(Command.CancelOccurrences command) {
    List<Occurrence> standing = new ArrayList<>();
    for (UUID id : command.occurrences()) {
      Occurrence each = book.reserved().get(id);
      if (each == null) {
        return notFound(id);
      }
      List<Lease> drawing = drawing(each);
      if (!drawing.isEmpty()) {
        return new Declined(
            Why.IN_USE,
            "leases draw on it: release them first: "
                + drawing.stream().limit(10).map(lease -> lease.id().toString()).toList(),
            null);
      }
      standing.add(each);
    }
    return new Decision.Reserved(
        standing.stream()
            .map(each -> move(each.ended(Occurrence.State.CANCELLED, "cancelled"), "cancelled"))
            .toList());
  }

  /** Its time has come. */
  void start(Occurrence occurrence) {
    move(occurrence.started(), "started");
  }

  /** Its window is over. */
  void over(Occurrence occurrence) {
    move(occurrence.ended(Occurrence.State.ENDED, "over"), "over");
  }

  /**
   * Nobody has drawn on it: it is released, unless somebody is planned to; then it is looked at
   * again as long after that start.
   */
  void noShow(Occurrence occurrence) {
    long planned =
        drawing(occurrence).stream()
            .mapToLong(lease -> Objects.requireNonNull(lease.window()).start())
            .min()
            .orElse(Span.FOREVER);
    if (planned == Span.FOREVER) {
      move(occurrence.ended(Occurrence.State.ENDED, "no-show"), "no-show");
    } else {
      long later = Math.max(planned, turn.now()) + occurrence.noShowAfter();
      move(occurrence.noShowAt(later), "postponed");
    }
  }

  private List<Lease> drawing(Occurrence occurrence) {
    return book.leases().stream()
        .filter(lease -> occurrence.reservation().equals(lease.ask().reservation()))
        .filter(lease -> lease.state().hasPromise())
        .filter(lease -> occurrence.window().contains(lease.window().start()))
        .toList();
  }

  private static Declined notFound(UUID id) {
    return new Declined(Why.NOT_FOUND, "no occurrence " + id + " that is not over", null);
  }

  private Occurrence move(Occurrence after, String cause) {
    turn.move(new Move.OccurrenceMoved(after, cause));
    return after;
  }
}
