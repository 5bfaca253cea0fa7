package io.leasehold.engine;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What each tenant and all below it has promised over time, per model: always the sum of the live
 * leases and of what is set aside (law I8). A lease that draws on a reservation adds nothing.
 */
final class Usage {

  record Account(String tenant, String model) implements Comparable<Account> {

    private static final Comparator<Account> ORDER =
        Comparator.comparing(Account::tenant).thenComparing(Account::model);

    @Override
    public int compareTo(Account other) {
      return ORDER.compare(this, other);
    }
  }

  private static final Profile NOTHING = new Profile();

  private final Map<Account, Profile> profiles = new HashMap<>();
  private final TenantTree tree;
  private final Undo undo;
  private long changes;

  Usage(TenantTree tree, Undo undo) {
    this.tree = tree;
    this.undo = undo;
  }

  void add(Lease lease) {
    change(lease, 1);
  }

  void remove(Lease lease) {
    change(lease, -1);
  }

  /** What is set aside counts in full, over its whole window. */
  void add(Occurrence occurrence) {
    change(occurrence, 1);
  }

  void remove(Occurrence occurrence) {
    change(occurrence, -1);
  }

  Profile of(String tenant, String model) {
    return profiles.getOrDefault(new Account(tenant, model), NOTHING);
  }

  /** Another number after each promise that comes or goes, one that is taken back included. */
  long changes() {
    return changes;
  }

  /** The fingerprint of each account that is not empty. */
  Map<Account, Long> fingerprints() {
    Map<Account, Long> fingerprints = HashMap.newHashMap(profiles.size());
    profiles.forEach((account, profile) -> fingerprints.put(account, profile.fingerprint()));
    return fingerprints;
  }

  private void change(Lease lease, int sign) {
    Booking booking = lease.booking();
    Span window = lease.window();
    if (booking == null || window == null) {
      throw new IllegalStateException("lease " + lease.id() + " is promised without a booking");
    }
    if (lease.ask().reservation() == null) {
      change(lease.ask().tenant(), booking, window, sign);
    }
  }

  private void change(Occurrence occurrence, int sign) {
    Booking booking = Objects.requireNonNull(occurrence.booking());
    change(occurrence.tenant(), booking, occurrence.window(), sign);
  }

  private void change(String tenant, Booking booking, Span window, int sign) {
    List<String> path = tree.path(tenant);
    for (Charge charge : Charge.of(booking, window)) {
      long amount = sign * charge.milli();
      if (amount != 0) {
        apply(path, booking.model(), charge.span(), amount);
        undo.record(() -> apply(path, booking.model(), charge.span(), -amount));
      }
    }
  }

  private void apply(List<String> path, String model, Span window, long amount) {
    changes++;
    for (String tenant : path) {
      Account account = new Account(tenant, model);
      Profile profile = profiles.computeIfAbsent(account, _ -> new Profile());
      profile.add(window, amount);
      if (profile.isEmpty()) {
        profiles.remove(account);
      }
    }
  }
}
