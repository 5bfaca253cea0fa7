package io.leasehold.engine;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a stock has free in the time to come, for the items that were asked for lately: each index
 * is made when it is first needed, and brought up to what changed when it is asked again. What is
 * kept changes no answer.
 */
final class Ahead {

  private static final int MOST = 32;

  /** CPU of an item, in thousandths of a core, that indexes are made for: the next smaller one. */
  private static final long[] CPUS = {
    0, 2_000, 4_000, 6_000, 8_000, 10_000, 12_000, 16_000, 24_000, 32_000, 48_000, 64_000, 96_000
  };

  private record Want(Shape.Slice slice, int each, long cpuMilli) {}

  private record Together(Want want, @Nullable Level level) {}

  private final Stock stock;
  private final Map<Want, FreeLater> alone = new Latest<>();
  private final Map<Together, FreeTogether> together = new Latest<>();

  Ahead(Stock stock) {
    this.stock = stock;
  }

  void touch(int node) {
    if (!alone.isEmpty()) {
      alone.values().forEach(index -> index.touch(node));
    }
    if (!together.isEmpty()) {
      together.values().forEach(index -> index.touch(node));
    }
  }

  /** For so many items of a demand on one node. */
  FreeLater alone(Demand demand, int items) {
    Want want = want(demand, items);
    FreeLater known = alone.get(want);
    if (known == null || known.item().model() != demand.model()) {
      known = new FreeLater(stock, item(demand, want));
      alone.put(want, known);
    }
    return known;
  }

  /** For items of a demand that share a domain of a level, or the stock. */
  FreeTogether together(Demand demand, @Nullable Level level) {
    Together want = new Together(want(demand, 1), level);
    FreeTogether known = together.get(want);
    if (known == null || known.item().model() != demand.model()) {
      known = new FreeTogether(stock, item(demand, want.want()), level);
      together.put(want, known);
    }
    return known;
  }

  private static Want want(Demand demand, int items) {
    long cpu = items * demand.cpuMilli();
    int at = 0;
    while (at + 1 < CPUS.length && CPUS[at + 1] <= cpu) {
      at++;
    }
    return new Want(demand.slice(), items * demand.each(), CPUS[at]);
  }

  private static Demand item(Demand demand, Want want) {
    return new Demand(
        demand.slice(),
        demand.model(),
        demand.profile(),
        1,
        want.each(),
        want.cpuMilli(),
        0,
        false);
  }

  /** The ones asked for last. */
  private static final class Latest<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;

    Latest() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > MOST;
    }
  }
}
