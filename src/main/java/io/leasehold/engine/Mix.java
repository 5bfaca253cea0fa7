package io.leasehold.engine;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is asked for by all leases that live or wait, weighted by GPUs: what a {@link Score} keeps
 * room for. A function of the leases in the book, whatever order they came in. MIG instances are
 * left out, since what they take depends on the card.
 */
final class Mix {

  /** CPU beside a GPU is counted in eighths of an octave; below and above, all alike. */
  private static final int LOWEST_OCTAVE = 8;

  private static final int HIGHEST_OCTAVE = 18;
  private static final int STEPS = 8;
  private static final int CLASSES = (HIGHEST_OCTAVE - LOWEST_OCTAVE) * STEPS + 1;

  /**
   * A gang: more than one whole GPU of one node.
   *
   * @param cpuClass by CPU beside one of its GPUs
   */
  record Gang(int gpus, int cpuClass) implements Comparable<Gang> {
    @Override
    public int compareTo(Gang other) {
      return gpus != other.gpus ? gpus - other.gpus : cpuClass - other.cpuClass;
    }
  }

  /** Thousandths of GPUs, and the CPU of as many groups as ask for them. */
  record Weight(long gpuMilli, long cpuMilli, long groups) {
    private static final Weight NONE = new Weight(0, 0, 0);

    private @Nullable Weight plus(long milli, long cpu, long more) {
      Weight sum = new Weight(gpuMilli + milli, cpuMilli + cpu, groups + more);
      return sum.groups() == 0 ? null : sum;
    }
  }

  private final Undo undo;
  private final long[] byCpu = new long[CLASSES];
  private final long[] byHole = new long[Holes.CLASSES];
  private final TreeMap<Gang, Weight> gangs = new TreeMap<>();
  private final Map<String, Long> byModel = new TreeMap<>();
  private long singles;
  private long fractions;
  private long total;
  private long open;
  private @Nullable Score score;

  Mix(Undo undo) {
    this.undo = undo;
  }

  /** A lease came, moved on, or is over. */
  void moved(@Nullable Lease before, Lease after) {
    Shape old = before == null ? null : shape(before);
    Shape fresh = shape(after);
    if (!Objects.equals(old, fresh)) {
      count(old, -1);
      count(fresh, 1);
      undo.record(
          () -> {
            count(fresh, -1);
            count(old, 1);
          });
    }
    long more = openMilli(after) - (before == null ? 0 : openMilli(before));
    if (more != 0) {
      open(more);
      undo.record(() -> open(-more));
    }
  }

  /** What of a lease is counted; null = nothing. */
  private static @Nullable Shape shape(Lease lease) {
    Shape shape = lease.ask().shape();
    boolean counts =
        counts(lease) && shape.pieces() > 0 && !(shape.slice() instanceof Shape.Slice.Mig);
    return counts ? shape : null;
  }

  private static boolean counts(Lease lease) {
    return !lease.state().isFinal() && lease.state() != LeaseState.ENDING;
  }

  /** What a lease has, or waits for. */
  private static long openMilli(Lease lease) {
    Booking booking = lease.booking();
    return !counts(lease)
        ? 0
        : booking == null ? Need.milli(lease.ask().shape(), null) : booking.gpuMilli();
  }

  private void open(long more) {
    score = null;
    open += more;
  }

  private void count(@Nullable Shape shape, int times) {
    if (shape == null) {
      return;
    }
    score = null;
    int groups = Math.max(1, shape.groups());
    long milli = times * Need.milli(shape, null);
    total += milli;
    byCpu[cpuClass(shape.cpuMilli() * groups * Units.PER_GPU / Math.abs(milli))] += milli;
    if (shape.slice() instanceof Shape.Slice.Share share) {
      fractions += milli;
      byHole[Holes.classOf(share.milli())] += milli;
    } else if (shape.count() == 1) {
      singles += milli;
    } else {
      Gang gang =
          new Gang(
              Math.min(shape.count(), Score.LARGEST), cpuClass(shape.cpuMilli() / shape.count()));
      long cpu = shape.cpuMilli() * gang.gpus() / shape.count();
      gangs.compute(
          gang,
          (_, old) ->
              (old == null ? Weight.NONE : old).plus(milli, times * groups * cpu, times * groups));
    }
    for (String model : shape.models()) {
      byModel.merge(
          model, milli / shape.models().size(), (a, b) -> a + b == 0 ? null : Long.valueOf(a + b));
    }
  }

  private static int cpuClass(long cpuMilli) {
    int octave = 63 - Long.numberOfLeadingZeros(Math.max(1, cpuMilli));
    if (octave < LOWEST_OCTAVE) {
      return 0;
    }
    int step = (int) (cpuMilli >>> octave - 3) % STEPS;
    return Math.min(CLASSES - 1, 1 + (octave - LOWEST_OCTAVE) * STEPS + step);
  }

  /** The middle of a class; the lowest wants none. */
  private static long cpuOf(int cpuClass) {
    if (cpuClass == 0) {
      return 0;
    }
    int octave = LOWEST_OCTAVE + (cpuClass - 1) / STEPS;
    return (2L * (STEPS + (cpuClass - 1) % STEPS) + 1) << octave - 4;
  }

  /**
   * What nodes are measured with as things stand.
   *
   * @param hosts the fleet that is asked
   */
  Score score(Hosts hosts) {
    if (score == null || score.hosts() != hosts) {
      score = new Score(this, hosts);
    }
    return score;
  }

  /** All that leases have or wait for, in any form. */
  long open() {
    return open;
  }

  long total() {
    return total;
  }

  long singles() {
    return singles;
  }

  Map<Gang, Weight> gangs() {
    return gangs;
  }

  /** Asked for by requests that name this model. */
  long named(String model) {
    return byModel.getOrDefault(model, 0L);
  }

  /** The CPU beside a GPU in the middle of each of so many equal parts of the demand. */
  long[] cpuPerGpu(int parts) {
    long[] cpu = new long[parts];
    long sum = 0;
    int part = 0;
    for (int i = 0; i < CLASSES && part < parts; i++) {
      sum += byCpu[i];
      while (part < parts && sum > 0 && 2 * parts * sum >= (2 * part + 1) * total) {
        cpu[part++] = cpuOf(i);
      }
    }
    return cpu;
  }

  /** For each class of holes how much of the fractions asked for would fit, in 1,024ths. */
  long[] fitting() {
    long[] fitting = new long[Holes.CLASSES];
    long sum = 0;
    for (int i = 0; i < fitting.length; i++) {
      sum += byHole[i];
      fitting[i] = fractions == 0 ? 0 : 1024 * sum / fractions;
    }
    return fitting;
  }
}
