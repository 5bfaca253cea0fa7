package io.leasehold.tenancy;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The text of an API key: {@code lh_live_<12 characters of public id>_<43 of 256 random bits><6 of
 * CRC32>}, all in base 62. A scanner can tell it from other text without asking us, and a mistyped
 * one costs no look-up.
 *
 * @param kind live, or dev for keys of a sample
 * @param mark the public id, by which it is looked up
 * @param text the whole
 */
record KeyText(String kind, String mark, String text) {

  static final String LIVE = "live";
  static final String DEV = "dev";

  private static final String DIGITS =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  private static final BigInteger BASE = BigInteger.valueOf(DIGITS.length());
  private static final Pattern FORM =
      Pattern.compile("lh_(live|dev)_([0-9A-Za-z]{12})_[0-9A-Za-z]{43}([0-9A-Za-z]{6})");
  private static final SecureRandom RANDOM = new SecureRandom();

  static KeyText random(String kind) {
    StringBuilder mark = new StringBuilder();
    for (int i = 0; i < 12; i++) {
      mark.append(DIGITS.charAt(RANDOM.nextInt(DIGITS.length())));
    }
    byte[] secret = new byte[32];
    RANDOM.nextBytes(secret);
    String body = "lh_" + kind + "_" + mark + "_" + base62(new BigInteger(1, secret), 43);
    return new KeyText(kind, mark.toString(), body + checksum(body));
  }

  /** Empty unless form and checksum are right. */
  static Optional<KeyText> parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    String body = text.substring(0, text.length() - 6);
    return checksum(body).equals(form.group(3))
        ? Optional.of(new KeyText(form.group(1), form.group(2), text))
        : Optional.empty();
  }

  /** What is kept of it. A fast digest is right for 256 random bits. */
  byte[] digest() {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Never the secret. */
  @Override
  public String toString() {
    return "lh_" + kind + "_" + mark + "_...";
  }

  private static String checksum(String body) {
    CRC32 crc = new CRC32();
    crc.update(body.getBytes(StandardCharsets.US_ASCII));
    return base62(BigInteger.valueOf(crc.getValue()), 6);
  }

  private static String base62(BigInteger number, int length) {
    char[] digits = new char[length];
    BigInteger rest = number;
    for (int i = length - 1; i >= 0; i--) {
      BigInteger[] parts = rest.divideAndRemainder(BASE);
      digits[i] = DIGITS.charAt(parts[1].intValue());
      rest = parts[0];
    }
    return new String(digits);
  }
}
