package io.leasehold.engine;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/** Waiting leases by what they have in common, each lot in order of arrival. */
final class Shelf<K> {

  private static final Comparator<Lease> ARRIVAL = Comparator.comparingLong(Lease::sequence);

  private final Map<K, TreeSet<Lease>> lots = new HashMap<>();
  private final Undo undo;

  Shelf(Undo undo) {
    this.undo = undo;
  }

  void add(K key, Lease lease) {
    put(key, lease);
    undo.record(() -> drop(key, lease));
  }

  void remove(K key, Lease lease) {
    drop(key, lease);
    undo.record(() -> put(key, lease));
  }

  NavigableSet<Lease> of(K key) {
    TreeSet<Lease> lot = lots.get(key);
    return lot == null ? Collections.emptyNavigableSet() : lot;
  }

  /** In no order that may be relied on. */
  Collection<K> keys() {
    return lots.keySet();
  }

  /** In no order that may be relied on. */
  Collection<TreeSet<Lease>> all() {
    return lots.values();
  }

  private void put(K key, Lease lease) {
    lots.computeIfAbsent(key, _ -> new TreeSet<>(ARRIVAL)).add(lease);
  }

  private void drop(K key, Lease lease) {
    TreeSet<Lease> lot = lots.get(key);
    if (lot != null) {
      lot.remove(lease);
      if (lot.isEmpty()) {
        lots.remove(key);
      }
    }
  }
}
