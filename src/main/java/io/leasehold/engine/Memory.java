package io.leasehold.engine;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was tried in vain since room last grew. An optimisation only: forgetting all of it changes no
 * decision. A shape that did not fit for some time does not fit for longer, nor later, until room
 * grows; so equal shapes are tried once.
 */
final class Memory {

  private record Tried(Shape shape, String model) {}

  /** A search in vain: the length of the hold and what was found. */
  record Vain(long length, Found.None none) {}

  private final Map<Tried, Vain> vain = new HashMap<>();
  private final Undo undo;
  private boolean quiet;

  Memory(Undo undo) {
    this.undo = undo;
  }

  /** Something that a waiting request may need came free, or a rule changed. */
  void roomMayHaveGrown() {
    vain.clear();
    setQuiet(false);
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

  void failed(Shape shape, String model, long length, Found.None none) {
    vain.merge(
        new Tried(shape, model),
        new Vain(length, none),
        (old, fresh) -> old.length() <= fresh.length() ? old : fresh);
  }

  Found.@Nullable None failure(Shape shape, String model, long length) {
    Vain known = vain.get(new Tried(shape, model));
    return known != null && length >= known.length() ? known.none() : null;
  }

  private void setQuiet(boolean value) {
    if (quiet != value) {
      quiet = value;
      undo.record(() -> quiet = !value);
    }
  }
}
