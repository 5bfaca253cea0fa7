package io.leasehold.engine;

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
    throw new UnsupportedOperationException();
  }

  /** Everything that waits, in order. */
  public static List<Place> queue(Book book, long now) {
    throw new UnsupportedOperationException();
  }

  /** The live answer of a waiting or planned lease: position, expected start, reasons. */
  public static Answer explain(Book book, UUID lease, long now) {
    throw new UnsupportedOperationException();
  }

  /** The laws I1, I2, I8 on this book; empty when they hold. One sentence for each fault. */
  public static List<String> audit(Book book) {
    throw new UnsupportedOperationException();
  }
}
