package io.leasehold.engine;

import java.util.HashMap;
import java.util.Map;

/** The ladders of all accounts that somebody in line asked for, at one instant. */
final class Ladders {

  private final Book book;
  private final long now;
  private final Map<Usage.Account, Ladder> ladders = new HashMap<>();

  Ladders(Book book, long now) {
    this.book = book;
    this.now = now;
  }

  Ladder of(String tenant, String model) {
    return ladders.computeIfAbsent(
        new Usage.Account(tenant, model), account -> new Ladder(book, account, now));
  }
}
