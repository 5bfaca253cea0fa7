package io.leasehold.engine;

import java.util.Iterator;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** How much is used when: a sum of amounts over spans, independent of the order they came in. */
final class Profile {

  private final TreeMap<Long, Long> starts = new TreeMap<>();
  private final TreeMap<Long, Long> ends = new TreeMap<>();
  private long total;
  private long fingerprint;

  /** Adds an amount over a span; a negative one takes away what was added. */
  void add(Span span, long amount) {
    bump(starts, span.start(), amount);
    if (span.end() != Span.FOREVER) {
      bump(ends, span.end(), amount);
    }
    total = Math.addExact(total, amount);
    fingerprint += Fingerprint.of(span, amount);
  }

  /** The amount at an instant. Cheap near now: it walks what starts later and what ended before. */
  long at(long instant) {
    long amount = total;
    for (long later : starts.tailMap(instant, false).values()) {
      amount -= later;
    }
    for (long over : ends.headMap(instant, true).values()) {
      amount -= over;
    }
    return amount;
  }

  /** The largest amount within a span. */
  long peak(Span span) {
    long amount = at(span.start());
    long peak = amount;
    long seen = span.start();
    for (var start : starts.subMap(span.start(), false, span.end(), false).entrySet()) {
      for (long over : ends.subMap(seen, false, start.getKey(), true).values()) {
        amount -= over;
      }
      seen = start.getKey();
      amount += start.getValue();
      peak = Math.max(peak, amount);
    }
    return peak;
  }

  /** The amount all over a span. */
  Steps steps(Span span) {
    Steps.Builder steps = new Steps.Builder();
    long amount = at(span.start());
    steps.add(span.start(), amount);
    var starting = starts.tailMap(span.start(), false).entrySet().iterator();
    var ending = ends.tailMap(span.start(), false).entrySet().iterator();
    var start = next(starting);
    var over = next(ending);
    while (start != null || over != null) {
      boolean ends = start == null || (over != null && over.getKey() <= start.getKey());
      long instant = ends ? over.getKey() : start.getKey();
      if (instant >= span.end()) {
        break;
      }
      amount += ends ? -over.getValue() : start.getValue();
      steps.add(instant, amount);
      start = ends ? start : next(starting);
      over = ends ? next(ending) : over;
    }
    return steps.until(span.end());
  }

  private static Map.@Nullable Entry<Long, Long> next(Iterator<Map.Entry<Long, Long>> entries) {
    return entries.hasNext() ? entries.next() : null;
  }

  /** The instants inside a span at which the amount changes, its start included. */
  NavigableSet<Long> changes(Span span) {
    NavigableSet<Long> changes = new TreeSet<>(starts.subMap(span.start(), span.end()).keySet());
    changes.addAll(ends.subMap(span.start(), span.end()).keySet());
    changes.add(span.start());
    return changes;
  }

  /** The first instant after another at which the amount falls; FOREVER if it never does. */
  long nextFall(long after) {
    Long fall = ends.higherKey(after);
    return fall == null ? Span.FOREVER : fall;
  }

  /** The first instant after another at which the amount changes; FOREVER if it never does. */
  long nextChange(long after) {
    Long start = starts.higherKey(after);
    return start == null ? nextFall(after) : Math.min(start, nextFall(after));
  }

  /** Alike for profiles to which the same was added, and in practice for no others. */
  long fingerprint() {
    return fingerprint;
  }

  /** Whether it says what was added to it: each step is the sum of what starts or ends there. */
  boolean isWhole() {
    long starting = 0;
    for (var start : starts.entrySet()) {
      starting += Fingerprint.ofStart(start.getKey(), start.getValue());
    }
    long ending = 0;
    for (var end : ends.entrySet()) {
      ending += Fingerprint.ofEnd(end.getKey(), end.getValue());
    }
    return starting + ending == fingerprint;
  }

  /** At how many instants something starts or ends, those at which both happens counted twice. */
  int size() {
    return starts.size() + ends.size();
  }

  boolean isEmpty() {
    return starts.isEmpty();
  }

  private static void bump(TreeMap<Long, Long> map, long key, long amount) {
    map.merge(key, amount, (a, b) -> a + b == 0 ? null : Long.valueOf(a + b));
  }
}
