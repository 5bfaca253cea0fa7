package io.leasehold.engine;

/**
 * How many items each node of a stock still takes, inside what the topology allows in one domain.
 * What is taken only ever makes it fewer.
 */
final class Rooms {

  private final Stock stock;
  private final Topology topology;
  private final int each;

  /** Items that still fit on each node. */
  private final int[] room;

  /** For each limit of the topology: pieces taken in each domain. */
  private final int[][] used;

  private final int[] tried;

  Rooms(Stock stock, Demand demand, Topology topology, int[] room) {
    this.stock = stock;
    this.topology = topology;
    this.each = demand.each();
    this.room = room;
    this.used = new int[topology.limits().size()][room.length];
    this.tried = new int[room.length];
  }

  int size() {
    return room.length;
  }

  int of(int node) {
    int more = room[node];
    for (int l = 0; l < used.length && more > 0 && each > 0; l++) {
      Topology.Limit limit = topology.limits().get(l);
      int left = limit.pieces() - used[l][stock.bucket(node, limit.level())];
      more = Math.min(more, Math.max(0, left) / each);
    }
    return more;
  }

  /** How many items fit from here to there, up to a number. */
  int fits(int from, int to, int items) {
    int sum = 0;
    int end = from;
    for (; end < to && sum < items; end++) {
      tried[end] = Math.min(of(end), items - sum);
      count(end, tried[end]);
      sum += tried[end];
    }
    for (int i = from; i < end; i++) {
      count(i, -tried[i]);
    }
    return sum;
  }

  void take(int node, int items) {
    room[node] -= items;
    count(node, items);
  }

  /** So many of the items are in the domains of a node, beside what it takes. */
  void count(int node, int items) {
    for (int l = 0; l < used.length; l++) {
      used[l][stock.bucket(node, topology.limits().get(l).level())] += items * each;
    }
  }
}
