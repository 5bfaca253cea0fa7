package io.leasehold.engine;

/**
 * The nodes of a stock by class: carries plans or not, whole GPUs free, the most free on an open
 * GPU, free CPU. Nodes of a class are found in the order of the stock. What is in it is a function
 * of the states put in, never of the order in which they came.
 */
final class NodeIndex {

  /** The commonest fractions asked for; a class begins at each. */
  private static final int[] PARTIALS = {1, 230, 320, 470, 650, 810};

  /** The commonest amounts of CPU asked for, in thousandths of a core. */
  private static final long[] CPUS = {
    1, 4_000, 6_000, 8_000, 12_000, 16_000, 24_000, 32_000, 48_000, 64_000, 96_000
  };

  private static final int PARTIAL_CLASSES = PARTIALS.length + 1;
  private static final int CPU_CLASSES = CPUS.length + 1;
  private static final int PER_WHOLE = PARTIAL_CLASSES * CPU_CLASSES;
  private static final int PLAIN = (Node.MOST_GPUS + 1) * PER_WHOLE;

  private final int[] whole;
  private final int[] milli;
  private final int[] share;
  private final int[] partial;
  private final long[] cpu;
  private final long[] memory;
  private final boolean[] plans;
  private final boolean[] shared;
  private final long[] holes;
  private final Bits[] withHole = new Bits[Holes.CLASSES];

  private final int[] classOf;
  private final Bits[] members = new Bits[2 * PLAIN];
  private final int[] sizes = new int[2 * PLAIN];
  private final Bits inUse = new Bits(2 * PLAIN);

  NodeIndex(int size) {
    whole = new int[size];
    milli = new int[size];
    share = new int[size];
    partial = new int[size];
    cpu = new long[size];
    memory = new long[size];
    plans = new boolean[size];
    shared = new boolean[size];
    holes = new long[size];
    classOf = new int[size];
    java.util.Arrays.fill(classOf, -1);
  }

  void put(int node, NodeState state) {
    whole[node] = state.whole;
    milli[node] = state.milli;
    share[node] = state.share;
    partial[node] = state.partial;
    cpu[node] = state.cpu;
    memory[node] = state.memory;
    plans[node] = state.plans;
    shared[node] = state.shared;
    putHoles(node, state.closed ? 0 : state.holes);
    int number = state.closed ? -1 : classOf(state);
    if (number != classOf[node]) {
      leave(node, classOf[node]);
      join(node, number);
      classOf[node] = number;
    }
  }

  private void putHoles(int node, long after) {
    for (long left = holes[node] ^ after; left != 0; left &= left - 1) {
      int hole = Long.numberOfTrailingZeros(left);
      if (withHole[hole] == null) {
        withHole[hole] = new Bits(classOf.length);
      }
      if ((after >>> hole & 1) == 1) {
        withHole[hole].add(node);
      } else {
        withHole[hole].remove(node);
      }
    }
    holes[node] = after;
  }

  /** The next node, from this one on, that has a hole of a class; -1 = none. */
  int nextWithHole(int hole, int from) {
    return withHole[hole] == null ? -1 : withHole[hole].next(from);
  }

  /** What was put in for a node. */
  void get(int node, NodeState state) {
    state.whole = whole[node];
    state.milli = milli[node];
    state.share = share[node];
    state.partial = partial[node];
    state.cpu = cpu[node];
    state.memory = memory[node];
    state.plans = plans[node];
    state.changing = false;
    state.shared = shared[node];
    state.holes = holes[node];
    state.closed = classOf[node] < 0;
  }

  private static int classOf(NodeState state) {
    int partial = 0;
    while (partial < PARTIALS.length && state.partial >= PARTIALS[partial]) {
      partial++;
    }
    int cpu = 0;
    while (cpu < CPUS.length && state.cpu >= CPUS[cpu]) {
      cpu++;
    }
    return (state.plans ? 0 : PLAIN)
        + (state.whole * PARTIAL_CLASSES + partial) * CPU_CLASSES
        + cpu;
  }

  private void leave(int node, int number) {
    if (number >= 0) {
      members[number].remove(node);
      sizes[number]--;
      if (members[number].isEmpty()) {
        inUse.remove(number);
      }
    }
  }

  private void join(int node, int number) {
    if (number >= 0) {
      if (members[number] == null) {
        members[number] = new Bits(classOf.length);
      }
      members[number].add(node);
      sizes[number]++;
      inUse.add(number);
    }
  }

  /** Whether nodes of a class may take so many items: false is sure. */
  static boolean mayServe(int number, Demand demand, int items) {
    boolean gpus =
        demand.mode() == Mode.WHOLE
            ? wholeOf(number) >= items * demand.each()
            : wholeOf(number) > 0 || mayHavePartial(number, demand.pieceMilli());
    return gpus && mayHaveCpu(number, items * demand.cpuMilli());
  }

  /**
   * Whether all items of a demand may lie on nodes that this index knows, if no topology is in the
   * way: false is sure. Counts classes, not nodes.
   */
  boolean mayServe(Demand demand, boolean onOneNode) {
    int wanted = onOneNode ? demand.items() : 1;
    boolean countsGpus = demand.mode() == Mode.WHOLE && demand.each() > 0 && !onOneNode;
    long items = 0;
    for (int each = nextServing(0, demand, wanted);
        each >= 0;
        each = nextServing(each + 1, demand, wanted)) {
      items += countsGpus ? (long) sizes[each] * (wholeOf(each) / demand.each()) : demand.items();
      if (items >= demand.items()) {
        return true;
      }
    }
    return false;
  }

  /** Items of whole GPUs that all nodes take together, or more: each class counts as its widest. */
  long mostItems(Demand demand) {
    long items = 0;
    for (int each = nextServing(0, demand, 1); each >= 0; each = nextServing(each + 1, demand, 1)) {
      items += (long) sizes[each] * (wholeOf(each) / demand.each());
    }
    return items;
  }

  /** Whether a node may take a piece of a demand: false is sure. */
  boolean mayTakePiece(int node, Demand demand) {
    int free = demand.mode() == Mode.WHOLE ? whole[node] : milli[node];
    return classOf[node] >= 0 && free > 0;
  }

  boolean hasPlans(int node) {
    return plans[node];
  }

  /** GPUs on a node that nothing lies on. */
  int wholeOn(int node) {
    return whole[node];
  }

  /** Whether one GPU of a node has so many thousandths for a fraction. */
  boolean hasOneFree(int node, int milliWanted) {
    return whole[node] > 0 || share[node] >= milliWanted;
  }

  /**
   * The next class, from this one on, that may take so many items on a node; those with plans come
   * first. -1 = none.
   */
  int nextServing(int from, Demand demand, int items) {
    int pieces = demand.mode() == Mode.WHOLE ? items * demand.each() : 0;
    int number = inUse.next(atLeast(from, pieces));
    while (number >= 0 && !mayServe(number, demand, items)) {
      number = inUse.next(atLeast(number + 1, pieces));
    }
    return number;
  }

  /** The next node of a class, from this one on; -1 = none. */
  int nextOf(int number, int from) {
    return members[number].next(from);
  }

  static boolean hasPlansIn(int number) {
    return number < PLAIN;
  }

  /** Whole GPUs free on each node of a class. */
  static int wholeOf(int number) {
    return number % PLAIN / PER_WHOLE;
  }

  /** The first class from this one on with so many whole GPUs free. */
  static int atLeast(int number, int whole) {
    int base = number < PLAIN ? 0 : PLAIN;
    return Math.max(number, base + Math.min(whole, Node.MOST_GPUS + 1) * PER_WHOLE);
  }

  /** Whether some node of a class may have so much free on an open GPU. */
  static boolean mayHavePartial(int number, int milli) {
    int partial = number / CPU_CLASSES % PARTIAL_CLASSES;
    return partial == PARTIALS.length || milli < PARTIALS[partial];
  }

  /** Whether some node of a class may have so much CPU free. */
  static boolean mayHaveCpu(int number, long milli) {
    int cpu = number % CPU_CLASSES;
    return cpu == CPUS.length || milli < CPUS[cpu];
  }
}
