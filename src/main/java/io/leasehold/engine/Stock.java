package io.leasehold.engine;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of one model in one cluster, in the order of every search: by domain path, then by
 * ordinal. So each domain of any level is a run of neighbours. Two indexes say what each node has
 * free: at the instant of the clock, and for good.
 */
final class Stock {

  private static final Level[] LEVELS = Level.values();

  private static final Comparator<NodeTimeline> ORDER =
      Comparator.comparing((NodeTimeline each) -> each.node().domain(), Stock::compare)
          .thenComparingInt(each -> each.node().ordinal());

  private final String cluster;
  private final Supplier<Score> score;
  private final NodeTimeline[] nodes;

  /** For each level and node the number of its domain, from 0 upwards; -1 where it has none. */
  private final int[][] domains = new int[LEVELS.length][];

  /** The same, where nodes without a domain count as one together under one parent. */
  private final int[][] buckets = new int[LEVELS.length][];

  private final NodeIndex present;
  private final NodeIndex forGood;
  private final Ahead ahead = new Ahead(this);
  private final Turns turns;
  private final Turns ends;
  private final long[] firstStart;
  private final long[] lastStart;
  private final long[] firstEnd;
  private final NodeState state = new NodeState();
  private final Map<Over, List<UUID>> soonestFree = new HashMap<>();
  private final boolean[] possessed;
  private int possessedNodes;

  /** Filled when first asked for. */
  private final Map<UUID, Integer> indexes = new HashMap<>();

  private long clock;
  private int mostGpus;

  Stock(String cluster, List<NodeTimeline> members, Supplier<Score> score, long clock) {
    this.cluster = cluster;
    this.score = score;
    this.clock = clock;
    this.nodes = members.toArray(new NodeTimeline[0]);
    Arrays.sort(nodes, ORDER);
    this.present = new NodeIndex(nodes.length);
    this.forGood = new NodeIndex(nodes.length);
    this.turns = new Turns(nodes.length);
    this.ends = new Turns(nodes.length);
    this.possessed = new boolean[nodes.length];
    this.firstStart = new long[nodes.length];
    this.lastStart = new long[nodes.length];
    this.firstEnd = new long[nodes.length];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i].standIn(this, i);
      refresh(i);
    }
    for (Level level : LEVELS) {
      domains[level.ordinal()] = numbered(level);
      buckets[level.ordinal()] = bucketed(level);
    }
  }

  private static int compare(Domain one, Domain other) {
    for (Level level : LEVELS) {
      if (level != Level.NODE) {
        String a = one.at(level);
        String b = other.at(level);
        int order = a == null || b == null ? Boolean.compare(a != null, b != null) : a.compareTo(b);
        if (order != 0) {
          return order;
        }
      }
    }
    return 0;
  }

  private int[] numbered(Level level) {
    int[] numbers = new int[nodes.length];
    int next = -1;
    String last = null;
    for (int i = 0; i < nodes.length; i++) {
      String path = path(i, level);
      if (path == null) {
        numbers[i] = -1;
      } else {
        next += path.equals(last) ? 0 : 1;
        numbers[i] = next;
        last = path;
      }
    }
    return numbers;
  }

  private int[] bucketed(Level level) {
    int[] numbers = new int[nodes.length];
    for (int i = 1; i < numbers.length; i++) {
      boolean same =
          level != Level.NODE
              && sharesLevels(nodes[i].node().domain(), nodes[i - 1].node().domain(), level);
      numbers[i] = numbers[i - 1] + (same ? 0 : 1);
    }
    return numbers;
  }

  private static boolean sharesLevels(Domain one, Domain other, Level deepest) {
    for (Level level : LEVELS) {
      if (level.compareTo(deepest) <= 0 && !Objects.equals(one.at(level), other.at(level))) {
        return false;
      }
    }
    return true;
  }

  /** A node changed: brings the indexes up to it. */
  void refresh(int node) {
    soonestFree.clear();
    ahead.touch(node);
    mostGpus = Math.max(mostGpus, nodes[node].node().gpus().size());
    possessedNodes += nodes[node].isPossessed() ? 1 : 0;
    possessedNodes -= possessed[node] ? 1 : 0;
    possessed[node] = nodes[node].isPossessed();
    nodes[node].present(state, clock);
    present.put(node, state);
    nodes[node].forGood(state, clock);
    forGood.put(node, state);
    turns.set(node, state.turn);
    ends.set(node, Math.min(state.firstEnd, nodes[node].firstEndOfPossessed()));
    firstStart[node] = state.firstStart;
    lastStart[node] = state.lastStart;
    firstEnd[node] = state.firstEnd;
  }

  /**
   * What a node has free all over a time, from the indexes where they know it: where nothing more
   * starts, or where all that is held has a part in the time. If all of that meets at one instant,
   * its sum is exact, else more may be free than the numbers say.
   *
   * @param isNow the time begins at the clock
   */
  void over(int node, Over over, boolean isNow, NodeState state) {
    if (isNow && over.end() <= firstStart[node]) {
      present.get(node, state);
      state.shared = false;
    } else if (over.start() < firstEnd[node]
        && lastStart[node] < over.end()
        && !(over.due() && nodes[node].isPossessed())
        && !over.empty()) {
      forGood.get(node, state);
      boolean meet = lastStart[node] < firstEnd[node];
      state.changing = !meet;
      state.shared &= !meet;
    } else {
      nodes[node].over(state, over);
    }
  }

  /** Time passed: brings the indexes up to what starts and ends by itself. */
  void advance(long now) {
    boolean back = now < clock;
    if (now != clock) {
      soonestFree.clear();
    }
    clock = now;
    for (int i = 0; i < nodes.length && back; i++) {
      refresh(i);
    }
    int first = turns.first();
    while (first >= 0 && turns.turnOf(first) <= now) {
      refresh(first);
      first = turns.first();
    }
  }

  /** Nodes by when the first of what is held or possessed there is over; never before that. */
  Turns ends() {
    return ends;
  }

  /** Leases in the way over a time, soonest free first: found once until something changes. */
  List<UUID> soonestFree(Over over, Function<Over, List<UUID>> search) {
    return soonestFree.computeIfAbsent(over, search);
  }

  boolean isPossessed() {
    return possessedNodes > 0;
  }

  long clock() {
    return clock;
  }

  /** No node has more GPUs. */
  int mostGpus() {
    return mostGpus;
  }

  /** What is free in the time to come. */
  Ahead ahead() {
    return ahead;
  }

  NodeIndex present() {
    return present;
  }

  NodeIndex forGood() {
    return forGood;
  }

  /** The path of a node's domain at a level; null where it has none. */
  @Nullable String path(int node, Level level) {
    Node it = nodes[node].node();
    return level == Level.NODE ? it.domain().pathOf(it.name()) : it.domain().path(level);
  }

  String cluster() {
    return cluster;
  }

  /** What its nodes are measured with. */
  Score score() {
    return score.get();
  }

  int size() {
    return nodes.length;
  }

  NodeTimeline node(int index) {
    return nodes[index];
  }

  /** The index of a node; -1 where it is not in this stock. */
  int indexOf(UUID node) {
    if (indexes.isEmpty()) {
      for (int i = 0; i < nodes.length; i++) {
        indexes.put(nodes[i].node().id(), i);
      }
    }
    return indexes.getOrDefault(node, -1);
  }

  /** The number of a node's domain at a level; -1 where it has none. */
  int domain(int node, Level level) {
    return domains[level.ordinal()][node];
  }

  /** How many domains of a level there are. */
  int domains(Level level) {
    int most = -1;
    for (int number : domains[level.ordinal()]) {
      most = Math.max(most, number);
    }
    return most + 1;
  }

  /**
   * The number of what a node counts to at a level: its domain, or all that have none under the
   * same parent, since they may be in one domain for all that is known.
   */
  int bucket(int node, Level level) {
    return buckets[level.ordinal()][node];
  }

  /** The end of the run of nodes that count together at a level. */
  int bucketEnd(int from, int limit, Level level) {
    int[] numbers = buckets[level.ordinal()];
    int to = from + 1;
    while (to < limit && numbers[to] == numbers[from]) {
      to++;
    }
    return to;
  }

  /** The end of the run of nodes that share the domain of the node at {@code from}. */
  int runEnd(int from, int limit, @Nullable Level level) {
    if (level == null) {
      return limit;
    }
    int[] numbers = domains[level.ordinal()];
    int to = from + 1;
    while (to < limit && numbers[to] == numbers[from]) {
      to++;
    }
    return to;
  }
}
