package io.leasehold.fleet;

import java.util.function.Function;

/**
 * A thing as it stands after a change.
 *
 * @param how what the change did
 */
public record Written<T>(T value, How how) {

  public <R> Written<R> map(Function<T, R> view) {
    return new Written<>(view.apply(value), how);
  }

  /** What a change did. */
  public enum How {
    CREATED,
    CHANGED,
    /** It was so already. */
    UNCHANGED,
    /** The idempotency key had been answered before: this is that answer. */
    REPLAYED
  }
}
