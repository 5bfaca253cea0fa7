package io.leasehold.engine;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * How much a placement costs the node it lies on; less is better. Measured against the {@link Mix}
 * of what is asked for, so that the same rule serves every fleet, whatever its nodes are called.
 * The cost is the sum of
 *
 * <ul>
 *   <li><i>strand:</i> GPUs left without the CPU that requests want beside them. The mean, over the
 *       CPU that each eighth of the demand wants beside a GPU, of the free GPUs that could not get
 *       as much
 *   <li><i>holes:</i> what is left on a shared GPU, by the part of the fractions asked for that do
 *       not fit into it
 *   <li><i>gang room:</i> for each size and CPU of gangs, by its part of the demand, over the part
 *       of the fleet that could ever take one, the GPUs of as many such gangs as the node could
 *       take; lost room costs
 *   <li><i>left free:</i> whole GPUs that the node still has free, so that full nodes get fuller
 *   <li><i>size:</i> next to nothing, but the smaller of two nodes that cost the same is taken,
 *       whatever they are called
 *   <li><i>scarcity:</i> where no model is named, the part of the demand that names this one, over
 *       its part of the fleet
 * </ul>
 *
 * <p>The weights are those of decision record 10. One of them moves with the load, which is what
 * all leases have or wait for over the healthy GPUs: the fuller the fleet, the more a whole GPU
 * left free costs. Thousandths of a GPU, times 1,024.
 */
final class Score {

  /** Gangs over more GPUs count as so large: they want full nodes. */
  static final int LARGEST = 8;

  private static final int ONE = 1024;
  private static final int QUANTILES = 8;

  /** Kinds of gangs looked at: those that ask for most. */
  private static final int KINDS = 12;

  private static final long PARTIAL = 20;
  private static final long HOLE = 614;
  private static final long GANG = 512;
  private static final long SCARCITY = 3 * ONE;

  /** A whole GPU left free, while the fleet has room and when it is nearly full. */
  private static final long LEFT_FREE_LOOSE = 20;

  private static final long LEFT_FREE_TIGHT = 205;

  /** Each GPU that a node has in all: enough to tell apart what costs the same. */
  private static final long SIZE = 64;

  /** Room up to this load, nearly full from that load on, in hundredths of the fleet. */
  private static final long LOOSE = 88;

  private static final long TIGHT = 92;

  /** Gangs that so small a part of the fleet can take count as if it were this: one part of. */
  private static final double RAREST = 100;

  /** More than so scarce counts as so scarce. */
  private static final long SCARCEST = 5;

  /** What a node has free, all over the time of a request. CPU {@link Gap#UNKNOWN} if not known. */
  record Free(long milli, int whole, long cpu) {

    Free less(long milliTaken, int wholeAfter, long cpuTaken) {
      return new Free(milli - milliTaken, wholeAfter, cpu == Gap.UNKNOWN ? cpu : cpu - cpuTaken);
    }
  }

  /**
   * A size of gangs.
   *
   * @param worth of room for one of them
   */
  private record Kind(int gpus, long cpu, long worth) {}

  private final Mix mix;
  private final Hosts hosts;
  private final long leftFree;
  private final long[] cpuPerGpu;
  private final long[] fitting;
  private final long single;
  private final Kind[] kinds;

  Score(Mix mix, Hosts hosts) {
    this.mix = mix;
    this.hosts = hosts;
    this.leftFree = leftFree(mix.open(), Math.max(1, hosts.healthyMilli()));
    this.cpuPerGpu = mix.cpuPerGpu(QUANTILES);
    this.fitting = mix.fitting();
    long total = Math.max(1, mix.total());
    this.single = GANG * Units.PER_GPU * mix.singles() / total;
    List<Map.Entry<Mix.Gang, Mix.Weight>> most =
        mix.gangs().entrySet().stream()
            .sorted(Comparator.comparingLong(each -> -each.getValue().gpuMilli()))
            .limit(KINDS)
            .toList();
    this.kinds = new Kind[most.size()];
    for (int i = 0; i < kinds.length; i++) {
      kinds[i] = kind(most.get(i).getKey().gpus(), most.get(i).getValue(), total);
    }
  }

  private Kind kind(int gpus, Mix.Weight weight, long total) {
    long cpu = weight.cpuMilli() / weight.groups();
    double scarcity = Math.min(RAREST, hosts.scarcity(gpus, cpu));
    double worth = scarcity * GANG * Units.PER_GPU * gpus * weight.gpuMilli() / total;
    return new Kind(gpus, cpu, Math.round(worth));
  }

  private static long leftFree(long open, long fleetMilli) {
    long above = Math.clamp(100 * open - LOOSE * fleetMilli, 0, (TIGHT - LOOSE) * fleetMilli);
    return LEFT_FREE_LOOSE
        + (LEFT_FREE_TIGHT - LEFT_FREE_LOOSE) * above / ((TIGHT - LOOSE) * fleetMilli);
  }

  Hosts hosts() {
    return hosts;
  }

  /** The cost of a change on one node. */
  long of(Free before, Free after) {
    return cost(after) - cost(before) + leftFree * Units.PER_GPU * after.whole();
  }

  /** Of nodes that cost the same the smallest is taken: gangs have more use for the large ones. */
  long ofSize(int gpus) {
    return SIZE * gpus;
  }

  /** What a fraction costs more, or less, by the hole it goes into and the hole it leaves. */
  long ofHole(int milliBefore, int milliTaken) {
    return waste(milliBefore - milliTaken) - waste(milliBefore);
  }

  /**
   * What it costs to use a model that was not asked for by name.
   *
   * @param gpus healthy ones of it
   */
  long price(String model, long gpus, long milli) {
    double ofDemand = (double) mix.named(model) / Math.max(1, mix.total());
    double ofFleet = (double) gpus * Units.PER_GPU / Math.max(1, hosts.healthyMilli());
    double scarcity = Math.min(SCARCEST, ofDemand / Math.max(ofFleet, 1e-9));
    return milli * Math.round(SCARCITY * scarcity);
  }

  private long waste(int hole) {
    return hole <= 0 || hole >= Units.PER_GPU
        ? 0
        : HOLE * hole * (ONE - fitting[Holes.classOf(hole)]) / ONE;
  }

  private long cost(Free free) {
    return strand(free) - gangRoom(free);
  }

  private long strand(Free free) {
    long partial = free.milli() - (long) Units.PER_GPU * free.whole();
    long strand = PARTIAL * partial;
    if (free.cpu() != Gap.UNKNOWN) {
      for (long wanted : cpuPerGpu) {
        if (wanted > 0) {
          long served = Math.min(free.milli(), free.cpu() * Units.PER_GPU / wanted);
          strand += ONE / QUANTILES * (free.milli() - served);
        }
      }
    }
    return strand;
  }

  private long gangRoom(Free free) {
    long room = single * free.whole();
    for (Kind kind : kinds) {
      int fit = free.whole() / kind.gpus();
      if (fit > 0) {
        room += kind.worth() * Math.min(fit, Gap.fits(free.cpu(), kind.cpu()));
      }
    }
    return room;
  }
}
