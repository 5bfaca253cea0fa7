package io.leasehold.replay;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What every node of a replay has free. Each policy's choice is taken here, the engine's as well,
 * and refused loudly if it takes what is not free.
 */
final class Racks {

  /**
   * Where a request lies.
   *
   * @param gpus the GPUs taken: bit {@code k} set = GPU {@code k}; none of a request without
   */
  record Spot(int node, long gpus) {}

  private record Taken(Request request, Spot spot) {}

  final List<Machine> machines;

  private final long[] cpu;
  private final long[] memory;
  private final int[][] gpus;
  private final int[] milli;
  private final Map<Integer, Taken> taken = new HashMap<>();
  private final long totalMilli;
  private long takenMilli;

  Racks(List<Machine> machines) {
    this.machines = machines;
    int size = machines.size();
    cpu = new long[size];
    memory = new long[size];
    gpus = new int[size][];
    milli = new int[size];
    for (int i = 0; i < size; i++) {
      Machine each = machines.get(i);
      cpu[i] = each.cpuMilli();
      memory[i] = each.memoryMiB();
      gpus[i] = new int[each.gpus()];
      java.util.Arrays.fill(gpus[i], Request.WHOLE);
      milli[i] = each.gpus() * Request.WHOLE;
    }
    totalMilli = gpuMilli(machines);
  }

  static long gpuMilli(List<Machine> machines) {
    return machines.stream().mapToLong(each -> (long) each.gpus() * Request.WHOLE).sum();
  }

  int size() {
    return machines.size();
  }

  long cpu(int node) {
    return cpu[node];
  }

  /** Free thousandths of GPUs of a node. */
  int milli(int node) {
    return milli[node];
  }

  /** Free thousandths of each GPU of a node; not to be changed. */
  int[] gpus(int node) {
    return gpus[node];
  }

  /** GPUs of a node that nothing lies on. */
  int whole(int node) {
    int whole = 0;
    for (int free : gpus[node]) {
      whole += free == Request.WHOLE ? 1 : 0;
    }
    return whole;
  }

  double allocatedPercent() {
    return 100.0 * takenMilli / totalMilli;
  }

  int live() {
    return taken.size();
  }

  boolean fits(int node, Request request) {
    return cpu[node] >= request.cpuMilli()
        && memory[node] >= request.memoryMiB()
        && milli[node] >= request.gpuMilli()
        && (request.models().isEmpty() || request.models().contains(machines.get(node).model()))
        && (request.isFraction()
            ? fullest(node, request.milli()) >= 0
            : request.gpus() == 0 || whole(node) >= request.gpus());
  }

  /** The fullest GPU of a node that has so much free; the first of equals, -1 if there is none. */
  int fullest(int node, int wanted) {
    int best = -1;
    for (int gpu = 0; gpu < gpus[node].length; gpu++) {
      int free = gpus[node][gpu];
      if (free >= wanted && (best < 0 || free < gpus[node][best])) {
        best = gpu;
      }
    }
    return best;
  }

  /**
   * The spot of a request on a node that it fits on: fullest GPU for a fraction, else the first.
   */
  Spot spot(int node, Request request) {
    if (request.isFraction()) {
      return new Spot(node, 1L << fullest(node, request.milli()));
    }
    long mask = 0;
    for (int gpu = 0; Long.bitCount(mask) < request.gpus(); gpu++) {
      if (gpus[node][gpu] == Request.WHOLE) {
        mask |= 1L << gpu;
      }
    }
    return new Spot(node, mask);
  }

  void take(int id, Request request, Spot spot) {
    move(request, spot, 1);
    taken.put(id, new Taken(request, spot));
  }

  /** Gives back what a request took; nothing if it took nothing. */
  void give(int id) {
    Taken of = taken.remove(id);
    if (of != null) {
      move(of.request(), of.spot(), -1);
    }
  }

  private void move(Request request, Spot spot, int sign) {
    int node = spot.node();
    cpu[node] -= sign * request.cpuMilli();
    memory[node] -= sign * request.memoryMiB();
    milli[node] -= sign * request.gpuMilli();
    takenMilli += (long) sign * request.gpuMilli();
    boolean wrong =
        cpu[node] < 0 || memory[node] < 0 || Long.bitCount(spot.gpus()) != request.gpus();
    for (long left = spot.gpus(); left != 0; left &= left - 1) {
      int gpu = Long.numberOfTrailingZeros(left);
      gpus[node][gpu] -= sign * request.milli();
      wrong |= gpus[node][gpu] < 0;
    }
    if (wrong) {
      throw new IllegalStateException(
          "node %s has no room for %s at %s".formatted(machines.get(node).name(), request, spot));
    }
  }

  /** The nodes that a request fits on. */
  List<Integer> fitting(Request request) {
    List<Integer> nodes = new ArrayList<>();
    for (int node = 0; node < size(); node++) {
      if (fits(node, request)) {
        nodes.add(node);
      }
    }
    return nodes;
  }
}
