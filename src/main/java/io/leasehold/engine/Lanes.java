package io.leasehold.engine;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.function.Consumer;

/** Equal waiting requests, each lot in order of arrival, the lots of a tenant together. */
final class Lanes {

  private final Map<String, Shelf<Candidate.Lane>> tenants = new HashMap<>();
  private final Undo undo;

  Lanes(Undo undo) {
    this.undo = undo;
  }

  void add(Lease lease) {
    of(lease).add(Candidate.Lane.of(lease.ask()), lease);
  }

  void remove(Lease lease) {
    of(lease).remove(Candidate.Lane.of(lease.ask()), lease);
  }

  /** The equals of a request. */
  NavigableSet<Lease> like(Lease lease) {
    return of(lease).of(Candidate.Lane.of(lease.ask()));
  }

  /** The first of each lot, tenant by tenant, in no order that may be relied on. */
  void forEachFirst(Consumer<Lease> action) {
    for (Shelf<Candidate.Lane> shelf : tenants.values()) {
      Collection<? extends NavigableSet<Lease>> lots = shelf.all();
      lots.forEach(lot -> action.accept(lot.first()));
    }
  }

  private Shelf<Candidate.Lane> of(Lease lease) {
    return tenants.computeIfAbsent(lease.ask().tenant(), _ -> new Shelf<>(undo));
  }
}
