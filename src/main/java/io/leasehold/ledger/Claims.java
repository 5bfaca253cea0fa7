package io.leasehold.ledger;

import io.leasehold.engine.Decision;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The idempotency keys of a batch: claimed under the pool's lock before the engine is asked, in
 * sorted order (opposite orders would deadlock over pools). A key that was claimed before is
 * answered with what was kept, without a second effect.
 */
final class Claims {

  private final Map<Name, Key> keys = new TreeMap<>();
  private final Set<Name> claimed = new HashSet<>();
  private final Map<Name, Outcomes> kept = new HashMap<>();
  private final Columns replies =
      new Columns(
          "ttt",
          """
          update idempotency_key k set reply = u.reply::json
            from %s as u(scope, value, reply)
           where k.scope = u.scope and k.value = u.value\
          """);
  private final Columns released =
      new Columns(
          "tt",
          """
          delete from idempotency_key k using %s as u(scope, value)
           where k.scope = u.scope and k.value = u.value\
          """);

  /** A key's identity. */
  record Name(String scope, String value) implements Comparable<Name> {
    static Name of(Key key) {
      return new Name(key.scope(), key.value());
    }

    @Override
    public int compareTo(Name other) {
      int byScope = scope.compareTo(other.scope);
      return byScope != 0 ? byScope : value.compareTo(other.value);
    }
  }

  private record Outcomes(String fingerprint, String reply) {}

  Claims(Collection<Key> keys) {
    keys.forEach(key -> this.keys.put(Name.of(key), key));
  }

  void addTo(Script script, String pool) {
    if (keys.isEmpty()) {
      return;
    }
    String[] scopes = keys.keySet().stream().map(Name::scope).toArray(String[]::new);
    String[] values = keys.keySet().stream().map(Name::value).toArray(String[]::new);
    String[] prints = keys.values().stream().map(Key::fingerprint).toArray(String[]::new);
    script.ask(
        """
        insert into idempotency_key (scope, value, pool, fingerprint)
        select scope, value, ?, fingerprint
          from unnest(?::text[], ?::text[], ?::text[]) as u(scope, value, fingerprint)
        on conflict do nothing returning scope, value\
        """,
        this::readClaimed,
        pool,
        scopes,
        values,
        prints);
    script.ask(
        """
        select k.scope, k.value, k.fingerprint, k.reply
          from unnest(?::text[], ?::text[]) as u(scope, value)
          join idempotency_key k on k.scope = u.scope and k.value = u.value
         where k.reply is not null\
        """,
        this::readKept,
        scopes,
        values);
  }

  private void readClaimed(ResultSet rows) throws SQLException {
    while (rows.next()) {
      claimed.add(new Name(rows.getString(1), rows.getString(2)));
    }
  }

  private void readKept(ResultSet rows) throws SQLException {
    while (rows.next()) {
      kept.put(
          new Name(rows.getString(1), rows.getString(2)),
          new Outcomes(rows.getString(3), rows.getString(4)));
    }
  }

  /** True if this batch is the first to use the key. */
  boolean isClaimed(Key key) {
    return claimed.contains(Name.of(key));
  }

  /** True if the key was used with another body. */
  boolean isReused(Key key) {
    Outcomes before = kept.get(Name.of(key));
    return before != null && !before.fingerprint().equals(key.fingerprint());
  }

  /** What was kept for it, as JSON; null if the key is gone again. */
  @Nullable String reply(Key key) {
    Outcomes before = kept.get(Name.of(key));
    return before == null ? null : before.reply();
  }

  /** Keeps the outcomes of a claimed key, or lets it go if they may be tried again. */
  void settle(Key key, List<Outcome> outcomes) {
    if (outcomes.stream().anyMatch(Claims::isKept)) {
      replies.row(key.scope(), key.value(), Json.write(new Reply(outcomes)));
    } else {
      released.row(key.scope(), key.value());
    }
  }

  void settle(Key key, String reply) {
    replies.row(key.scope(), key.value(), reply);
  }

  void writeTo(Script script) {
    replies.addTo(script);
    released.addTo(script);
  }

  /** What took effect and what the engine refused is kept; all else the caller may correct. */
  static boolean isKept(Outcome outcome) {
    if (!(outcome instanceof Outcome.Committed committed)) {
      return false;
    }
    return switch (committed.decision()) {
      case Decision.Declined declined ->
          switch (declined.why()) {
            case SHORTAGE, LIMIT, NEVER -> true;
            case NOT_FOUND, ILLEGAL_MOVE, ID_TAKEN, TOO_MANY, IN_USE -> false;
          };
      case Decision.Consolidated consolidated -> consolidated.applied();
      default -> true;
    };
  }
}
