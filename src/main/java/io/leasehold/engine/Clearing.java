package io.leasehold.engine;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes of a stock would have free if victims were gone, domain by domain. A bound: it
 * counts units, and leaves CPU, layouts and what is planned in between to the search itself.
 */
final class Clearing {

  private static final int EVERYWHERE = 0;
  private static final int MOST_TRIES = 4;

  private final Book book;
  private final Stock stock;
  private final Demand demand;
  private final Topology topology;

  /** The level of the domains; null = the whole stock is one. */
  private final @Nullable Level domain;

  private final Over over;
  private final Window window;
  private final Map<Integer, Spot> spots = new HashMap<>();
  private final Map<Integer, Domain> domains = new HashMap<>();

  /** A node with victims on it. */
  private final class Spot {
    final int[] free;
    final List<VictimWalk.Victim> victims = new ArrayList<>();
    int items;

    Spot(int node) {
      free = freeOn(node);
      items = items(free);
    }
  }

  /** More items on a node by the end of its first victims. */
  private record Gain(int node, int victims, int items) {}

  private static final Comparator<Gain> MOST_FIRST =
      Comparator.comparingInt((Gain gain) -> -gain.items()).thenComparingInt(Gain::node);

  /** A domain that would have to take everything. */
  private static final class Domain {
    final List<Gain> gains = new ArrayList<>();
    int base;
    int items;
    int tries;
  }

  Clearing(Book book, Stock stock, Demand demand, Shape shape, Span hold) {
    this.book = book;
    this.stock = stock;
    this.demand = demand;
    this.topology = Topology.of(shape.topology());
    this.domain = demand.items() == 1 ? Level.NODE : topology.required();
    this.over = new Over(hold.start(), hold.end(), false, false);
    this.window = Window.exact(stock, demand, over, shape.where(), new Budget(Long.MAX_VALUE));
  }

  /** Counts a victim as gone; the domains that gain by it and may take everything now. */
  List<Integer> add(VictimWalk.Victim victim) {
    List<Integer> open = new ArrayList<>();
    if (victim.ends()) {
      byNode(victim.slots()).forEach((_, slots) -> add(victim, slots, open));
    } else {
      byDomain(victim)
          .forEach(
              (domain, parts) -> {
                VictimWalk.Victim here = victim.giving(victim.most(), parts);
                byNode(here.slots()).forEach((_, slots) -> add(here, slots, open));
              });
    }
    return open;
  }

  /** What a gang would give to each domain: of the nodes that gain most by it first. */
  private Map<Integer, List<Booking.Slot>> byDomain(VictimWalk.Victim victim) {
    Map<Integer, TreeMap<Gain, List<Booking.Slot>>> nodes = new TreeMap<>();
    Surplus surplus = new Surplus(book, victim.lease());
    byNode(surplus.parts())
        .forEach(
            (id, parts) -> {
              int node = stock.indexOf(id);
              if (node >= 0 && window.allows(node) && domainOf(node) >= 0) {
                List<Booking.Slot> most = parts.subList(0, Math.min(parts.size(), victim.most()));
                nodes
                    .computeIfAbsent(domainOf(node), _ -> new TreeMap<>(MOST_FIRST))
                    .put(new Gain(node, 0, gain(node, most)), most);
              }
            });
    Map<Integer, List<Booking.Slot>> byDomain = new TreeMap<>();
    nodes.forEach(
        (domain, parts) ->
            byDomain.put(
                domain,
                parts.values().stream().flatMap(List::stream).limit(victim.most()).toList()));
    return byDomain;
  }

  private int gain(int node, List<Booking.Slot> slots) {
    int[] free = spots.containsKey(node) ? spots.get(node).free.clone() : freeOn(node);
    int before = items(free);
    change(free, node, slots, 1);
    return items(free) - before;
  }

  private static Map<UUID, List<Booking.Slot>> byNode(List<Booking.Slot> slots) {
    Map<UUID, List<Booking.Slot>> byNode = new LinkedHashMap<>();
    for (Booking.Slot slot : slots) {
      byNode.computeIfAbsent(slot.node(), _ -> new ArrayList<>()).add(slot);
    }
    return byNode;
  }

  private void add(VictimWalk.Victim victim, List<Booking.Slot> slots, List<Integer> open) {
    int node = stock.indexOf(slots.getFirst().node());
    if (node < 0 || !window.allows(node) || domainOf(node) < 0) {
      return;
    }
    Domain domain = domains.computeIfAbsent(domainOf(node), _ -> domain(node));
    Spot spot = spots.computeIfAbsent(node, Spot::new);
    change(spot.free, node, slots, 1);
    spot.victims.add(victim);
    int more = items(spot.free) - spot.items;
    if (more > 0) {
      spot.items += more;
      domain.items += more;
      domain.gains.add(new Gain(node, spot.victims.size(), more));
    }
    if (domain.items >= demand.items() && !open.contains(domainOf(node))) {
      open.add(domainOf(node));
    }
  }

  /**
   * Counts units as free so many times; a GPU may be counted for several that follow each other.
   */
  private void change(int[] free, int node, List<Booking.Slot> slots, int times) {
    long usable = stock.node(node).usable();
    int[] freed = new int[Node.MOST_GPUS];
    slots.forEach(slot -> slot.units().addTo(freed));
    for (int gpu = 0; gpu < free.length; gpu++) {
      free[gpu] += (usable >>> gpu & 1) == 1 ? times * freed[gpu] : 0;
    }
  }

  /** A domain as it would be by the end of some victims only. */
  final class Sum {
    private final int domain;
    private final Map<Integer, int[]> free = new HashMap<>();
    private int items;

    /** Something comes free outside the domain too, where it may fit as well. */
    private boolean spills;

    /** Of no domain: it may always fit somewhere. */
    private Sum() {
      this.domain = -1;
      this.spills = true;
    }

    private Sum(int domain, List<VictimWalk.Victim> victims) {
      this.domain = domain;
      this.items = Objects.requireNonNull(domains.get(domain)).base;
      victims.forEach(victim -> change(victim, 1));
    }

    /** Whether all may still fit if one of the victims stayed: no is sure. Counts it as staying. */
    boolean mayDoWithout(VictimWalk.Victim victim) {
      change(victim, -1);
      return spills || items >= demand.items();
    }

    /** Others go too, who are not counted. */
    void spill() {
      spills = true;
    }

    /** It goes all the same. */
    void restore(VictimWalk.Victim victim) {
      change(victim, 1);
    }

    private void change(VictimWalk.Victim victim, int times) {
      byNode(victim.slots())
          .forEach(
              (id, slots) -> {
                int node = stock.indexOf(id);
                if (node >= 0 && window.allows(node) && domainOf(node) == domain) {
                  int[] on = free.computeIfAbsent(node, Clearing.this::freeOn);
                  items -= items(on);
                  Clearing.this.change(on, node, slots, times);
                  items += items(on);
                } else {
                  spills = true;
                }
              });
    }
  }

  Sum anywhere() {
    return new Sum();
  }

  /** To be taken before any of them is ended on the book. */
  Sum sum(int domain, List<VictimWalk.Victim> victims) {
    return new Sum(domain, victims);
  }

  /** The victims that, by this count, make room in a domain: the first that do. */
  List<VictimWalk.Victim> enough(int domain) {
    Domain it = Objects.requireNonNull(domains.get(domain));
    Map<UUID, VictimWalk.Victim> victims = new HashMap<>();
    int items = it.base;
    for (Gain gain : it.gains) {
      if (items < demand.items()) {
        items += gain.items();
        Objects.requireNonNull(spots.get(gain.node()))
            .victims
            .subList(0, gain.victims())
            .forEach(victim -> victims.merge(victim.lease().id(), victim, Clearing::more));
      }
    }
    return inOrder(victims);
  }

  /** All that were counted in a domain so far. */
  List<VictimWalk.Victim> all(int domain) {
    Map<UUID, VictimWalk.Victim> victims = new HashMap<>();
    spots.forEach(
        (node, spot) -> {
          if (domainOf(node) == domain) {
            spot.victims.forEach(
                victim -> victims.merge(victim.lease().id(), victim, Clearing::more));
          }
        });
    return inOrder(victims);
  }

  /** The end of a lease takes all that it might give. */
  private static VictimWalk.Victim more(VictimWalk.Victim one, VictimWalk.Victim other) {
    return one.ends() ? one : other;
  }

  /** Whether a domain is worth another try: not once it was found, nor after a few in vain. */
  boolean isWorthATry(int domain) {
    return Objects.requireNonNull(domains.get(domain)).tries++ < MOST_TRIES;
  }

  void found(int domain) {
    Objects.requireNonNull(domains.get(domain)).tries = MOST_TRIES;
  }

  private static List<VictimWalk.Victim> inOrder(Map<UUID, VictimWalk.Victim> victims) {
    return victims.values().stream().sorted(Comparator.comparing(VictimWalk.Victim::rank)).toList();
  }

  /** The number of a node's domain; -1 where it may not lie. */
  private int domainOf(int node) {
    Level required = topology.required();
    boolean outside = required != null && stock.domain(node, required) < 0;
    return outside ? -1 : domain == null ? EVERYWHERE : stock.domain(node, domain);
  }

  private Domain domain(int member) {
    Domain found = new Domain();
    int number = domainOf(member);
    int from = domain == null ? 0 : member;
    while (domain != null && from > 0 && stock.domain(from - 1, domain) == number) {
      from--;
    }
    int to = stock.runEnd(from, stock.size(), domain);
    for (int node = from; node < to; node++) {
      found.base += window.items(node);
    }
    found.items = found.base;
    return found;
  }

  /** Units of each GPU that nothing holds at any instant of the time. */
  private int[] freeOn(int node) {
    NodeTimeline at = stock.node(node);
    int[] free = new int[at.node().gpus().size()];
    BitSet busy = at.units(over);
    for (int gpu = 0; gpu < free.length; gpu++) {
      int from = gpu * Units.PER_GPU;
      boolean usable = (at.usable() >>> gpu & 1) == 1;
      free[gpu] = usable ? Units.PER_GPU - busy.get(from, from + Units.PER_GPU).cardinality() : 0;
    }
    return free;
  }

  private int items(int[] free) {
    if (demand.each() == 0) {
      return demand.items();
    }
    int pieces = 0;
    for (int units : free) {
      pieces += Math.min(Units.PER_GPU, units) / demand.pieceMilli();
    }
    return pieces / demand.each();
  }
}
