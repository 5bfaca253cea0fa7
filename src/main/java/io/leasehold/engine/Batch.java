package io.leasehold.engine;

import java.util.List;

/**
 * What a batch of commands came to.
 *
 * @param at the instant of the decisions, microseconds
 * @param decisions one for each command, in the order given
 * @param moves every change of the book, in order
 */
public record Batch(long at, List<Decision> decisions, List<Move> moves, List<Reasoned> answers) {

  public Batch {
    decisions = List.copyOf(decisions);
    moves = List.copyOf(moves);
    answers = List.copyOf(answers);
  }

  /** A lease whose answer changed in this batch (also of leases nobody asked about). */
  public record Reasoned(java.util.UUID lease, Answer answer) {}
}
