package io.leasehold.web;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which page of a list is asked for, by keyset: a row that stays is shown exactly once, whatever is
 * written meanwhile. A controller method takes it as a parameter; {@code pageSize} and {@code
 * pageToken} are read from the query, all other query parameters and the path are the filters that
 * the token is bound to.
 *
 * @param size 1 to 200
 * @param after the last row of the page before; null = from the start
 * @param filters digest of the filters
 */
public record PageRequest(int size, @Nullable Position after, String filters) {

  static final int USUAL = 50;
  static final int MOST = 200;

  /** Larger numbers are no page size at all. */
  static final long LARGEST = 1_000_000_000_000_000_000L;

  /** Bytes of a digest that bind a token to its list; no secret, a guard against mistakes. */
  private static final int SEAL = 9;

  /**
   * Where a row stands in the order of its list.
   *
   * @param order what the list is ordered by first: microseconds, a revision, or 0
   * @param id what makes it unique
   */
  public record Position(long order, String id) {}

  /** From the query as sent. */
  public static PageRequest of(
      @Nullable String pageSize, @Nullable String pageToken, String filters) {
    String digest = digest(filters);
    Position after = pageToken == null || pageToken.isEmpty() ? null : decode(pageToken, digest);
    return new PageRequest(sizeOf(pageSize), after, digest);
  }

  /** How many rows to read: one more than the page holds, to know whether there is another. */
  public int limit() {
    return size + 1;
  }

  /** The page made of up to {@link #limit} rows. */
  public <T> Page<T> page(List<T> rows, Function<T, Position> position) {
    if (rows.size() <= size) {
      return new Page<>(rows, null);
    }
    List<T> items = rows.subList(0, size);
    return new Page<>(items, encode(position.apply(items.getLast()), filters));
  }

  /** The token that continues behind a row, for lists that carry more than a {@link Page}. */
  public String tokenAfter(Position position) {
    return encode(position, filters);
  }

  private static int sizeOf(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return USUAL;
    }
    if (!text.matches("[+-]?\\d{1,40}")) {
      throw fault("pageSize", "not-a-number", "pageSize is a whole number from 1; got " + text);
    }
    BigInteger size = new BigInteger(text);
    if (size.signum() < 1 || size.compareTo(BigInteger.valueOf(LARGEST)) > 0) {
      throw fault("pageSize", "out-of-range", "pageSize is from 1 to " + LARGEST + "; got " + text);
    }
    return (int) Math.min(MOST, size.longValue());
  }

  private static String encode(Position position, String filters) {
    byte[] id = position.id().getBytes(StandardCharsets.UTF_8);
    byte[] place = ByteBuffer.allocate(8 + id.length).putLong(position.order()).put(id).array();
    byte[] token =
        ByteBuffer.allocate(SEAL + place.length).put(seal(filters, place)).put(place).array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
  }

  private static Position decode(String token, String filters) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(token);
    } catch (IllegalArgumentException notBase64) {
      throw unusable();
    }
    if (bytes.length <= SEAL + 8) {
      throw unusable();
    }
    byte[] place = Arrays.copyOfRange(bytes, SEAL, bytes.length);
    if (!Arrays.equals(seal(filters, place), Arrays.copyOf(bytes, SEAL))) {
      throw unusable();
    }
    String id = new String(place, 8, place.length - 8, StandardCharsets.UTF_8);
    if (!Text.isSound(id)) {
      throw unusable();
    }
    return new Position(ByteBuffer.wrap(place).getLong(), id);
  }

  /** Binds a place to its list and filters, so that only what was given out comes back. */
  private static byte[] seal(String filters, byte[] place) {
    MessageDigest digest = sha256();
    digest.update(filters.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
    return Arrays.copyOf(digest.digest(place), SEAL);
  }

  private static String digest(String filters) {
    byte[] hash = sha256().digest(filters.getBytes(StandardCharsets.UTF_8));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, SEAL));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static Problem unusable() {
    return fault(
        "pageToken",
        "unusable-token",
        "The pageToken is not of this list with these filters; start again without it.");
  }

  private static Problem fault(String parameter, String code, String detail) {
    return Problem.invalid(Problem.Fault.in(parameter, code, detail));
  }
}
