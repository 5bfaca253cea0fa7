package io.leasehold.ledger;

import io.leasehold.engine.Command;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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

  void answer(List<Outcome> outcomes) {
    before.run();
    answer.complete(outcomes);
  }

  /** The same outcome for each submission. */
  void answer(Outcome outcome) {
    answer(new ArrayList<>(Collections.nCopies(submissions.size(), outcome)));
  }
}
