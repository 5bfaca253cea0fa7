package io.leasehold.engine;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The ladders of all accounts that somebody in line asked for, at one instant. */
final class Ladders {

  private final Book book;
  private final long now;
  private final Map<String, Map<String, Ladder>> ladders = new HashMap<>();

  /** Who asked last asks next: a line is read tenant by tenant. */
  private @Nullable String lastTenant;

  private Map<String, Ladder> ofLast = Map.of();

  Ladders(Book book, long now) {
    this.book = book;
    this.now = now;
  }

  Ladder of(String tenant, String model) {
    if (!tenant.equals(lastTenant)) {
      lastTenant = tenant;
      ofLast = ladders.computeIfAbsent(tenant, _ -> new HashMap<>());
    }
    Ladder known = ofLast.get(model);
    if (known == null) {
      known = new Ladder(book, new Usage.Account(tenant, model), now);
      ofLast.put(model, known);
    }
    return known;
  }
}
