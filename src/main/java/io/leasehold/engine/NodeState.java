package io.leasehold.engine;

/** What a node has free, in the few numbers that an index keeps. Filled anew for each node. */
final class NodeState {

  /** GPUs that may be chosen and that nothing lies on. */
  int whole;

  /** Free thousandths of GPUs that may be chosen. */
  int milli;

  /** The most that is free on one shared GPU. */
  int share;

  /** The most that is free on one shared or MIG GPU. */
  int partial;

  /** Some GPU is shared. */
  boolean shared;

  /** Something starts within the time, so less may be in use than all of it together. */
  boolean changing;

  /** Free CPU, or {@link Gap#UNKNOWN}. */
  long cpu;

  /** Free memory, or {@link Gap#UNKNOWN}. */
  long memory;

  /** Something is booked that has not started. */
  boolean plans;

  /** When time alone changes any of this. */
  long turn;

  private final int[] used = new int[Node.MOST_GPUS];

  /**
   * @param usable GPUs that may be chosen
   * @param clock only what is held at this instant counts, and what is possessed
   */
  void present(Node node, long usable, Held[] held, Held[] possessed, long clock) {
    begin(node);
    long[] taken = new long[2];
    for (Held one : held) {
      if (one.contains(clock)) {
        count(one, taken);
      }
      see(one, clock);
    }
    for (Held one : possessed) {
      if (!isCounted(one, held, clock)) {
        count(one, taken);
      }
    }
    finish(usable, taken);
  }

  /** All that is held and not over counts, whenever it is: what is left is free for good. */
  void forGood(Node node, long usable, Held[] held, long clock) {
    begin(node);
    long[] taken = new long[2];
    for (Held one : held) {
      if (one.end() > clock) {
        count(one, taken);
      }
      see(one, clock);
    }
    finish(usable, taken);
  }

  /**
   * What is free all over a time. Whole GPUs are exact; of the rest no more is said to be free than
   * is, since what follows each other is counted together.
   */
  void over(Node node, long usable, Held[] held, Held[] possessed, Over over) {
    begin(node);
    long[] taken = new long[2];
    for (Held one : held) {
      if (one.overlaps(over.start(), over.end())) {
        count(one, taken);
        changing |= one.start() > over.start();
      }
    }
    for (int i = 0; i < possessed.length && over.due(); i++) {
      if (!isCounted(possessed[i], held, over.start())) {
        count(possessed[i], taken);
      }
    }
    finish(usable, taken);
  }

  /** What is free of CPU and memory at the fullest instant of a time. */
  void hostOver(Node node, Held[] held, Held[] possessed, Over over) {
    cpu = cpu == Gap.UNKNOWN ? cpu : node.cpuMilli() - peak(held, possessed, over, true);
    memory = memory == Gap.UNKNOWN ? memory : node.memoryMiB() - peak(held, possessed, over, false);
    changing = false;
  }

  /** The most in use at one instant: at the start, or where something else starts. */
  private static long peak(Held[] held, Held[] possessed, Over over, boolean cpu) {
    long most = at(held, over.start(), cpu);
    for (int i = 0; i < possessed.length && over.due(); i++) {
      most += isCounted(possessed[i], held, over.start()) ? 0 : weight(possessed[i], cpu);
    }
    for (Held one : held) {
      if (over.start() < one.start() && one.start() < over.end()) {
        most = Math.max(most, at(held, one.start(), cpu));
      }
    }
    return most;
  }

  private static long at(Held[] held, long instant, boolean cpu) {
    long sum = 0;
    for (Held one : held) {
      sum += one.contains(instant) ? weight(one, cpu) : 0;
    }
    return sum;
  }

  private static long weight(Held one, boolean cpu) {
    return cpu ? one.slot().cpuMilli() : one.slot().memoryMiB();
  }

  private static boolean isCounted(Held possessed, Held[] held, long clock) {
    for (Held one : held) {
      if (one.lease().equals(possessed.lease())
          && one.contains(clock)
          && one.slot().equals(possessed.slot())) {
        return true;
      }
    }
    return false;
  }

  private void begin(Node node) {
    java.util.Arrays.fill(used, 0, node.gpus().size(), 0);
    cpu = node.cpuMilli() == 0 ? Gap.UNKNOWN : node.cpuMilli();
    memory = node.memoryMiB() == 0 ? Gap.UNKNOWN : node.memoryMiB();
    plans = false;
    changing = false;
    turn = Span.FOREVER;
  }

  private void see(Held one, long clock) {
    if (one.start() > clock) {
      plans = true;
      turn = Math.min(turn, one.start());
    } else if (one.end() > clock) {
      turn = Math.min(turn, one.end());
    }
  }

  private void count(Held one, long[] taken) {
    taken[one.mode() == Mode.SHARED ? 0 : 1] |= one.gpus();
    one.slot().units().addTo(used);
    cpu -= cpu == Gap.UNKNOWN ? 0 : one.slot().cpuMilli();
    memory -= memory == Gap.UNKNOWN ? 0 : one.slot().memoryMiB();
  }

  private void finish(long usable, long[] taken) {
    whole = Long.bitCount(usable & ~taken[0] & ~taken[1]);
    milli = whole * Units.PER_GPU;
    share = 0;
    partial = 0;
    shared = (usable & taken[0] & ~taken[1]) != 0;
    for (long left = usable & (taken[0] | taken[1]); left != 0; left &= left - 1) {
      int gpu = Long.numberOfTrailingZeros(left);
      int free = Math.max(0, Units.PER_GPU - used[gpu]);
      milli += free;
      partial = Math.max(partial, free);
      if ((taken[1] >>> gpu & 1) == 0) {
        share = Math.max(share, free);
      }
    }
  }
}
