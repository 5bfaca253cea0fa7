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

  /** What is left on each shared GPU, as {@link Holes} has it. */
  long holes;

  /** Nothing may be chosen, whatever is free. */
  boolean closed;

  /** Some GPU is shared by what may follow each other: more may be free than the sum says. */
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

  /** When the first of what has not started starts; never before that. */
  long firstStart;

  /** When the last of all starts; never after that. */
  long lastStart;

  /** When the first is over; never before that. */
  long firstEnd;

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
      if (!Peak.isHeld(one, held, clock)) {
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
      if (!Peak.isHeld(possessed[i], held, over.start())) {
        count(possessed[i], taken);
      }
    }
    finish(usable, taken);
  }

  /** What is free of CPU and memory at the fullest instant of a time. */
  void hostOver(Node node, Held[] held, Held[] possessed, Over over) {
    if (cpu != Gap.UNKNOWN) {
      cpu = node.cpuMilli() - Peak.of(held, possessed, over, one -> one.slot().cpuMilli());
    }
    if (memory != Gap.UNKNOWN) {
      memory = node.memoryMiB() - Peak.of(held, possessed, over, one -> one.slot().memoryMiB());
    }
    changing = false;
  }

  /** The same from sums that were kept. */
  void of(Node node, long usable, Tally tally) {
    begin(node);
    for (int gpu = 0; gpu < node.gpus().size(); gpu++) {
      used[gpu] = tally.milliOn(gpu);
    }
    cpu -= cpu == Gap.UNKNOWN ? 0 : tally.cpu();
    memory -= memory == Gap.UNKNOWN ? 0 : tally.memory();
    finish(usable, new long[] {tally.shared(), tally.otherwise()});
  }

  private void begin(Node node) {
    java.util.Arrays.fill(used, 0, node.gpus().size(), 0);
    cpu = node.cpuMilli() == 0 ? Gap.UNKNOWN : node.cpuMilli();
    memory = node.memoryMiB() == 0 ? Gap.UNKNOWN : node.memoryMiB();
    plans = false;
    changing = false;
    turn = Span.FOREVER;
    firstStart = Span.FOREVER;
    lastStart = Long.MIN_VALUE;
    firstEnd = Span.FOREVER;
  }

  private void see(Held one, long clock) {
    if (one.end() <= clock) {
      return;
    }
    lastStart = Math.max(lastStart, one.start());
    firstEnd = Math.min(firstEnd, one.end());
    if (one.start() > clock) {
      plans = true;
      firstStart = Math.min(firstStart, one.start());
    }
    turn = Math.min(firstStart, firstEnd);
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
    holes = 0;
    closed = usable == 0;
    shared = (usable & taken[0] & ~taken[1]) != 0;
    for (long left = usable & (taken[0] | taken[1]); left != 0; left &= left - 1) {
      int gpu = Long.numberOfTrailingZeros(left);
      int free = Math.max(0, Units.PER_GPU - used[gpu]);
      milli += free;
      partial = Math.max(partial, free);
      if ((taken[1] >>> gpu & 1) == 0) {
        share = Math.max(share, free);
        holes = free == 0 ? holes : Holes.with(holes, free);
      }
    }
  }
}
