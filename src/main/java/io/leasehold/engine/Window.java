package io.leasehold.engine;

import org.jspecify.annotations.Nullable;

/**
 * A stock as one search sees it: what each node has free for the demand over the time asked for.
 * Reads the numbers of the index where they say it exactly, looks at the node itself otherwise.
 */
final class Window {

  /** Nodes whose indexed numbers are read cost a step together. */
  private static final int NODES_PER_STEP = 64;

  private final Stock stock;
  private final Demand demand;
  private final Over over;
  private final Shape.Where where;
  private final Budget budget;
  private final @Nullable NodeIndex index;
  private final boolean forGood;
  private @Nullable Gap[] gaps;
  private boolean[] looked;

  private Window(
      Stock stock,
      Demand demand,
      Over over,
      Shape.Where where,
      Budget budget,
      @Nullable NodeIndex index,
      boolean forGood) {
    this.stock = stock;
    this.demand = demand;
    this.over = over;
    this.where = where;
    this.budget = budget;
    this.index = index;
    this.forGood = forGood;
  }

  /** Exact for each node. */
  static Window exact(
      Stock stock, Demand demand, Over over, Shape.Where where, Budget budget) {
    NodeIndex index = over.due() && over.start() == stock.clock() ? stock.present() : null;
    return new Window(stock, demand, over, where, budget, index, false);
  }

  /** The same by what is free for good: never more than is free over the time asked for. */
  Window forGood() {
    return new Window(stock, demand, over, where, budget, stock.forGood(), true);
  }

  Stock stock() {
    return stock;
  }

  Demand demand() {
    return demand;
  }

  Over over() {
    return over;
  }

  int size() {
    return stock.size();
  }

  /** The index whose classes lead to candidates; null where there is none for this time. */
  @Nullable NodeIndex index() {
    return index;
  }

  /** The budget pays for reading the index from end to end. */
  void payForAll() {
    budget.spend(1 + size() / NODES_PER_STEP);
  }

  void payForOne() {
    budget.spend();
  }

  boolean allows(int node) {
    return where == Shape.Where.ANYWHERE || stock.node(node).isAllowed(where);
  }

  /** Whether the index says exactly what this node has: nothing on it changes over the time. */
  private boolean isIndexed(int node) {
    return index != null
        && (forGood || !index.plans[node])
        && (demand.mode() == Mode.WHOLE || isOneShare());
  }

  private boolean isOneShare() {
    return demand.mode() == Mode.SHARED && demand.pieces() == 1;
  }

  /** Items that fit; of a single fraction, whether it fits. */
  int items(int node) {
    if (!allows(node)) {
      return 0;
    }
    if (!isIndexed(node)) {
      Gap gap = gap(node);
      return gap == null ? 0 : gap.items(demand);
    }
    int items = itemsOfIndexed(node);
    return items == 0
        ? 0
        : Math.min(
            items,
            Math.min(
                Gap.fits(index.cpu[node], demand.cpuMilli()),
                Gap.fits(index.memory[node], demand.memoryMiB())));
  }

  private int itemsOfIndexed(int node) {
    if (isOneShare()) {
      return index.whole[node] > 0 || index.share[node] >= demand.pieceMilli() ? 1 : 0;
    }
    return demand.each() == 0
        ? index.milli[node] > 0 ? demand.items() : 0
        : index.whole[node] / demand.each();
  }

  /** Items that would fit if CPU and memory were plenty; of a single fraction, whether it would. */
  int itemsOfGpus(int node) {
    if (!allows(node)) {
      return 0;
    }
    if (isIndexed(node)) {
      return itemsOfIndexed(node);
    }
    Gap gap = gap(node);
    return gap == null ? 0 : gap.itemsOfGpus(demand);
  }

  /** Free pieces. */
  int pieces(int node) {
    if (!allows(node)) {
      return 0;
    }
    if (isIndexed(node) && demand.mode() == Mode.WHOLE) {
      return index.whole[node];
    }
    Gap gap = gap(node);
    return gap == null ? 0 : gap.pieces().count();
  }

  /** Free pieces if neither mode nor layout mattered. */
  int loose(int node) {
    if (!allows(node) || demand.mode() == Mode.WHOLE) {
      return pieces(node);
    }
    Gap gap = gap(node);
    return gap == null ? 0 : gap.pieces().loose();
  }

  /** What it costs to lay so many items on a node. */
  long cost(int node, int items) {
    if (!isIndexed(node)) {
      return gap(node).cost(demand, items);
    }
    int whole = index.whole[node];
    int milli = items * demand.each() * demand.pieceMilli();
    int wholeAfter =
        demand.mode() == Mode.WHOLE
            ? whole - items * demand.each()
            : index.share[node] >= milli ? whole : whole - 1;
    return Score.of(
        index.milli[node], whole, index.cpu[node], milli, wholeAfter, items * demand.cpuMilli());
  }

  /** The node itself; null where nothing on it may be chosen. */
  @Nullable Gap gap(int node) {
    if (looked == null) {
      looked = new boolean[size()];
      gaps = new Gap[size()];
    }
    if (!looked[node]) {
      budget.spend();
      looked[node] = true;
      gaps[node] = stock.node(node).gap(demand, over);
    }
    return gaps[node];
  }
}
