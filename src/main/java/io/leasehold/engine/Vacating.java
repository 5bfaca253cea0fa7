package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Chooses what to move: one, two or three parts on one node if that is enough, the cheapest first;
 * else, in each domain that might take the request, as many of the cheapest nodes as it takes, less
 * what turns out not to be needed.
 */
final class Vacating {

  private static final int TOGETHER = 3;
  private static final int MOST_TRIES = 256;
  private static final int MOST_DOMAINS = 64;

  private final Book book;
  private final Resettling resettling;
  private final Shape shape;
  private final Map<UUID, Long> free = new HashMap<>();
  private final long perItem;
  private final int items;
  private final String model;
  private final Span hold;

  Vacating(Book book, Resettling resettling, Shape shape, String model, Span hold) {
    this.book = book;
    this.resettling = resettling;
    this.shape = shape;
    this.model = model;
    this.hold = hold;
    Demand demand = Demand.of(shape, book.model(model));
    this.items = demand == null ? 0 : demand.items();
    this.perItem = items == 0 ? 0 : Need.milli(shape, book.model(model)) / items;
  }

  Resettling.@Nullable Cleared fewest(List<Resettling.Part> parts) {
    if (items == 0 || parts.isEmpty()) {
      return null;
    }
    countFree();
    List<List<Resettling.Part>> nodes = byNode(parts);
    Resettling.Cleared one = together(nodes, 1);
    if (one != null) {
      return one;
    }
    Resettling.Cleared few = null;
    for (int size = 2; size <= TOGETHER && few == null; size++) {
      few = together(nodes, size);
    }
    return few != null && items == 1 ? few : cheaper(few, inDomains(nodes));
  }

  private static Resettling.@Nullable Cleared cheaper(
      Resettling.@Nullable Cleared one, Resettling.@Nullable Cleared other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return Resettling.Cleared.CHEAPEST.compare(other, one) < 0 ? other : one;
  }

  /** Thousandths of GPUs of each node that nothing has during the hold. */
  private void countFree() {
    for (Node node : book.capacity().nodes()) {
      if (node.model().equals(model)) {
        free.put(node.id(), (long) node.gpus().size() * Units.PER_GPU);
      }
    }
    for (Lease lease : book.register().all()) {
      Booking taken = lease.taken();
      if (taken != null && taken.model().equals(model) && taken.hold().overlaps(hold)) {
        taken
            .slots()
            .forEach(slot -> free.merge(slot.node(), -(long) slot.units().size(), Long::sum));
      }
    }
  }

  private List<List<Resettling.Part>> byNode(List<Resettling.Part> parts) {
    TreeMap<Integer, List<Resettling.Part>> byNode = new TreeMap<>();
    for (Resettling.Part part : parts) {
      byNode.computeIfAbsent(ordinal(part), _ -> new ArrayList<>()).add(part);
    }
    return new ArrayList<>(byNode.values());
  }

  private int ordinal(Resettling.Part part) {
    return Objects.requireNonNull(book.node(part.node())).ordinal();
  }

  /** So many parts of one node, where they leave room for one more group there. */
  private Resettling.@Nullable Cleared together(List<List<Resettling.Part>> nodes, int size) {
    List<List<Resettling.Part>> sets = new ArrayList<>();
    for (List<Resettling.Part> node : nodes) {
      choose(node, size, 0, new ArrayList<>(), sets);
    }
    sets.sort(Comparator.comparingLong(Vacating::milli));
    for (List<Resettling.Part> set : sets.subList(0, Math.min(sets.size(), MOST_TRIES))) {
      Resettling.Cleared cleared = resettling.without(set);
      if (cleared != null) {
        return cleared;
      }
    }
    return null;
  }

  private void choose(
      List<Resettling.Part> node,
      int size,
      int first,
      List<Resettling.Part> chosen,
      List<List<Resettling.Part>> sets) {
    if (chosen.size() == size) {
      if (free.getOrDefault(chosen.getFirst().node(), 0L) + milli(chosen) >= perItem) {
        sets.add(List.copyOf(chosen));
      }
      return;
    }
    for (int i = first; i < node.size() && sets.size() < 16 * MOST_TRIES; i++) {
      chosen.addLast(node.get(i));
      choose(node, size, i + 1, chosen, sets);
      chosen.removeLast();
    }
  }

  private Resettling.@Nullable Cleared inDomains(List<List<Resettling.Part>> nodes) {
    Resettling.Cleared best = null;
    for (List<List<Resettling.Part>> domain : domains(nodes)) {
      best = cheaper(best, cheapestNodes(domain));
    }
    return best;
  }

  /** The nodes of each domain that would have to take everything; each cheapest first. */
  private List<List<List<Resettling.Part>>> domains(List<List<Resettling.Part>> nodes) {
    Map<String, List<List<Resettling.Part>>> domains = new TreeMap<>();
    Level level = items == 1 ? Level.NODE : Topology.of(shape.topology()).required();
    for (List<Resettling.Part> each : nodes) {
      Node node = Objects.requireNonNull(book.node(each.getFirst().node()));
      String path =
          level == null
              ? ""
              : level == Level.NODE
                  ? node.domain().pathOf(node.name())
                  : String.valueOf(node.domain().path(level));
      domains.computeIfAbsent(node.cluster() + " " + path, _ -> new ArrayList<>()).add(each);
    }
    List<List<List<Resettling.Part>>> order = new ArrayList<>(domains.values());
    order.forEach(domain -> domain.sort(Comparator.comparingLong(Vacating::milli)));
    order.sort(
        Comparator.comparingLong(domain -> domain.stream().mapToLong(Vacating::milli).sum()));
    return order.subList(0, Math.min(order.size(), MOST_DOMAINS));
  }

  private Resettling.@Nullable Cleared cheapestNodes(List<List<Resettling.Part>> nodes) {
    if (!resettling.fitsWithout(first(nodes, nodes.size()))) {
      return null;
    }
    int fails = 0;
    int fits = nodes.size();
    while (fits - fails > 1) {
      int middle = (fits + fails) >>> 1;
      if (resettling.fitsWithout(first(nodes, middle))) {
        fits = middle;
      } else {
        fails = middle;
      }
    }
    Resettling.Cleared cleared = resettling.without(first(nodes, fits));
    return cleared != null ? lessWhatIsNotNeeded(cleared) : wider(nodes, fits);
  }

  /** Where those that move have no place, more nodes to choose from may help. */
  private Resettling.@Nullable Cleared wider(List<List<Resettling.Part>> nodes, int fits) {
    if (fits == nodes.size()) {
      return null;
    }
    Resettling.Cleared cleared = resettling.without(first(nodes, nodes.size()));
    return cleared == null ? null : lessWhatIsNotNeeded(cleared);
  }

  private Resettling.Cleared lessWhatIsNotNeeded(Resettling.Cleared cleared) {
    Resettling.Cleared best = cleared;
    List<Resettling.Part> largestFirst = new ArrayList<>(cleared.parts());
    largestFirst.sort(Collections.reverseOrder(Comparator.comparingLong(Resettling.Part::milli)));
    for (Resettling.Part part : largestFirst) {
      List<Resettling.Part> fewer = new ArrayList<>(best.parts());
      if (fewer.remove(part) && !fewer.isEmpty()) {
        Resettling.Cleared without = resettling.without(fewer);
        best = without == null ? best : without;
      }
    }
    return best;
  }

  private static List<Resettling.Part> first(List<List<Resettling.Part>> nodes, int many) {
    return nodes.subList(0, many).stream().flatMap(List::stream).toList();
  }

  private static long milli(List<Resettling.Part> parts) {
    return parts.stream().mapToLong(Resettling.Part::milli).sum();
  }
}
