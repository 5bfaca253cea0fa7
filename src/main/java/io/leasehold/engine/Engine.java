package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;

/** Decides. Stateless; all state is in the {@link Book}. */
public final class Engine {

  private Engine() {}

  /**
   * Decides on everything: time first (ends before starts), then releases, health and limits in
   * order of arrival, then new and woken requests by precedence (engine rule 10). Applies its moves
   * to the book; {@link Book#undo} takes them back.
   *
   * @param now microseconds, not before {@link Book#now}
   */
  public static Batch decide(Book book, List<Command> commands, long now) {
    if (now < book.now()) {
      throw new IllegalArgumentException(now + " is before the book's " + book.now());
    }
    long before = book.now();
    Turn turn = new Turn(book, now);
    Life life = new Life(turn);
    new Clockwork(turn, life).run();
    Decision[] decisions = new Decision[commands.size()];
    for (int i = 0; i < decisions.length; i++) {
      decisions[i] = change(turn, life, commands.get(i));
    }
    admit(turn, life, commands, decisions);
    new Borrowed(turn).note();
    turn.writeHistory();
    if (book.lossesMayHaveChanged(before)) {
      new Losses(book, now).changes().forEach(turn::move);
    }
    book.decided();
    return new Batch(now, Arrays.asList(decisions), turn.moves(), turn.answers());
  }

  /** Everything that waits, in order. */
  public static List<Place> queue(Book book, long now) {
    return new Queue(book, now).places();
  }

  /** The live answer of a waiting or planned lease: position, expected start, reasons. */
  public static Answer explain(Book book, UUID lease, long now) {
    return new Queue(book, now).explain(lease);
  }

  /**
   * When each request could be had, each judged alone; nothing is booked.
   *
   * @param horizon how far ahead to look for who did not ask for a time (microseconds)
   */
  public static List<Availability> availability(Book book, List<Ask> asks, long horizon, long now) {
    long at = Math.max(now, book.now());
    int mark = book.mark();
    decide(book, List.of(), at);
    Outlook outlook = new Outlook(book, at, horizon);
    List<Availability> all = asks.stream().map(outlook::of).toList();
    book.undo(mark);
    return all;
  }

  /**
   * Which leases would move where so that a request fits; nothing moves. What is not possible comes
   * with its reasons.
   */
  public static ConsolidationPlan consolidation(Book book, Ask ask, long now) {
    long at = Math.max(now, book.now());
    int mark = book.mark();
    decide(book, List.of(), at);
    ConsolidationPlan plan = new Consolidation(new Turn(book, at)).plan(ask);
    book.undo(mark);
    return plan;
  }

  /**
   * What there is of each model from an instant to another, by what holds it.
   *
   * @param models slugs; empty = all that occur
   */
  public static List<PoolCalendar> calendar(Book book, List<String> models, long from, long until) {
    Calendars calendars = new Calendars(book, new Span(from, until));
    List<String> occurring = book.capacity().models();
    return (models.isEmpty() ? occurring : models)
        .stream().distinct().filter(occurring::contains).map(calendars::of).toList();
  }

  /** The laws I1, I2, I8 on this book; empty when they hold. One sentence for each fault. */
  public static List<String> audit(Book book) {
    Image image = Image.of(book);
    List<String> faults = new ArrayList<>(image.faults());
    image.parts().forEach(part -> faults.addAll(part.faults(book)));
    return faults;
  }

  /** What changes something that exists; null for requests, which come last. */
  private static @org.jspecify.annotations.Nullable Decision change(
      Turn turn, Life life, Command command) {
    Verbs verbs = new Verbs(turn, life);
    return switch (command) {
      case Command.Create _, Command.CreateAtomic _ -> null;
      case Command.Extend extend -> verbs.extend(extend.lease(), extend.newEnd());
      case Command.Shorten shorten -> verbs.shorten(shorten.lease(), shorten.newEnd());
      case Command.Resize resize -> verbs.resize(resize);
      case Command.Replace replace -> verbs.replace(replace);
      case Command.Transfer transfer -> verbs.transfer(transfer);
      case Command.Release release -> verbs.release(release.lease());
      case Command.Cancel cancel -> verbs.cancel(cancel.lease());
      case Command.Revoke revoke -> verbs.revoke(revoke.lease());
      case Command.Silence silence -> verbs.silence(silence);
      case Command.Annotate annotate -> verbs.annotate(annotate.lease());
      case Command.Tick _ -> new Decision.Changed(List.of());
      case Command.Report report -> new Reports(turn).take(report);
      case Command.SetNodes nodes -> new Inventory(turn).set(nodes);
      case Command.Drain drain -> new Inventory(turn).drain(drain);
      case Command.Sign sign -> new Signing(turn).sign(sign.contract());
      case Command.Terminate end -> new Signing(turn).terminate(end.contract(), end.at());
      case Command.Reserve reserve -> new Reserving(turn).reserve(reserve);
      case Command.ChangeOccurrence change -> new Reserving(turn).change(change);
      case Command.CancelOccurrences cancel -> new Reserving(turn).cancel(cancel);
      case Command.Consolidate plan -> new Consolidation(turn).apply(plan.ask(), plan.moves());
      case Command.SetCluster cluster -> new Inventory(turn).set(cluster);
    };
  }

  private static void admit(Turn turn, Life life, List<Command> commands, Decision[] decisions) {
    Admission admission = new Admission(turn, life);
    List<Ask> asks = new ArrayList<>();
    for (int i = 0; i < decisions.length; i++) {
      if (commands.get(i) instanceof Command.CreateAtomic atomic) {
        decisions[i] = admission.serveAtomic(atomic.asks());
      } else if (commands.get(i) instanceof Command.Create create) {
        asks.add(create.ask());
      }
    }
    Iterator<Decision> decided = admission.serve(asks).iterator();
    for (int i = 0; i < decisions.length; i++) {
      if (commands.get(i) instanceof Command.Create) {
        decisions[i] = decided.next();
      } else if (decisions[i] instanceof Decision.DecidedAtomic atomic) {
        decisions[i] = admission.current(atomic);
      }
    }
  }
}
