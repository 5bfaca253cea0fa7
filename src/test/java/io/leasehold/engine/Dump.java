package io.leasehold.engine;

import java.util.TreeMap;

/** A book as text: two books with the same text know the same. */
final class Dump {

  private Dump() {}

  static String of(Book book) {
    StringBuilder text = new StringBuilder("now " + book.now() + "\n");
    book.nodes().forEach(node -> text.append(node).append('\n'));
    book.contracts().forEach(contract -> text.append(contract).append('\n'));
    book.leases().forEach(lease -> text.append(lease).append('\n'));
    for (Occurrence occurrence : book.occurrences()) {
      text.append(occurrence)
          .append(" undrawn ")
          .append(book.undrawn(occurrence.id()))
          .append('\n');
    }
    text.append("due ").append(book.nextDue()).append('\n');
    text.append(book.disruptions().rows()).append('\n');
    new TreeMap<>(book.history().written())
        .forEach((account, past) -> text.append(account).append(past).append('\n'));
    for (Tenant tenant : book.tree().all()) {
      for (String model : book.capacity().models()) {
        text.append(book.history().of(tenant.slug(), model, book.now())).append(' ');
      }
      text.append(tenant).append(book.register().counts(tenant.slug()));
      for (String model : book.capacity().models()) {
        Span always = new Span(0, Span.FOREVER);
        Profile profile = book.usage().of(tenant.slug(), model);
        for (long change : profile.changes(always)) {
          text.append(' ').append(change).append('=').append(profile.at(change));
        }
      }
      text.append('\n');
    }
    return text.append(book.losses()).append('\n').toString();
  }

  static String of(Batch batch) {
    StringBuilder text = new StringBuilder(ofMoves(batch));
    batch.decisions().forEach(decision -> text.append(decision).append('\n'));
    return text.toString();
  }

  static String ofMoves(Batch batch) {
    StringBuilder text = new StringBuilder();
    batch.moves().forEach(move -> text.append(of(move)).append('\n'));
    return text.toString();
  }

  private static String of(Move move) {
    return move instanceof Move.LeaseMoved moved
        ? moved.cause()
            + " from "
            + (moved.before() == null ? "nothing" : state(moved.before()))
            + " to "
            + state(moved.after())
            + " "
            + moved.after().ask()
        : move.toString();
  }

  private static String state(Lease lease) {
    return lease.state()
        + "#"
        + lease.sequence()
        + "r"
        + lease.revision()
        + " "
        + lease.window()
        + lease.booking()
        + lease.earmark()
        + lease.delayedBy()
        + lease.change()
        + lease.degraded()
        + lease.retryBudget();
  }

  /** What fits now, for as long as a minute and as a day. */
  static String room(Book book) {
    StringBuilder text = new StringBuilder();
    for (String model : book.capacity().models()) {
      for (long length : new long[] {Time.MINUTE, Time.HOUR, Time.DAY}) {
        for (int gpus = 1; gpus <= 8; gpus *= 2) {
          Span hold = new Span(book.now(), book.now() + length);
          Shape shape = Story.AskMaker.whole(gpus);
          Found found =
              book.capacity().place(shape, model, hold, book.now(), new Budget(Search.STEPS));
          text.append(found).append('\n');
        }
      }
    }
    return text.toString();
  }

  /** The first line in which two dumps differ; empty if they do not. */
  static String difference(String one, String other) {
    String[] ones = one.split("\n");
    String[] others = other.split("\n");
    for (int i = 0; i < Math.max(ones.length, others.length); i++) {
      String left = i < ones.length ? ones[i] : "nothing";
      String right = i < others.length ? others[i] : "nothing";
      if (!left.equals(right)) {
        return left + "\ninstead of\n" + right;
      }
    }
    return "";
  }
}
