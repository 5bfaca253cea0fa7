package io.leasehold.web;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Checks credentials and remembers the good ones for at most 5 s, which bounds how long a revoked
 * key or a lost role still works. Only digests are kept.
 */
final class Credentials {

  private static final String KEY_MARK = "lh_";
  private static final int LONGEST = 8 * 1024;

  private final Callers callers;
  private final Tokens tokens;
  private final Cache<String, Caller> known =
      Caffeine.newBuilder().expireAfterWrite(Duration.ofSeconds(5)).maximumSize(20_000).build();

  Credentials(Callers callers, Tokens tokens) {
    this.callers = callers;
    this.tokens = tokens;
  }

  Optional<Caller> known(String bearer) {
    return Optional.ofNullable(known.getIfPresent(digest(bearer)));
  }

  /** Empty if the credential is not good; a problem if that can not be told now. */
  Optional<Caller> check(String bearer) {
    if (bearer.isEmpty() || bearer.length() > LONGEST) {
      return Optional.empty();
    }
    Optional<Caller> caller =
        bearer.startsWith(KEY_MARK)
            ? callers.ofKey(bearer)
            : tokens
                .check(bearer)
                .map(t -> callers.ofToken(t.issuer(), t.subject(), t.name(), t.groups()));
    caller.ifPresent(c -> known.put(digest(bearer), c));
    return caller;
  }

  private static String digest(String bearer) {
    return HexFormat.of()
        .formatHex(IdempotencyKeys.sha256().digest(bearer.getBytes(StandardCharsets.UTF_8)));
  }
}
