package io.leasehold.lease;

import io.leasehold.engine.GpuModel;
import io.leasehold.engine.Level;
import io.leasehold.engine.Shape;
import io.leasehold.engine.Shape.Slice;
import io.leasehold.engine.Shape.Spread;
import io.leasehold.engine.Shape.Where;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is asked for, read from a request: models, amounts, slices, topology and places. */
final class ShapeReader {

  static final int MOST_PIECES = 100_000;
  static final int MOST_PER_GROUP = 64;
  private static final int MOST_MODELS = 32;
  private static final int MOST_PLACES = 200;
  private static final int MOST_NODES = 1_000;
  private static final Pattern PATH =
      Pattern.compile("[^/\\p{Cntrl}]{1,128}(/[^/\\p{Cntrl}]{0,128}){0,4}");

  private final Faults faults;
  private final Function<String, Optional<GpuModel>> models;
  private final Collection<GpuModel> everyModel;
  private final Collection<String> clusters;

  /**
   * @param clusters of the pool
   */
  ShapeReader(
      Faults faults,
      Function<String, Optional<GpuModel>> models,
      Collection<GpuModel> everyModel,
      Collection<String> clusters) {
    this.faults = faults;
    this.models = models;
    this.everyModel = everyModel;
    this.clusters = clusters;
  }

  /** Models, amounts and topology alone. Only to be used where no faults were found. */
  Shape read(LeaseRequest.@Nullable Gpu gpu, @Nullable List<LeaseRequest.Topology> topology) {
    return read(gpu, topology, null, 0, 0);
  }

  /** Only to be used where no faults were found. */
  Shape read(LeaseRequest sent) {
    return read(
        sent.gpu(),
        sent.topology(),
        sent.placement(),
        faults.within("/cpuMilli", sent.cpuMilli(), 1, 1_000_000_000L, 0),
        faults.within("/memoryMiB", sent.memoryMiB(), 1, 1_000_000_000_000L, 0));
  }

  private Shape read(
      LeaseRequest.@Nullable Gpu gpu,
      @Nullable List<LeaseRequest.Topology> topology,
      LeaseRequest.@Nullable Placement placement,
      long cpuMilli,
      long memoryMiB) {
    if (gpu == null) {
      faults.required("/gpu", "Say which GPUs and how many.");
      gpu = new LeaseRequest.Gpu(null, null, null, null, null, null, null, null);
    } else {
      checkAmounts(gpu);
    }
    List<GpuModel> named = named(gpu);
    return new Shape(
        named.stream().map(GpuModel::slug).toList(),
        (int) faults.within("/gpu/minMemoryMiB", gpu.minMemoryMiB(), 1, 10_000_000, 0),
        gpu.groups() == null ? 0 : gpu.groups().intValue(),
        gpu.perGroup() != null ? gpu.perGroup().intValue() : count(gpu),
        slice(gpu, named),
        cpuMilli,
        memoryMiB,
        topology(topology),
        where(placement),
        minCount(gpu));
  }

  /** 0 where it is all or nothing. */
  private int minCount(LeaseRequest.Gpu gpu) {
    Long size = gpu.groups() != null ? gpu.groups() : gpu.count();
    long most = size == null ? MOST_PIECES : Math.clamp(size, 1, MOST_PIECES);
    return (int) faults.within("/gpu/minCount", gpu.minCount(), 1, most, 0);
  }

  private static int count(LeaseRequest.Gpu gpu) {
    return gpu.count() == null ? 1 : gpu.count().intValue();
  }

  private void checkAmounts(LeaseRequest.Gpu gpu) {
    faults.within("/gpu/count", gpu.count(), 1, MOST_PIECES, 1);
    long groups = faults.within("/gpu/groups", gpu.groups(), 1, MOST_PIECES, 1);
    long perGroup = faults.within("/gpu/perGroup", gpu.perGroup(), 1, MOST_PER_GROUP, 1);
    boolean grouped = gpu.groups() != null || gpu.perGroup() != null;
    if (gpu.count() != null && grouped) {
      faults.add("/gpu/count", "exactly-one", "Either count, or groups with perGroup.");
    } else if (gpu.count() == null && !grouped) {
      faults.required("/gpu/count", "Say how many: count, or groups with perGroup.");
    } else if (grouped && gpu.groups() == null) {
      faults.required("/gpu/groups", "perGroup needs groups.");
    } else if (grouped && gpu.perGroup() == null) {
      faults.required("/gpu/perGroup", "groups needs perGroup.");
    } else if (groups * perGroup > MOST_PIECES) {
      faults.add(
          "/gpu/groups",
          "out-of-range",
          groups + " x " + perGroup + " GPUs are more than " + MOST_PIECES + ".");
    }
  }

  private List<GpuModel> named(LeaseRequest.Gpu gpu) {
    if (gpu.models() == null) {
      return List.of();
    }
    faults.size("/gpu/models", gpu.models(), MOST_MODELS);
    List<GpuModel> named = new ArrayList<>();
    Set<String> seen = new LinkedHashSet<>();
    for (int i = 0; i < gpu.models().size(); i++) {
      String pointer = "/gpu/models/" + i;
      String name = gpu.models().get(i);
      Optional<GpuModel> model = name == null ? Optional.empty() : models.apply(name);
      if (model.isEmpty()) {
        faults.add(
            pointer,
            "unknown-model",
            Faults.quote(String.valueOf(name)) + " is no GPU model here. There are: " + aliases());
      } else if (!seen.add(model.get().slug())) {
        faults.add(pointer, "duplicate", model.get().slug() + " is named twice.");
      } else {
        named.add(model.get());
      }
    }
    return named;
  }

  private String aliases() {
    return everyModel.stream()
        .map(
            model ->
                model.slug()
                    + model.aliases().stream()
                        .filter(alias -> !alias.equals(model.slug()))
                        .collect(Collectors.joining(", ", " (", ")"))
                        .replace(" ()", ""))
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private Slice slice(LeaseRequest.Gpu gpu, List<GpuModel> named) {
    if (gpu.mig() == null && gpu.shareMilli() == null) {
      return Slice.WHOLE;
    }
    String pointer = gpu.mig() != null ? "/gpu/mig" : "/gpu/shareMilli";
    if (gpu.mig() != null && gpu.shareMilli() != null) {
      faults.add("/gpu/shareMilli", "exactly-one", "Either mig or shareMilli, not both.");
    }
    if (gpu.groups() != null || gpu.perGroup() != null) {
      faults.add(pointer, "not-allowed", "Slices of GPUs go with count, not with groups.");
    }
    if (gpu.mig() == null) {
      return new Slice.Share((int) faults.within(pointer, gpu.shareMilli(), 1, 999, 1));
    }
    Collection<GpuModel> candidates = gpu.models() == null ? everyModel : named;
    Set<String> profiles =
        candidates.stream()
            .flatMap(model -> model.profiles().stream())
            .map(GpuModel.Profile::name)
            .collect(Collectors.toCollection(java.util.TreeSet::new));
    if (!profiles.contains(gpu.mig())) {
      faults.add(
          pointer,
          "unknown-profile",
          Faults.quote(gpu.mig())
              + " is no MIG profile of the models asked for. There are: "
              + String.join(", ", profiles));
    }
    return new Slice.Mig(gpu.mig());
  }

  private List<Spread> topology(@Nullable List<LeaseRequest.Topology> sent) {
    if (sent == null) {
      return List.of();
    }
    List<Spread> rules = new ArrayList<>();
    Set<Level> seen = EnumSet.noneOf(Level.class);
    for (int i = 0; i < sent.size(); i++) {
      String pointer = "/topology/" + i;
      LeaseRequest.Topology rule = sent.get(i);
      if (rule == null || rule.level() == null || rule.rule() == null) {
        faults.required(pointer, "A rule has a level and a rule.");
        continue;
      }
      Optional<Level> level = faults.word(pointer + "/level", rule.level(), Level.class);
      Optional<Spread.Rule> kind = faults.word(pointer + "/rule", rule.rule(), Spread.Rule.class);
      long most = faults.within(pointer + "/atMost", rule.atMost(), 1, MOST_PIECES, MOST_PIECES);
      if (level.isPresent() && !seen.add(level.get())) {
        faults.add(pointer + "/level", "duplicate", rule.level() + " has two rules.");
      }
      if (level.isPresent() && kind.isPresent()) {
        rules.add(new Spread(level.get(), kind.get(), rule.atMost() == null ? null : (int) most));
      }
    }
    return rules;
  }

  private Where where(LeaseRequest.@Nullable Placement sent) {
    if (sent == null) {
      return Where.ANYWHERE;
    }
    return new Where(
        clusters("/placement/clusters", sent.clusters()),
        clusters("/placement/avoidClusters", sent.avoidClusters()),
        nodes("/placement/avoidNodeIds", sent.avoidNodeIds()),
        paths("/placement/within", sent.within()));
  }

  private List<String> clusters(String pointer, @Nullable List<String> sent) {
    return each(
        pointer,
        sent,
        MOST_PLACES,
        name -> Optional.of(name).filter(clusters::contains),
        "unknown-cluster",
        " is no cluster of the pool. There are: " + String.join(", ", clusters));
  }

  private List<UUID> nodes(String pointer, @Nullable List<String> sent) {
    return each(pointer, sent, MOST_NODES, Wire::id, "malformed", " is not an id.");
  }

  private List<String> paths(String pointer, @Nullable List<String> sent) {
    return each(
        pointer,
        sent,
        MOST_PLACES,
        path -> Optional.of(path).filter(PATH.asMatchPredicate()),
        "malformed",
        " is not a domain path such as eu-1/eu-1a.");
  }

  private <T> List<T> each(
      String pointer,
      @Nullable List<String> sent,
      int most,
      Function<String, Optional<T>> read,
      String code,
      String detail) {
    if (sent == null) {
      return List.of();
    }
    faults.size(pointer, sent, most);
    List<T> values = new ArrayList<>();
    for (int i = 0; i < sent.size(); i++) {
      String text = sent.get(i);
      Optional<T> value = text == null ? Optional.empty() : read.apply(text);
      if (value.isEmpty()) {
        faults.add(pointer + "/" + i, code, Faults.quote(String.valueOf(text)) + detail);
      } else {
        values.add(value.get());
      }
    }
    return values;
  }
}
