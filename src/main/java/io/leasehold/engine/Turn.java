package io.leasehold.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One batch while it is decided: every move goes through here, to the book and to the log. */
final class Turn {

  private final Book book;
  private final long now;
  private final List<Move> moves = new ArrayList<>();
  private final Map<UUID, Answer> answers = new LinkedHashMap<>();

  /** A point to go back to. */
  record Mark(int book, int moves, Map<UUID, Answer> answers) {}

  Turn(Book book, long now) {
    this.book = book;
    this.now = now;
    book.moveTo(now);
    book.memory().begin();
  }

  Book book() {
    return book;
  }

  long now() {
    return now;
  }

  List<Move> moves() {
    return moves;
  }

  void move(Move move) {
    book.apply(move);
    moves.add(move);
  }

  /** Writes down, once for each tenant and model, what it has used when some of its use is over. */
  void writeHistory() {
    SortedSet<Usage.Account> over = new TreeSet<>();
    for (Move move : moves) {
      if (move instanceof Move.LeaseMoved moved) {
        History.over(moved.before(), moved.after(), now).forEach(use -> over.add(use.account()));
      }
    }
    for (Usage.Account account : over) {
      History.Past past = book.history().written(account);
      move(new Move.UsageSet(account.tenant(), account.model(), past.used(), past.tick()));
    }
  }

  /** Moves a lease to its next version. */
  Lease move(@Nullable Lease before, Lease after, String cause) {
    move(new Move.LeaseMoved(before, after, cause));
    if (after.ask().reservation() != null && after.state() == LeaseState.ALLOCATED) {
      drawn(book.reserved().under(after));
    }
    if (after.state().isFinal() && before != null && after.state() != LeaseState.REFUSED) {
      answers.remove(after.id());
    }
    return after;
  }

  /** Somebody came: it is no no-show any more. */
  private void drawn(@Nullable Occurrence occurrence) {
    if (occurrence != null && occurrence.noShowAt() != Span.FOREVER) {
      move(new Move.OccurrenceMoved(occurrence.noShowAt(Span.FOREVER), "drawn"));
    }
  }

  /** A lease as it stands now, also if it is over already. */
  Lease latest(Lease seen) {
    Lease live = book.lease(seen.id());
    if (live != null) {
      return live;
    }
    for (Move move : moves.reversed()) {
      if (move instanceof Move.LeaseMoved moved && moved.after().id().equals(seen.id())) {
        return moved.after();
      }
    }
    return seen;
  }

  void answer(UUID lease, Answer answer) {
    answers.put(lease, answer);
  }

  /** The last answer given in this batch. */
  Answer lastAnswer(UUID lease, Answer otherwise) {
    return answers.getOrDefault(lease, otherwise);
  }

  List<Batch.Reasoned> answers() {
    return answers.entrySet().stream()
        .map(each -> new Batch.Reasoned(each.getKey(), each.getValue()))
        .toList();
  }

  Mark mark() {
    return new Mark(book.mark(), moves.size(), new LinkedHashMap<>(answers));
  }

  void back(Mark mark) {
    book.undo(mark.book());
    moves.subList(mark.moves(), moves.size()).clear();
    answers.clear();
    answers.putAll(mark.answers());
  }
}
