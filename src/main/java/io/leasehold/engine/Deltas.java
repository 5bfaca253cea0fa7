package io.leasehold.engine;

import org.jspecify.annotations.Nullable;

/**
 * A sum over time, kept by its changes: finds in logarithmic time where it first reaches a number
 * or falls below one, and where something ends, whether or not that changes the sum. A treap whose
 * shape depends on the instants alone, with the least and the most of the partial sums of each
 * subtree.
 */
final class Deltas {

  private @Nullable Change root;

  private static final class Change {
    final long instant;
    final long priority;
    long by;
    int ends;
    int allEnds;
    long sum;
    long least;
    long most;
    @Nullable Change left;
    @Nullable Change right;

    Change(long instant) {
      this.instant = instant;
      this.priority = mixed(instant);
    }

    void count() {
      long here = (left == null ? 0 : left.sum) + by;
      sum = here + (right == null ? 0 : right.sum);
      least = here;
      most = here;
      allEnds = ends + (left == null ? 0 : left.allEnds) + (right == null ? 0 : right.allEnds);
      if (left != null) {
        least = Math.min(least, left.least);
        most = Math.max(most, left.most);
      }
      if (right != null) {
        least = Math.min(least, here + right.least);
        most = Math.max(most, here + right.most);
      }
    }

    /** As good as random, and the same in every copy of a book. */
    private static long mixed(long value) {
      long mixed = (value ^ (value >>> 31)) * 0x9E3779B97F4A7C15L;
      mixed = (mixed ^ (mixed >>> 27)) * 0xBF58476D1CE4E5B9L;
      return mixed ^ (mixed >>> 33);
    }
  }

  /** The sum changes by so much at an instant where so many end, on top of what was there. */
  void add(long instant, long by, int ends) {
    if (by != 0 || ends != 0) {
      root = added(root, instant, by, ends);
    }
  }

  private static @Nullable Change added(@Nullable Change known, long instant, long by, int ends) {
    Change at = known == null ? new Change(instant) : known;
    Change top = at;
    if (instant == at.instant) {
      at.by += by;
      at.ends += ends;
      if (at.by == 0 && at.ends == 0) {
        return joined(at.left, at.right);
      }
    } else if (instant < at.instant) {
      Change left = added(at.left, instant, by, ends);
      at.left = left;
      if (left != null && left.priority > at.priority) {
        at.left = left.right;
        left.right = at;
        top = left;
      }
    } else {
      Change right = added(at.right, instant, by, ends);
      at.right = right;
      if (right != null && right.priority > at.priority) {
        at.right = right.left;
        right.left = at;
        top = right;
      }
    }
    at.count();
    top.count();
    return top;
  }

  private static @Nullable Change joined(@Nullable Change left, @Nullable Change right) {
    if (left == null || right == null) {
      return left == null ? right : left;
    }
    if (left.priority > right.priority) {
      left.right = joined(left.right, right);
      left.count();
      return left;
    }
    right.left = joined(left, right.left);
    right.count();
    return right;
  }

  /** The first instant, from one on, at which the sum is at least a number; FOREVER if never. */
  long firstAtLeast(long from, long number) {
    return at(from) >= number ? from : first(root, 0, from, number, true);
  }

  /** The first instant, from one on, at which the sum is below a number; FOREVER if never. */
  long firstBelow(long from, long number) {
    return at(from) < number ? from : first(root, 0, from, number, false);
  }

  /** The first instant after another at which something ends; FOREVER if nothing does. */
  long nextEnd(long after) {
    return nextEnd(root, after);
  }

  private static long nextEnd(@Nullable Change at, long after) {
    if (at == null || at.allEnds == 0) {
      return Span.FOREVER;
    }
    if (at.instant <= after) {
      return nextEnd(at.right, after);
    }
    long sooner = nextEnd(at.left, after);
    if (sooner != Span.FOREVER) {
      return sooner;
    }
    return at.ends > 0 ? at.instant : nextEnd(at.right, after);
  }

  long at(long instant) {
    long sum = 0;
    for (Change at = root; at != null; ) {
      if (at.instant <= instant) {
        sum += at.by + (at.left == null ? 0 : at.left.sum);
        at = at.right;
      } else {
        at = at.left;
      }
    }
    return sum;
  }

  /** Where the sum passes the number first, after an instant, upwards or downwards. */
  private static long first(
      @Nullable Change at, long before, long after, long number, boolean upwards) {
    if (at == null || (upwards ? before + at.most < number : before + at.least >= number)) {
      return Span.FOREVER;
    }
    long here = before + (at.left == null ? 0 : at.left.sum) + at.by;
    if (at.instant > after) {
      long sooner = first(at.left, before, after, number, upwards);
      if (sooner != Span.FOREVER) {
        return sooner;
      }
      if (upwards ? here >= number : here < number) {
        return at.instant;
      }
    }
    return first(at.right, here, after, number, upwards);
  }
}
