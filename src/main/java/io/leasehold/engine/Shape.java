package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is asked for, without when and by whom. Equal shapes are tried once.
 *
 * @param models slugs in order of preference; empty = any
 * @param minMemoryMiB of one GPU; 0 = any
 * @param groups how many groups, each on one node; 0 = {@code count} GPUs anywhere in one cluster
 * @param count GPUs (or MIG instances, or fractions) per group, or in all without groups; 0 only in
 *     simulations
 * @param slice whole GPUs, a MIG profile or a fraction
 * @param cpuMilli per group, or for the whole lease without groups (then divided per GPU)
 * @param memoryMiB likewise
 * @param minCount the fewest GPUs (or groups, where there are any) it may start with; 0 = all
 */
public record Shape(
    List<String> models,
    int minMemoryMiB,
    int groups,
    int count,
    Slice slice,
    long cpuMilli,
    long memoryMiB,
    List<Spread> topology,
    Where where,
    int minCount) {

  public Shape {
    models = List.copyOf(models);
    topology = List.copyOf(topology);
  }

  /** All or nothing. */
  public Shape(
      List<String> models,
      int minMemoryMiB,
      int groups,
      int count,
      Slice slice,
      long cpuMilli,
      long memoryMiB,
      List<Spread> topology,
      Where where) {
    this(models, minMemoryMiB, groups, count, slice, cpuMilli, memoryMiB, topology, where, 0);
  }

  /** GPUs, instances or fractions over all groups. */
  public int pieces() {
    return Math.max(1, groups) * count;
  }

  /** So many groups, or GPUs where there are none, and no fewer. */
  Shape resized(int size) {
    Shape resized = scaled(size);
    return new Shape(
        models,
        minMemoryMiB,
        resized.groups,
        resized.count,
        slice,
        resized.cpuMilli,
        resized.memoryMiB,
        topology,
        where);
  }

  /** By these rules of the topology instead. */
  Shape by(List<Spread> rules) {
    return new Shape(
        models, minMemoryMiB, groups, count, slice, cpuMilli, memoryMiB, rules, where, minCount);
  }

  /** How many groups, or GPUs where there are none. */
  public int size() {
    return groups > 0 ? groups : count;
  }

  /** The same with CPU and memory in proportion, where they are those of the whole lease. */
  Shape scaled(int size) {
    boolean grouped = groups > 0;
    return new Shape(
        models,
        minMemoryMiB,
        grouped ? size : 0,
        grouped ? count : size,
        slice,
        grouped ? cpuMilli : share(cpuMilli, size),
        grouped ? memoryMiB : share(memoryMiB, size),
        topology,
        where,
        Math.min(minCount, size));
  }

  /** The least it starts with; itself where it is all or nothing. */
  Shape least() {
    return minCount > 0 && minCount < size() ? scaled(minCount) : this;
  }

  private long share(long whole, int size) {
    return count == 0 ? whole : Math.ceilDiv(whole * size, (long) count);
  }

  /** Not on these nodes either. */
  Shape avoiding(List<UUID> nodes) {
    List<UUID> all = new ArrayList<>(where.avoidNodes());
    all.addAll(nodes);
    Where elsewhere = new Where(where.clusters(), where.avoidClusters(), all, where.within());
    return new Shape(
        models,
        minMemoryMiB,
        groups,
        count,
        slice,
        cpuMilli,
        memoryMiB,
        topology,
        elsewhere,
        minCount);
  }

  Shape ofModel(String model) {
    return new Shape(
        List.of(model),
        minMemoryMiB,
        groups,
        count,
        slice,
        cpuMilli,
        memoryMiB,
        topology,
        where,
        minCount);
  }

  /** The models named, whatever order of preference they were named in. */
  List<String> modelSet() {
    return models.size() < 2 ? models : models.stream().sorted().toList();
  }

  /** Of what tells most shapes apart; equality looks at everything. */
  @Override
  public int hashCode() {
    int hash = 31 * groups + count;
    hash = 31 * hash + slice.hashCode();
    hash = 31 * hash + Long.hashCode(cpuMilli);
    return 31 * hash + models.hashCode();
  }

  /** What one piece is. */
  public sealed interface Slice {
    Whole WHOLE = new Whole();

    Mode mode();

    record Whole() implements Slice {
      @Override
      public Mode mode() {
        return Mode.WHOLE;
      }
    }

    /** An instance of a MIG profile, by its name. */
    record Mig(String profile) implements Slice {
      @Override
      public Mode mode() {
        return Mode.MIG;
      }
    }

    /** A fraction of one GPU in thousandths, 1 to 999. */
    record Share(int milli) implements Slice {
      @Override
      public Mode mode() {
        return Mode.SHARED;
      }
    }
  }

  /** A rule about a level of the topology. {@code atMost} counts GPUs per domain of the level. */
  public record Spread(Level level, Rule rule, @Nullable Integer atMost) {
    public enum Rule {
      /** All in one domain of the level, or not at all. */
      REQUIRED,
      /** In as few domains of the level as possible. */
      PREFERRED,
      /** Over as many domains of the level as possible. */
      SPREAD
    }
  }

  /**
   * Where it may lie. Empty lists allow everything.
   *
   * @param clusters only these
   * @param within only below these domain paths ({@code eu-1/eu-1a})
   * @param avoidNodes ids of nodes never to be used
   */
  public record Where(
      List<String> clusters,
      List<String> avoidClusters,
      List<UUID> avoidNodes,
      List<String> within) {

    public static final Where ANYWHERE = new Where(List.of(), List.of(), List.of(), List.of());

    public Where {
      clusters = List.copyOf(clusters);
      avoidClusters = List.copyOf(avoidClusters);
      avoidNodes = List.copyOf(avoidNodes);
      within = List.copyOf(within);
    }
  }
}
