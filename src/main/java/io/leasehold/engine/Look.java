package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a search for devices over one time has seen so far, cluster by cluster. */
final class Look {

  final @Nullable Demand demand;
  final Topology topology;
  final List<Window> tried = new ArrayList<>();
  @Nullable Fit best;
  @Nullable String held;

  Look(@Nullable Demand demand, Topology topology) {
    this.demand = demand;
    this.topology = topology;
  }

  void into(Window window, boolean scored) {
    Fit fit = window.mayFit(isOnOneNode(window.demand())) ? fit(window, scored) : null;
    if (fit == null) {
      tried.add(window);
    } else if (best == null || fit.isBetterThan(best)) {
      best = fit;
    }
  }

  private boolean isOnOneNode(Demand demand) {
    return demand.items() == 1 || topology.required() == Level.NODE;
  }

  private @Nullable Fit fit(Window window, boolean scored) {
    Fit fit = Quick.fit(window, topology);
    if (fit == null && window.index() == null && !window.over().empty()) {
      fit = Quick.fit(window.forGood(), topology);
    }
    if (fit == null && scored) {
      fit = Quick.inOrder(window, topology);
    }
    boolean sawEachNode = scored && isOnOneNode(window.demand());
    return fit == null && !sawEachNode ? Packing.of(window, topology, scored).pack() : fit;
  }

  /** What it came to, with the numbers of where it came closest. */
  Found found(String slug, Span hold, Budget budget) {
    if (budget.isSpent()) {
      return new Found.GaveUp();
    }
    if (best != null) {
      return new Found.Room(best.booking(slug, hold));
    }
    if (!tried.isEmpty()) {
      return tried.stream()
          .map(each -> Miss.of(each, topology))
          .min(Miss.CLOSEST)
          .orElseThrow()
          .none();
    }
    if (demand == null) {
      return nothing(slug + " can not serve this slice or this much memory", "pool", "");
    }
    return held == null
        ? nothing("no node of " + slug + " where it may lie", "pool", "")
        : nothing("cluster " + held + " is paused", "cluster", held);
  }

  private static Found.None nothing(String detail, String scope, String name) {
    return new Found.None(Found.None.Kind.COUNT, 0, 0, detail, scope, name, List.of());
  }
}
