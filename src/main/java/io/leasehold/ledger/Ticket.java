package io.leasehold.ledger;

import io.leasehold.engine.Command;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Submissions that are decided and answered together, under one idempotency key or none. */
final class Ticket {

  /** Nodes that one batch takes in its usual time. */
  private static final int USUAL = 200;

  private final List<Submission> submissions;
  private final @Nullable Key key;
  private final CompletableFuture<List<Outcome>> answer = new CompletableFuture<>();
  private final AtomicBoolean claimed = new AtomicBoolean();
  private final AtomicBoolean answered = new AtomicBoolean();
  private final Map<Integer, Outcome> aside = new TreeMap<>();
  private final int weight;
  private final boolean news;
  private final Runnable before;

  Ticket(List<Submission> submissions, @Nullable Key key) {
    this(submissions, key, () -> {});
  }

  /**
   * @param before runs before the callers hear the answer
   */
  Ticket(List<Submission> submissions, @Nullable Key key, Runnable before) {
    this.before = before;
    this.submissions = List.copyOf(submissions);
    this.key = key;
    this.weight = submissions.stream().mapToInt(s -> weight(s.command())).sum();
    this.news = submissions.stream().allMatch(s -> s.command() instanceof Command.Report);
  }

  private static int weight(Command command) {
    return command instanceof Command.CreateAtomic atomic ? atomic.asks().size() : 1;
  }

  /** An inventory so large that deciding on it may take longer than a usual batch is allowed. */
  boolean isLarge() {
    return submissions.stream()
        .anyMatch(s -> s.command() instanceof Command.SetNodes set && set.nodes().size() > USUAL);
  }

  List<Submission> submissions() {
    return submissions;
  }

  /**
   * Whether the culprits among its submissions may be looked for: once, and where no rider acts.
   */
  boolean mayBeParted() {
    return submissions.size() > 1 && aside.isEmpty() && !isAlone();
  }

  /** These are not decided, but answered so. */
  void setAside(Map<Integer, Outcome> culprits) {
    aside.putAll(culprits);
  }

  /** The submissions that are decided. */
  List<Submission> decided() {
    List<Submission> decided = new ArrayList<>();
    for (int i = 0; i < submissions.size(); i++) {
      if (!aside.containsKey(i)) {
        decided.add(submissions.get(i));
      }
    }
    return decided;
  }

  /** The outcomes of all, from those of the decided. */
  List<Outcome> complete(List<Outcome> ofDecided) {
    List<Outcome> all = new ArrayList<>(ofDecided);
    aside.forEach(all::add);
    return List.copyOf(all);
  }

  @Nullable Key key() {
    return key;
  }

  CompletableFuture<List<Outcome>> answer() {
    return answer;
  }

  /** How many decisions it takes. */
  int weight() {
    return weight;
  }

  boolean isUrgent() {
    return submissions.stream().anyMatch(Submission::urgent);
  }

  /** What clusters report: nobody waits at a door for it. */
  boolean isNews() {
    return news;
  }

  /** Whether it must have a batch of its own: its rider can take the whole command back. */
  boolean isAlone() {
    return submissions.stream().anyMatch(s -> s.rider() != null);
  }

  /** The decider takes it, unless the caller has given up; or the reverse. True once only. */
  boolean claim() {
    return claimed.compareAndSet(false, true);
  }

  /** The first answer counts. */
  void answer(List<Outcome> outcomes) {
    if (answered.compareAndSet(false, true)) {
      before.run();
      answer.complete(outcomes);
    }
  }

  /** The same outcome for each submission. */
  void answer(Outcome outcome) {
    answer(new ArrayList<>(Collections.nCopies(submissions.size(), outcome)));
  }
}
