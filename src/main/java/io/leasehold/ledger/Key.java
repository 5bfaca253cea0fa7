package io.leasehold.ledger;

import java.util.List;
import java.util.stream.IntStream;

/**
 * An idempotency key.
 *
 * @param scope caller and route
 * @param value as the client sent it, unquoted
 * @param fingerprint SHA-256 in hex of the canonical body with path and query
 */
public record Key(String scope, String value, String fingerprint) {

  /** How many submissions of a list commit under one key. */
  static final int PART = 100;

  /** The key of a part of a list; of the first it is the key itself. */
  Key part(int part) {
    return part == 0 ? this : new Key(scope + " part " + part, value, fingerprint);
  }

  /** The keys under which a list of up to so many is kept. */
  public List<Key> parts(int most) {
    return IntStream.range(0, Math.max(1, (most + PART - 1) / PART)).mapToObj(this::part).toList();
  }
}
