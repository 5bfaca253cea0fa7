package io.leasehold.engine;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What was tried in vain since room last grew. An optimisation only: forgetting all of it changes
 * no decision. A shape that did not fit for some time does not fit for longer, nor later, until
 * room grows; so equal shapes are tried once.
 */
final class Memory {

  private record Tried(Shape shape, String model) {}

  private record Vain(Span hold, Found.None none, long changes) {}

  private Map<Tried, Vain> vain = new HashMap<>();
  private final Map<Tried, Found> onEmpty = new HashMap<>();
  private final Undo undo;
  private boolean quiet;
  private boolean grown;
  private long changes;

  Memory(Undo undo) {
    this.undo = undo;
  }

  /** Something that a waiting request may need came free, or a rule changed. */
  void roomMayHaveGrown() {
    grown = true;
    changes++;
    vain.clear();
    setQuiet(false);
  }

  /** A decision begins. */
  void begin() {
    grown = false;
  }

  /** All that is known, while something is only supposed. */
  record Kept(Map<Tried, Vain> vain, boolean grown, long changes) {}

  /** Something is going to be supposed. */
  Kept keep() {
    Kept kept = new Kept(vain, grown, changes);
    vain = new HashMap<>();
    return kept;
  }

  /** What was supposed is taken back: all is as it was. */
  void back(Kept kept) {
    vain = kept.vain();
    grown = kept.grown();
    changes = kept.changes();
  }

  /** Another number whenever devices were taken, room may have grown or a rule changed. */
  long changes() {
    return changes;
  }

  /** Whether anything came free, or a rule changed, since the decision began. */
  boolean hasRoomGrown() {
    return grown;
  }

  /** The fleet itself changed. */
  void fleetChanged() {
    onEmpty.clear();
    undo.record(onEmpty::clear);
  }

  /** What a search of the empty fleet finds: the same until the fleet changes. */
  Found onEmpty(Shape shape, String model, Function<Shape, Found> search) {
    return onEmpty.computeIfAbsent(new Tried(shape, model), tried -> search.apply(tried.shape()));
  }

  /** Devices were taken: what was in vain still is, but its numbers are old. */
  void roomShrank() {
    changes++;
  }

  /** Everything that waits was looked at and nothing more can start. */
  void allTried() {
    setQuiet(true);
  }

  boolean isQuiet() {
    return quiet;
  }

  void forget() {
    vain.clear();
  }

  void failed(Shape shape, String model, Span hold, Found.None none) {
    Tried tried = new Tried(shape, model);
    Vain known = vain.get(tried);
    boolean tellsMore =
        known != null && known.none() == Found.None.UNTOLD && hold.equals(known.hold());
    if (known == null
        || known.changes() != changes
        || length(hold) < length(known.hold())
        || tellsMore) {
      vain.put(tried, new Vain(hold, none, changes));
    }
  }

  /** Whether it was in vain for any length of time. */
  boolean hasFailed(Shape shape, String model) {
    return vain.containsKey(new Tried(shape, model));
  }

  /** Whether such a hold, from now, is known to be in vain. */
  Found.@Nullable None inVain(Shape shape, String model, Span hold) {
    Vain known = vain.get(new Tried(shape, model));
    return known != null && length(hold) >= length(known.hold()) ? known.none() : null;
  }

  /** What the very same search would find, with the same numbers. */
  Found.@Nullable None same(Shape shape, String model, Span hold) {
    Vain known = vain.get(new Tried(shape, model));
    return known != null
            && known.none() != Found.None.UNTOLD
            && known.changes() == changes
            && known.hold().equals(hold)
        ? known.none()
        : null;
  }

  private static long length(Span hold) {
    return hold.end() == Span.FOREVER ? Span.FOREVER : hold.end() - hold.start();
  }

  private void setQuiet(boolean value) {
    if (quiet != value) {
      quiet = value;
      undo.record(() -> quiet = !value);
    }
  }
}
