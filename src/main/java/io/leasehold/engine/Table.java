package io.leasehold.engine;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A map whose changes can be taken back through the {@link Undo} it was made with. */
final class Table<K, V> {

  private final Map<K, V> rows;
  private final Undo undo;

  private Table(Map<K, V> rows, Undo undo) {
    this.rows = rows;
    this.undo = undo;
  }

  /** In no order that may ever be relied on: for look-ups only. */
  static <K, V> Table<K, V> hashed(Undo undo) {
    return new Table<>(new HashMap<>(), undo);
  }

  static <K extends Comparable<? super K>, V> Table<K, V> sorted(Undo undo) {
    return new Table<>(new TreeMap<>(), undo);
  }

  @Nullable V get(K key) {
    return rows.get(key);
  }

  void put(K key, V value) {
    V old = rows.put(key, value);
    undo.record(() -> restore(key, old));
  }

  void remove(K key) {
    V old = rows.remove(key);
    if (old != null) {
      undo.record(() -> restore(key, old));
    }
  }

  Collection<V> values() {
    return Collections.unmodifiableCollection(rows.values());
  }

  Map<K, V> rows() {
    return Collections.unmodifiableMap(rows);
  }

  int size() {
    return rows.size();
  }

  private void restore(K key, @Nullable V old) {
    if (old == null) {
      rows.remove(key);
    } else {
      rows.put(key, old);
    }
  }
}
