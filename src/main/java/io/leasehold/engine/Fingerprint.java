package io.leasehold.engine;

/**
 * Sums of amounts over spans in one number: what is added and taken away again leaves nothing, and
 * the order does not matter, so it is kept as cheaply as the sums and compared at once. Two that
 * differ are alike by an accident only, which no error is likely to be.
 */
final class Fingerprint {

  private Fingerprint() {}

  static long of(Span span, long amount) {
    return ofStart(span.start(), amount)
        + (span.end() == Span.FOREVER ? 0 : ofEnd(span.end(), amount));
  }

  static long ofStart(long instant, long amount) {
    return amount * scatter(instant);
  }

  static long ofEnd(long instant, long amount) {
    return amount * scatter(~instant);
  }

  /** The finalizer of SplitMix64 (Steele, Lea, Flood 2014): each bit depends on all. */
  private static long scatter(long bits) {
    long mixed = bits + 0x9e3779b97f4a7c15L;
    mixed = (mixed ^ mixed >>> 30) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
    return mixed ^ mixed >>> 31;
  }
}
