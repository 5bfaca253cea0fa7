package io.leasehold.ledger;

import io.leasehold.engine.Answer;
import io.leasehold.engine.Batch;
import io.leasehold.engine.Book;
import io.leasehold.engine.Command;
import io.leasehold.engine.Decision;
import io.leasehold.engine.Engine;
import io.leasehold.engine.Lease;
import io.leasehold.engine.LeaseState;
import io.leasehold.engine.Move;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a batch comes to before it is committed: the engine's moves on the book, who wanted each,
 * and an outcome for each submission. Most commands are decided together; those that depend on what
 * their caller saw ({@code ifBook}, {@code ifRevision}) and a second command for one lease are
 * decided one by one, at the same instant.
 */
final class Draft {

  /** Causes of moves that time and room make, whoever else addresses the lease in the batch. */
  private static final Set<String> OF_THE_CLOCK =
      Set.of(
          "started",
          "expired",
          "wait-expired",
          "never-claimed",
          "preempted",
          "noticed",
          "reduced",
          "reprieved",
          "delayed",
          "rebound",
          "earmarked",
          "admitted",
          "planned",
          "waiting",
          "undecided",
          "refused");

  private final String pool;
  private final Book book;
  private final long bookRevision;
  private final long now;
  private final Map<UUID, StoredLease> rows;
  private final List<Item> items = new ArrayList<>();
  private final List<List<Command>> rounds = new ArrayList<>();
  private final List<Authored> moves = new ArrayList<>();
  private final Map<UUID, Net> leases = new LinkedHashMap<>();
  private final Set<UUID> created = new HashSet<>();
  private final Map<UUID, LeaseText> texts = new HashMap<>();

  /**
   * @param bookRevision of the book before this batch
   * @param rows the leases addressed, and those that have the id of a new one, as committed
   */
  Draft(String pool, Book book, long bookRevision, long now, Map<UUID, StoredLease> rows) {
    this.pool = pool;
    this.book = book;
    this.bookRevision = bookRevision;
    this.now = now;
    this.rows = rows;
  }

  /** A move and the submission that caused it; none for the clock's. */
  record Authored(Move move, @Nullable Submission author) {}

  /** What the batch does to one lease: from its first state to its last. */
  static final class Net {
    final @Nullable Lease before;
    Lease after;
    @Nullable Answer answer;
    @Nullable Submission creator;

    Net(@Nullable Lease before, Lease after) {
      this.before = before;
      this.after = after;
    }
  }

  /** A submission and what became of it. */
  private static final class Item {
    final Submission submission;
    @Nullable Decision decision;
    @Nullable Outcome outcome;

    Item(Submission submission) {
      this.submission = submission;
    }

    Command command() {
      return submission.command();
    }
  }

  /** Decides on everything. */
  void decide(Collection<Submission> submissions) {
    List<Item> together = new ArrayList<>();
    List<Item> byBook = new ArrayList<>();
    List<Item> later = new ArrayList<>();
    Set<UUID> addressed = new HashSet<>();
    for (Submission submission : submissions) {
      Item item = new Item(submission);
      items.add(item);
      UUID lease = Subjects.addressed(item.command());
      if (isTaken(item)) {
        item.decision = idTaken();
      } else if (submission.ifBook() != null) {
        byBook.add(item);
      } else if (submission.ifRevision() != null || (lease != null && !addressed.add(lease))) {
        later.add(item);
      } else {
        together.add(item);
      }
    }
    byBook.forEach(this::decideIfBookIs);
    if (!together.isEmpty() || book.nextDue() <= now) {
      round(together);
    }
    later.forEach(this::decideIfRevisionIs);
  }

  /**
   * Ids are looked up in the table, since a lease that is over, or another pool's, is in no book.
   */
  private boolean isTaken(Item item) {
    if (!Subjects.isNew(item.command())) {
      return false;
    }
    List<UUID> ids = Subjects.leases(item.command());
    boolean taken =
        ids.stream().anyMatch(id -> rows.containsKey(id) || created.contains(id))
            || Set.copyOf(ids).size() < ids.size();
    created.addAll(ids);
    return taken;
  }

  private static Decision idTaken() {
    return new Decision.Declined(Decision.Declined.Why.ID_TAKEN, "a lease of this id exists", null);
  }

  private void decideIfBookIs(Item item) {
    if (moves.isEmpty() && bookRevision == item.submission.ifBook()) {
      round(List.of(item));
      return;
    }
    Outcome.Committed fresh =
        Rehearsal.unconditional(pool, book, bookRevision, item.submission, now, rows);
    item.outcome = new Outcome.BookChanged(fresh.decision(), fresh.leases(), bookRevision);
  }

  private void decideIfRevisionIs(Item item) {
    UUID id = Subjects.addressed(item.command());
    Long expected = item.submission.ifRevision();
    if (id != null && expected != null) {
      Lease lease = book.lease(id);
      StoredLease row = rows.get(id);
      long revision = lease != null ? lease.revision() : row != null ? row.revision() : expected;
      if (revision != expected) {
        item.outcome = new Outcome.Stale(record(id));
        return;
      }
    }
    round(List.of(item));
  }

  private void round(List<Item> round) {
    List<Command> commands =
        round.isEmpty() ? List.of(new Command.Tick()) : round.stream().map(Item::command).toList();
    Batch batch = Engine.decide(book, commands, now);
    rounds.add(commands);
    Map<UUID, Submission> authors = new HashMap<>();
    Map<Fact, Submission> setters = new HashMap<>();
    for (int i = 0; i < round.size(); i++) {
      Item item = round.get(i);
      item.decision = batch.decisions().get(i);
      UUID addressed = Subjects.addressed(item.command());
      List<UUID> about = addressed == null ? Subjects.leases(item.command()) : List.of(addressed);
      about.forEach(id -> authors.put(id, item.submission));
      Subjects.facts(item.command()).forEach(fact -> setters.putIfAbsent(fact, item.submission));
    }
    batch.moves().forEach(move -> keep(move, setters, authors));
    for (Batch.Reasoned reasoned : batch.answers()) {
      Net net = leases.get(reasoned.lease());
      if (net != null) {
        net.answer = reasoned.answer();
      }
    }
    for (Item item : round) {
      switch (item.decision) {
        case Decision.Decided decided -> answer(decided);
        case Decision.DecidedAtomic atomic when atomic.kept() ->
            atomic.each().forEach(this::answer);
        case Decision.Declined declined when declined.why() == Decision.Declined.Why.NOT_FOUND ->
            item.decision = ifOver(item.command(), declined);
        case null, default -> {}
      }
      if (isEffective(item.decision)) {
        texts.putAll(item.submission.texts());
      }
    }
  }

  private void keep(Move move, Map<Fact, Submission> setters, Map<UUID, Submission> authors) {
    Submission author = null;
    if (move instanceof Move.LeaseMoved moved) {
      UUID id = moved.after().id();
      Net net = leases.get(id);
      boolean isNew = net == null ? moved.before() == null : net.before == null;
      if (isNew || !OF_THE_CLOCK.contains(moved.cause())) {
        author = authors.get(id);
      }
      if (net == null) {
        net = new Net(moved.before(), moved.after());
        net.creator = moved.before() == null ? author : null;
        leases.put(id, net);
      }
      net.after = moved.after();
    } else if (!(move instanceof Move.UsageSet || move instanceof Move.DisruptionSet)) {
      author = setters.get(Fact.of(move));
    }
    moves.add(new Authored(move, author));
  }

  private void answer(Decision.Decided decided) {
    Net net = leases.get(decided.lease().id());
    if (net != null) {
      net.answer = decided.answer();
    }
  }

  /** The book does not have leases that are over; to end one again is no fault. */
  private Decision ifOver(Command command, Decision.Declined notFound) {
    UUID id = Subjects.addressed(command);
    StoredLease row = id == null ? null : rows.get(id);
    if (row == null || !row.pool().equals(pool) || !row.state().isFinal()) {
      return notFound;
    }
    return switch (command) {
      case Command.Release release -> new Decision.Done(row.lease());
      case Command.Revoke revoke -> new Decision.Done(row.lease());
      case Command.Report report -> new Decision.Done(row.lease());
      case Command.Cancel cancel when row.state() == LeaseState.CANCELLED ->
          new Decision.Done(row.lease());
      default ->
          new Decision.Declined(
              Decision.Declined.Why.ILLEGAL_MOVE, "the lease is " + row.state(), null);
    };
  }

  /** Whether the engine took a rider's command; else its rider is not asked. */
  boolean isTaken(int item) {
    return isEffective(items.get(item).decision);
  }

  private static boolean isEffective(@Nullable Decision decision) {
    return switch (decision) {
      case null -> false;
      case Decision.Declined declined -> false;
      case Decision.Shortfalls shortfalls -> false;
      case Decision.DecidedAtomic atomic -> atomic.kept();
      case Decision.Decided decided -> true;
      case Decision.Done done -> true;
      case Decision.Changed changed -> true;
      case Decision.Reserved reserved -> true;
      case Decision.Consolidated consolidated -> consolidated.applied();
    };
  }

  /** The outcomes in the order of the submissions, once it is known under which revision. */
  List<Outcome> outcomes(long committedAs) {
    List<Outcome> outcomes = new ArrayList<>(items.size());
    for (Item item : items) {
      outcomes.add(
          item.outcome != null
              ? item.outcome
              : new Outcome.Committed(
                  item.decision, records(item, committedAs), committedAs, false));
    }
    return outcomes;
  }

  private List<LeaseRecord> records(Item item, long committedAs) {
    List<LeaseRecord> records = new ArrayList<>();
    for (UUID id : Subjects.leases(item.command())) {
      LeaseRecord record = record(id, committedAs);
      if (record != null) {
        records.add(record);
      }
    }
    return records;
  }

  private @Nullable LeaseRecord record(UUID id) {
    return record(id, bookRevision);
  }

  private @Nullable LeaseRecord record(UUID id, long committedAs) {
    Net net = leases.get(id);
    StoredLease row = rows.get(id);
    if (net == null) {
      return row != null && row.pool().equals(pool) ? unmoved(row) : null;
    }
    if (net.before == null) {
      return net.creator == null ? null : LeaseRow.created(pool, net, committedAs, now);
    }
    return row == null ? null : row.moved(net.after, text(id), net.answer, committedAs, now);
  }

  private LeaseRecord unmoved(StoredLease row) {
    Lease known = book.lease(row.id());
    return known != null && known.revision() == row.revision() ? row.record(known) : row.record();
  }

  /** The new name and labels of a lease, where a submission brought them and was taken. */
  @Nullable LeaseText text(UUID id) {
    return texts.get(id);
  }

  List<Authored> moves() {
    return moves;
  }

  Map<UUID, Net> leases() {
    return leases;
  }

  List<List<Command>> rounds() {
    return rounds;
  }

  Book book() {
    return book;
  }

  String pool() {
    return pool;
  }

  long now() {
    return now;
  }
}
