package io.leasehold.engine;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The place of a borrower between tenants: the shares from the root of the tree down to its own
 * team, there with its request counted in. A key depends on nobody else in line, so all keys form
 * one order.
 */
final class FairKey implements Comparable<FairKey> {

  static final FairKey NOTHING_BORROWED = new FairKey(new Share[0]);

  /** Keys in whose shares only bands are told apart. */
  static final Comparator<FairKey> BY_BAND = FairKey::compareBands;

  private final Share[] shares;
  private final long[] bands;

  private FairKey(Share[] shares) {
    this.shares = shares;
    this.bands = new long[shares.length];
    Arrays.setAll(bands, i -> shares[i].band());
  }

  static FairKey of(Candidate candidate, Ladders ladders) {
    if (candidate.guaranteed() || candidate.model().isEmpty()) {
      return NOTHING_BORROWED;
    }
    Ladder ladder = ladders.of(candidate.ask().tenant(), candidate.model());
    return new FairKey(ladder.shares(candidate.need()));
  }

  /** From the root down to the team. */
  List<Share> shares() {
    return List.of(shares);
  }

  @Override
  public int compareTo(FairKey other) {
    int levels = Math.min(shares.length, other.shares.length);
    for (int i = 0; i < levels; i++) {
      int order = shares[i].compareTo(other.shares[i]);
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(shares.length, other.shares.length);
  }

  private int compareBands(FairKey other) {
    return Arrays.compare(bands, other.bands);
  }
}
