package io.leasehold.engine;

import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A stock as one search sees it: what each node has free for the demand over the time asked for.
 * Whole GPUs and single fractions are counted from a few numbers, those of the index where nothing
 * on the node changes over the time; else the node is looked at in full.
 */
final class Window {

  /** Nodes whose numbers are read from end to end cost a step together. */
  private static final int NODES_PER_STEP = 64;

  private final Stock stock;
  private final Demand demand;
  private final Over over;
  private final Shape.Where where;
  private final Budget budget;
  private final @Nullable NodeIndex index;
  private final boolean forGood;
  private final boolean isOneShare;
  private final boolean byNumbers;
  private final boolean isAnywhere;

  /** The numbers of the node that was asked for last. */
  private final NodeState numbers = new NodeState();

  private int numbered = -1;
  private @Nullable Gap[] gaps;
  private boolean[] looked;

  /** Where the whole demand may lie; found when first asked for. */
  private @Nullable FreeLater ahead;

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
    this.isAnywhere = where.equals(Shape.Where.ANYWHERE);
    this.isOneShare = demand.mode() == Mode.SHARED && demand.pieces() == 1;
    this.byNumbers = demand.mode() == Mode.WHOLE || isOneShare;
  }

  /** Exact for each node. */
  static Window exact(Stock stock, Demand demand, Over over, Shape.Where where, Budget budget) {
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

  /** Every node that may take an item, in whatever order: all others take none. */
  void eachThatMayTakeOne(IntConsumer action) {
    each(demand, action);
  }

  /** Every node that has free pieces, in whatever order, or would if no mode were in the way. */
  void eachNotFull(IntConsumer action) {
    if (index == null && demand.mode() != Mode.WHOLE) {
      for (int i = 0; i < size(); i++) {
        action.accept(i);
      }
    } else {
      each(demand.ofOnePiece(), action);
    }
  }

  /**
   * The next node in order, from one on, that may take the whole demand; -1 if none is left. All
   * others do not.
   */
  int next(int from) {
    if (over.empty()) {
      return from < size() ? from : -1;
    }
    if (ahead == null) {
      ahead = stock.ahead().alone(demand, demand.items());
    }
    return ahead.next(from, over);
  }

  private void each(Demand what, IntConsumer action) {
    if (over.empty()) {
      for (int i = 0; i < size(); i++) {
        action.accept(i);
      }
      return;
    }
    if (index == null) {
      FreeLater later = stock.ahead().alone(what, 1);
      for (int i = later.next(0, over); i >= 0; i = later.next(i + 1, over)) {
        action.accept(i);
      }
      return;
    }
    for (int each = index.nextServing(0, what, 1);
        each >= 0;
        each = index.nextServing(each + 1, what, 1)) {
      for (int i = index.nextOf(each, 0); i >= 0; i = index.nextOf(each, i + 1)) {
        action.accept(i);
      }
    }
  }

  /** Whether all may fit, if no topology were in the way: false is sure, and cheap. */
  boolean mayFit(boolean onOneNode) {
    return index == null || index.mayServe(demand, onOneNode);
  }

  /** No more items fit on all nodes together, whatever the topology says. */
  long mostItems() {
    if (index != null && demand.mode() == Mode.WHOLE && demand.each() > 0) {
      return index.mostItems(demand);
    }
    long[] sum = new long[1];
    eachThatMayTakeOne(node -> sum[0] += items(node));
    return sum[0];
  }

  /** The budget pays for reading the numbers from end to end. */
  void payForAll() {
    budget.spend(1 + size() / NODES_PER_STEP);
  }

  void payForOne() {
    budget.spend();
  }

  boolean isAnywhere() {
    return isAnywhere;
  }

  boolean allows(int node) {
    return isAnywhere || stock.node(node).isAllowed(where);
  }

  private NodeState numbers(int node) {
    if (numbered != node) {
      if (forGood) {
        index.get(node, numbers);
      } else {
        stock.over(node, over, index != null, numbers);
      }
      numbered = node;
    }
    return numbers;
  }

  /** Items that fit; of a single fraction, whether it fits. */
  int items(int node) {
    if (isFull(node) || !allows(node)) {
      return 0;
    }
    if (byNumbers) {
      int items = itemsByNumbers(numbers(node));
      if (items > 0) {
        int sure = withHost(items);
        if (sure < Math.min(items, demand.items()) && numbers.changing) {
          stock.node(node).hostOver(numbers, over);
          sure = withHost(items);
        }
        return sure;
      }
      if (areExact(node)) {
        return 0;
      }
    }
    Gap gap = gap(node);
    return gap == null ? 0 : gap.items(demand);
  }

  /** Items that surely fit, as far as the numbers tell: never more than {@link #items}. */
  int sureItems(int node) {
    if (!byNumbers) {
      return items(node);
    }
    return isFull(node) || !allows(node) ? 0 : withHost(itemsByNumbers(numbers(node)));
  }

  private int withHost(int items) {
    return Math.min(
        items,
        Math.min(
            Gap.fits(numbers.cpu, demand.cpuMilli()),
            Gap.fits(numbers.memory, demand.memoryMiB())));
  }

  /** What is not even free now is not free over a time that begins now. */
  private boolean isFull(int node) {
    return index != null
        && byNumbers
        && (isOneShare
            ? !index.hasOneFree(node, demand.pieceMilli())
            : index.wholeOn(node) < demand.each());
  }

  private int itemsByNumbers(NodeState state) {
    if (isOneShare) {
      return state.whole > 0 || state.share >= demand.pieceMilli() ? 1 : 0;
    }
    return demand.each() == 0 ? state.closed ? 0 : demand.items() : state.whole / demand.each();
  }

  /** One fraction may find more free than the numbers say where others follow each other. */
  private boolean areExact(int node) {
    return demand.mode() == Mode.WHOLE || forGood || !numbers(node).shared;
  }

  /** Items that would fit if CPU and memory were plenty; of a single fraction, whether it would. */
  int itemsOfGpus(int node) {
    if (isFull(node) || !allows(node)) {
      return 0;
    }
    if (byNumbers) {
      int items = itemsByNumbers(numbers(node));
      if (items > 0 || areExact(node)) {
        return items;
      }
    }
    Gap gap = gap(node);
    return gap == null ? 0 : gap.itemsOfGpus(demand);
  }

  /** Free pieces. */
  int pieces(int node) {
    if (!allows(node)) {
      return 0;
    }
    if (byNumbers) {
      if (demand.mode() == Mode.WHOLE) {
        boolean none = index != null && index.wholeOn(node) == 0;
        return none ? 0 : numbers(node).whole;
      }
      if (itemsOfGpus(node) == 0) {
        return 0;
      }
    }
    Gap gap = gap(node);
    return gap == null ? 0 : gap.pieces().count();
  }

  /** Free pieces if neither mode nor layout mattered. */
  int loose(int node) {
    if (!allows(node) || demand.mode() == Mode.WHOLE || (byNumbers && hasNoOtherMode(node))) {
      return pieces(node);
    }
    Gap gap = gap(node);
    return gap == null ? 0 : gap.pieces().loose();
  }

  private boolean hasNoOtherMode(int node) {
    return numbers(node).partial == numbers.share;
  }

  /** What it costs to lay so many items on a node. */
  long cost(int node, int items) {
    return stock.score().ofSize(stock.node(node).node().gpus().size()) + change(node, items);
  }

  private long change(int node, int items) {
    if (!byNumbers) {
      return gap(node).cost(stock.score(), demand, items);
    }
    NodeState state = numbers(node);
    int milli = items * demand.each() * demand.pieceMilli();
    int wholeAfter =
        demand.mode() == Mode.WHOLE
            ? state.whole - items * demand.each()
            : state.share >= milli ? state.whole : Math.max(0, state.whole - 1);
    Score score = stock.score();
    Score.Free before = new Score.Free(state.milli, state.whole, state.cpu);
    long cost = score.of(before, before.less(milli, wholeAfter, items * demand.cpuMilli()));
    return isOneShare ? cost + score.ofHole(Holes.smallest(state.holes, milli), milli) : cost;
  }

  /** The node itself; null where nothing on it may be chosen. */
  private @Nullable Gap gap(int node) {
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
