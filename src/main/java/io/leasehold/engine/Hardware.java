package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The models, nodes and clusters there are, and the stocks that the nodes make up: built when first
 * asked for, and again after a node came, went or moved.
 */
final class Hardware {

  private final Undo undo;
  private final Mix mix;
  private final Map<String, GpuModel> models = new TreeMap<>();
  private final Map<UUID, NodeTimeline> nodes = new HashMap<>();
  private final TreeMap<Integer, NodeTimeline> byOrdinal = new TreeMap<>();
  private final TreeSet<String> paused = new TreeSet<>();

  /** Stocks by model; dropped when a node changes, built again when next asked for. */
  private @Nullable TreeMap<String, List<Stock>> stocks;

  /** The models of the stocks. */
  private List<String> occurring = List.of();

  /** Healthy GPUs by model, counted when asked for; forgotten when a node changes. */
  private final Map<String, Long> healthy = new HashMap<>();

  /** What the nodes could take; put together when asked for, forgotten when a node changes. */
  private @Nullable Hosts hosts;

  /** By ordinal; put together when asked for, forgotten when a node changes. */
  private @Nullable List<Node> inOrder;

  /** The last instant that was decided at, for stocks that are built anew. */
  private long clock;

  /**
   * @param mix of what is asked for: nodes are measured with it
   */
  Hardware(Undo undo, Mix mix) {
    this.undo = undo;
    this.mix = mix;
  }

  /** Decisions are made at this instant from now on. */
  void moveTo(long now) {
    clock = now;
  }

  long clock() {
    return clock;
  }

  void set(GpuModel model) {
    GpuModel before = models.put(model.slug(), model);
    undo.record(
        () -> {
          if (before == null) {
            models.remove(model.slug());
          } else {
            models.put(model.slug(), before);
          }
        });
  }

  void set(Node node) {
    NodeTimeline known = nodes.get(node.id());
    if (known == null) {
      NodeTimeline timeline = new NodeTimeline(node);
      nodes.put(node.id(), timeline);
      byOrdinal.put(node.ordinal(), timeline);
      stocks = null;
      forgetCounts();
      undo.record(
          () -> {
            nodes.remove(node.id());
            byOrdinal.remove(node.ordinal());
            stocks = null;
            forgetCounts();
          });
    } else {
      Node before = known.node();
      become(known, node);
      undo.record(() -> become(known, before));
    }
  }

  private void become(NodeTimeline timeline, Node node) {
    Node before = timeline.node();
    boolean stays =
        before.cluster().equals(node.cluster())
            && before.model().equals(node.model())
            && before.domain().equals(node.domain())
            && before.name().equals(node.name())
            && before.retired() == node.retired();
    if (!stays) {
      stocks = null;
    }
    timeline.become(node);
    forgetCounts();
  }

  private void forgetCounts() {
    healthy.clear();
    hosts = null;
    inOrder = null;
  }

  /** A paused cluster gets nothing new. */
  void setPaused(String cluster, boolean pause) {
    boolean changed = pause ? paused.add(cluster) : paused.remove(cluster);
    if (changed) {
      undo.record(() -> setPausedBack(cluster, !pause));
    }
  }

  private void setPausedBack(String cluster, boolean pause) {
    if (pause) {
      paused.add(cluster);
    } else {
      paused.remove(cluster);
    }
  }

  @Nullable GpuModel model(String slug) {
    return models.get(slug);
  }

  @Nullable Node node(UUID id) {
    NodeTimeline timeline = nodes.get(id);
    return timeline == null ? null : timeline.node();
  }

  /** By ordinal. */
  Collection<Node> nodes() {
    if (inOrder == null) {
      inOrder = byOrdinal.values().stream().map(NodeTimeline::node).toList();
    }
    return inOrder;
  }

  /** Null for a node never heard of. */
  @Nullable NodeTimeline timeline(UUID node) {
    return nodes.get(node);
  }

  /** The node that a slot lies on. */
  NodeTimeline timeline(Booking.Slot slot) {
    NodeTimeline at = nodes.get(slot.node());
    if (at == null) {
      throw new IllegalStateException("no node " + slot.node() + " in this pool");
    }
    return at;
  }

  boolean isPaused(String cluster) {
    return paused.contains(cluster);
  }

  /** Where a shape may lie at all: the stocks of a model in clusters that take leases. */
  List<Stock> open(Shape.Where where, String model) {
    return stocks(model).stream()
        .filter(stock -> allows(where, stock.cluster()) && !isPaused(stock.cluster()))
        .toList();
  }

  static boolean allows(Shape.Where where, String cluster) {
    return (where.clusters().isEmpty() || where.clusters().contains(cluster))
        && !where.avoidClusters().contains(cluster);
  }

  /** What nodes are measured with as things stand. */
  Score score() {
    if (hosts == null) {
      hosts = new Hosts();
      byOrdinal.values().forEach(hosts::add);
    }
    return mix.score(hosts);
  }

  /** GPUs of a model that are not retired and healthy (draining ones until their deadline). */
  long healthyGpus(String model) {
    return healthy.computeIfAbsent(model, this::countHealthy);
  }

  private long countHealthy(String model) {
    long sum = 0;
    for (NodeTimeline at : byOrdinal.values()) {
      if (at.node().model().equals(model)) {
        sum += at.healthyGpus();
      }
    }
    return sum;
  }

  /** The models that occur, by slug. */
  List<String> models() {
    stocks();
    return occurring;
  }

  /** The stocks of a model, whoever may have them. */
  List<Stock> stocks(String model) {
    return stocks().getOrDefault(model, List.of());
  }

  private TreeMap<String, List<Stock>> stocks() {
    if (stocks == null) {
      TreeMap<String, TreeMap<String, List<NodeTimeline>>> members = new TreeMap<>();
      for (NodeTimeline at : byOrdinal.values()) {
        if (!at.node().retired()) {
          members
              .computeIfAbsent(at.node().model(), _ -> new TreeMap<>())
              .computeIfAbsent(at.node().cluster(), _ -> new ArrayList<>())
              .add(at);
        }
      }
      TreeMap<String, List<Stock>> built = new TreeMap<>();
      members.forEach(
          (model, clusters) -> {
            List<Stock> each = new ArrayList<>();
            clusters.forEach(
                (cluster, nodes) -> each.add(new Stock(cluster, nodes, this::score, clock)));
            built.put(model, each);
          });
      stocks = built;
      occurring = List.copyOf(built.keySet());
    }
    return stocks;
  }
}
