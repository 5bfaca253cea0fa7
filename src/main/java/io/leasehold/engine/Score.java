package io.leasehold.engine;

/**
 * How much a placement costs the node it lies on; less is better. The cost is what it strands (GPUs
 * left without the CPU that requests want beside them, and shares left below a whole GPU), plus the
 * whole GPUs that the node still has free, plus the loss of room for gangs.
 *
 * <p>Strand is the mean, over the CPU that an eighth of the recent GPUs each wanted beside a GPU,
 * of the free GPUs that could not get as much. Gang room is the sum, over sizes k, of the part of
 * the demand that comes in k whole GPUs times {@code floor(w / k) * k} for {@code w} whole free
 * GPUs. The weights are those that refuse least when leases end, of the ones measured; the mix is
 * that of a production fleet (openb). Integers throughout: thousandths of a GPU, times 800.
 */
final class Score {

  private static final int QUANTILES = 8;
  private static final long PERCENT = 100;

  /** Shares beside whole GPUs, in hundredths (P). */
  private static final long PARTIAL = 8;

  /** Whole GPUs left free on the node, in hundredths (G). */
  private static final long LEFT_FREE = 15;

  /** Loss of gang room, in hundredths (E). */
  private static final long GANG = 70;

  /** CPU beside one GPU, in thousandths of a core: the middle of each eighth of the demand. */
  private static final long[] CPU_PER_GPU = {
    3_152, 3_891, 8_025, 11_300, 11_400, 12_000, 15_700, 18_708
  };

  /** Sizes of requests in whole GPUs, and their part of the demand in thousandths. */
  private static final int[] SIZES = {1, 2, 4, 8};

  private static final long[] PARTS = {643, 5, 10, 58};

  private Score() {}

  /**
   * The cost of a change on one node.
   *
   * @param freeMilli free thousandths of GPUs before, whatever the mode
   * @param whole GPUs that nothing lies on before
   * @param cpu free CPU before, {@link Gap#UNKNOWN} if not known
   * @param milli thousandths of GPUs taken
   * @param wholeAfter GPUs that nothing lies on after
   * @param cpuTaken CPU taken
   */
  static long of(long freeMilli, int whole, long cpu, long milli, int wholeAfter, long cpuTaken) {
    long after = cpu == Gap.UNKNOWN ? cpu : cpu - cpuTaken;
    return strand(freeMilli - milli, wholeAfter, after)
        - strand(freeMilli, whole, cpu)
        + QUANTILES * LEFT_FREE * Units.PER_GPU * wholeAfter
        + QUANTILES * GANG * (gangRoom(whole) - gangRoom(wholeAfter));
  }

  private static long strand(long freeMilli, int whole, long cpu) {
    long partial = freeMilli - (long) Units.PER_GPU * whole;
    long strand = QUANTILES * PARTIAL * partial;
    if (cpu != Gap.UNKNOWN) {
      for (long wanted : CPU_PER_GPU) {
        strand += PERCENT * (freeMilli - Math.min(freeMilli, cpu * Units.PER_GPU / wanted));
      }
    }
    return strand;
  }

  private static long gangRoom(int whole) {
    long room = 0;
    for (int i = 0; i < SIZES.length; i++) {
      room += PARTS[i] * (whole / SIZES[i] * SIZES[i]);
    }
    return room;
  }
}
