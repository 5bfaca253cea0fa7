package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The few of what is held that are free soonest, whatever order they are seen in. */
final class Soonest {

  private final Held[] kept;
  private int size;

  Soonest(int most) {
    kept = new Held[most];
  }

  boolean isFull() {
    return size == kept.length;
  }

  /** When the last of them is free; asked only where there is one. */
  long last() {
    return kept[size - 1].end();
  }

  /** Keeps it unless there are enough that are free sooner, or it is kept already. */
  void keep(Held one) {
    if (isFull() && one.end() > last()) {
      return;
    }
    int at = size;
    while (at > 0 && Held.SOONEST_FREE.compare(one, kept[at - 1]) < 0) {
      at--;
    }
    boolean known = at > 0 && Held.SOONEST_FREE.compare(one, kept[at - 1]) == 0;
    if (known || at == kept.length) {
      return;
    }
    size = Math.min(size + 1, kept.length);
    System.arraycopy(kept, at, kept, at + 1, size - at - 1);
    kept[at] = one;
  }

  List<UUID> leases() {
    List<UUID> leases = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      if (!leases.contains(kept[i].lease())) {
        leases.add(kept[i].lease());
      }
    }
    return leases;
  }
}
