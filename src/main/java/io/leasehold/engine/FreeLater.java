package io.leasehold.engine;

import java.util.Arrays;

/**
 * The nodes of a stock by when an item is free there: for good from some instant on, or before that
 * in gaps between what is held. A tree of bounds: what it leaves out surely has no room, what it
 * leads to must be looked at. Its order is that of the stock, whatever happened before. A node that
 * changed may be free at any time until a search comes to it.
 */
final class FreeLater {

  /** The earliest start on a node after an instant and up to another; FOREVER if there is none. */
  interface OnNode {
    long start(int node, long after, long latest);
  }

  private final Stock stock;
  private final Demand item;
  private final int leaves;

  /** From when it is free for good, the earliest of a subtree. */
  private final long[] forGood;

  /** When the first gap begins, the earliest of a subtree. */
  private final long[] gap;

  /** The longest gap of a subtree. */
  private final long[] longest;

  private final Touched touched;

  /** Nodes that changed and that no search has come to since, and some that one has. */
  private final Touched waiting;

  private final boolean[] unseen;
  private final Sweep sweep;

  /**
   * @param item one item, all of which lies on one node
   */
  FreeLater(Stock stock, Demand item) {
    this.stock = stock;
    this.item = item;
    this.leaves = Integer.highestOneBit(Math.max(1, 2 * stock.size() - 1));
    this.forGood = new long[2 * leaves];
    this.gap = new long[2 * leaves];
    this.longest = new long[2 * leaves];
    Arrays.fill(forGood, Span.FOREVER);
    Arrays.fill(gap, Span.FOREVER);
    this.touched = new Touched(stock.size());
    this.waiting = new Touched(stock.size());
    this.unseen = new boolean[stock.size()];
    this.sweep = new Sweep(item);
  }

  Demand item() {
    return item;
  }

  void touch(int node) {
    touched.add(node);
  }

  /** The next node in order, from one on, that may be free all over a time; -1 if none is. */
  int next(int from, Over over) {
    refresh();
    int node = from >= stock.size() ? -1 : next(1, 0, leaves, from, over.start(), over.end());
    while (node >= 0 && unseen[node]) {
      see(node);
      node = next(1, 0, leaves, node, over.start(), over.end());
    }
    return node;
  }

  private int next(int at, int first, int count, int from, long start, long end) {
    if (first + count <= from || !mayBeFree(at, start, end)) {
      return -1;
    }
    if (count == 1) {
      return first;
    }
    int half = count / 2;
    int left = next(2 * at, first, half, from, start, end);
    return left >= 0 ? left : next(2 * at + 1, first + half, half, from, start, end);
  }

  private boolean mayBeFree(int at, long start, long end) {
    return forGood[at] <= start || (gap[at] <= start && longest[at] >= end - start);
  }

  /**
   * The earliest start of all nodes after an instant: those that may be free first are looked at
   * first, until no other can be earlier.
   */
  long earliest(long after, long latest, long length, OnNode look) {
    refresh();
    waiting.each(this::see);
    long best = earliest(1, after, latest, length, look);
    return best > latest ? Span.FOREVER : best;
  }

  private long earliest(int at, long after, long latest, long length, OnNode look) {
    if (bound(at, length) > latest) {
      return Span.FOREVER;
    }
    if (at >= leaves) {
      return look.start(at - leaves, after, latest);
    }
    int sooner = bound(2 * at, length) <= bound(2 * at + 1, length) ? 2 * at : 2 * at + 1;
    long best = earliest(sooner, after, latest, length, look);
    long before = best == Span.FOREVER ? latest : best - 1;
    return Math.min(best, earliest(sooner ^ 1, after, before, length, look));
  }

  private long bound(int at, long length) {
    return longest[at] >= length ? Math.min(gap[at], forGood[at]) : forGood[at];
  }

  private void refresh() {
    boolean many = touched.size() > leaves / 8;
    touched.each(
        node -> {
          unseen[node] = true;
          waiting.add(node);
          forGood[leaves + node] = Long.MIN_VALUE;
          if (!many) {
            bringUp(node);
          }
        });
    for (int at = leaves - 1; at > 0 && many; at--) {
      bring(at);
    }
  }

  private void see(int node) {
    if (unseen[node]) {
      unseen[node] = false;
      look(node);
      bringUp(node);
    }
  }

  private void bringUp(int node) {
    for (int at = (leaves + node) >> 1; at > 0; at >>= 1) {
      bring(at);
    }
  }

  private void bring(int at) {
    forGood[at] = Math.min(forGood[2 * at], forGood[2 * at + 1]);
    gap[at] = Math.min(gap[2 * at], gap[2 * at + 1]);
    longest[at] = Math.max(longest[2 * at], longest[2 * at + 1]);
  }

  private void look(int node) {
    int leaf = leaves + node;
    gap[leaf] = Span.FOREVER;
    longest[leaf] = 0;
    forGood[leaf] = Span.FOREVER;
    sweep.over(
        stock.node(node), new Span(stock.clock(), Span.FOREVER), instant -> sees(leaf, instant));
  }

  /** What is free stays so for good until something else turns up. */
  private boolean sees(int leaf, long instant) {
    boolean free = sweep.items() > 0;
    if (free) {
      forGood[leaf] = Math.min(forGood[leaf], instant);
    } else if (forGood[leaf] != Span.FOREVER) {
      gap[leaf] = Math.min(gap[leaf], forGood[leaf]);
      longest[leaf] = Math.max(longest[leaf], instant - forGood[leaf]);
      forGood[leaf] = Span.FOREVER;
    }
    return !(free && sweep.onlyEnds());
  }
}
