package io.leasehold.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How many items the nodes of each domain have free together, over time. A bound like {@link
 * FreeLater}: where there are too few at any one instant of a hold, it surely does not fit.
 */
final class FreeTogether {

  private static final long EVER = Long.MIN_VALUE;

  private final Stock stock;
  private final Demand item;
  private final @Nullable Level level;
  private final Deltas[] domains;

  /** What each node gave to its domain, to be taken back where it changes. */
  private final Leaf[] leaves;

  private final Touched touched;
  private final Sweep sweep;

  /**
   * @param level of the domains; null = the stock is one
   */
  FreeTogether(Stock stock, Demand item, @Nullable Level level) {
    this.stock = stock;
    this.item = item;
    this.level = level;
    this.domains = new Deltas[level == null ? 1 : stock.domains(level)];
    Arrays.setAll(domains, _ -> new Deltas());
    this.leaves = new Leaf[stock.size()];
    Arrays.fill(leaves, new Leaf());
    this.touched = new Touched(stock.size());
    this.sweep = new Sweep(item);
  }

  Demand item() {
    return item;
  }

  void touch(int node) {
    touched.add(node);
  }

  int domains() {
    return domains.length;
  }

  /**
   * The first start after an instant and up to another, in whole seconds, at which something has
   * just ended and the domain may have so many items free for so long; FOREVER if there is none.
   */
  long next(int domain, long after, long latest, int items, long length) {
    touched.each(this::look);
    Deltas free = domains[domain];
    long end = free.nextEnd(after - Math.floorMod(after, Time.SECOND));
    while (end <= latest) {
      long enough = free.firstAtLeast(end, items);
      long start = Time.roundUp(enough);
      if (start > latest) {
        return Span.FOREVER;
      }
      long below = free.firstBelow(enough, items);
      if (below == Span.FOREVER || below - start >= length) {
        return start;
      }
      end = below;
    }
    return Span.FOREVER;
  }

  private void look(int node) {
    int domain = level == null ? 0 : stock.domain(node, level);
    if (domain < 0) {
      return;
    }
    Leaf leaf = new Leaf();
    long clock = stock.clock();
    sweep.over(
        stock.node(node),
        new Span(clock, Span.FOREVER),
        instant -> {
          boolean first = instant == clock;
          leaf.add(first ? EVER : instant, sweep.items(), first ? 0 : sweep.ended());
          return true;
        });
    leaves[node].become(leaf, domains[domain]);
    leaves[node] = leaf;
  }

  /** The changes of one node; what is free at first has been so for ever. */
  private static final class Leaf {
    private long[] instants = new long[8];
    private int[] changes = new int[8];
    private int[] ends = new int[8];
    private int size;
    private int last;

    void add(long instant, int items, int ended) {
      if (items == last && ended == 0) {
        return;
      }
      if (size == instants.length) {
        instants = Arrays.copyOf(instants, 2 * size);
        changes = Arrays.copyOf(changes, 2 * size);
        ends = Arrays.copyOf(ends, 2 * size);
      }
      instants[size] = instant;
      changes[size] = items - last;
      ends[size++] = ended;
      last = items;
    }

    /** Takes back of a domain's sum what another no longer says, and adds what is new in it. */
    void become(Leaf other, Deltas sum) {
      int mine = 0;
      int its = 0;
      while (mine < size || its < other.size) {
        long instant = Math.min(instant(mine), other.instant(its));
        int by = 0;
        int more = 0;
        if (instant(mine) == instant) {
          by -= changes[mine];
          more -= ends[mine++];
        }
        if (other.instant(its) == instant) {
          by += other.changes[its];
          more += other.ends[its++];
        }
        sum.add(instant, by, more);
      }
    }

    private long instant(int at) {
      return at < size ? instants[at] : Span.FOREVER;
    }
  }
}
