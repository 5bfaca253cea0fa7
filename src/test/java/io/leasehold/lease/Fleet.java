package io.leasehold.lease;

import io.leasehold.engine.Domain;
import io.leasehold.engine.GpuModel;
import io.leasehold.engine.GpuModel.Profile;
import io.leasehold.engine.Health;
import io.leasehold.engine.Node;
import io.leasehold.engine.ServiceClass;
import io.leasehold.web.StrictJson;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;

/** A small installation in memory: three models, two pools, four classes, a clock set by hand. */
final class Fleet {

  static final JsonMapper JSON = StrictJson.mapper();
  static final Instant NOON = Instant.parse("2027-03-01T12:00:00Z");
  static final UUID NODE = UUID.fromString("0199e111-0000-7000-8000-000000000014");

  static final GpuModel H100 =
      new GpuModel(
          "h100",
          "NVIDIA-H100-80GB-HBM3",
          List.of("h100-sxm"),
          81_559,
          8,
          7,
          List.of(
              new Profile("1g.10gb", 1, 1, List.of(0, 1, 2, 3, 4, 5, 6), 7),
              new Profile("3g.40gb", 4, 3, List.of(0, 4), 2)),
          60_000_000);
  static final GpuModel A100 =
      new GpuModel(
          "a100",
          "NVIDIA-A100-SXM4-80GB",
          List.of(),
          81_920,
          8,
          7,
          List.of(new Profile("1g.10gb", 1, 1, List.of(0, 1, 2, 3, 4, 5, 6), 7)),
          0);
  static final GpuModel T4 =
      new GpuModel("t4", "Tesla-T4", List.of("tesla-t4"), 15_360, 0, 0, List.of(), 0);
  static final List<GpuModel> MODELS = List.of(H100, A100, T4);

  static final ServiceClass REALTIME = serviceClass("realtime", 1000, false);
  static final ServiceClass BATCH = serviceClass("batch", 100, true);
  static final List<ServiceClass> CLASSES = List.of(REALTIME, BATCH);

  private Fleet() {}

  private static ServiceClass serviceClass(String slug, int priority, boolean preemptible) {
    return new ServiceClass(
        slug,
        priority,
        !preemptible,
        preemptible,
        !preemptible,
        0,
        0,
        30_000_000,
        60_000_000,
        4 * 3_600_000_000L,
        30 * 86_400_000_000L,
        180 * 86_400_000_000L);
  }

  /** Tenant nlp can use both pools, lost none, all others main. */
  static SortedSet<String> poolsOf(String tenant) {
    return switch (tenant) {
      case "nlp" -> new TreeSet<>(List.of("edge", "main"));
      case "lost" -> Collections.emptySortedSet();
      default -> new TreeSet<>(List.of("main"));
    };
  }

  static Optional<GpuModel> model(String name) {
    String wanted = name.toLowerCase(Locale.ROOT);
    return MODELS.stream()
        .filter(
            model ->
                model.slug().equals(wanted)
                    || model.canonical().toLowerCase(Locale.ROOT).equals(wanted)
                    || model.aliases().contains(wanted))
        .findAny();
  }

  static Node node(Health... healths) {
    return new Node(
        NODE,
        14,
        "k8s-east",
        "e-014",
        "h100",
        new Domain("eu-1", "eu-1a", "b3", "r7", null),
        0,
        0,
        java.util.stream.IntStream.range(0, healths.length)
            .mapToObj(i -> new Node.Gpu("GPU-" + i, healths[i]))
            .toList(),
        null,
        false);
  }

  static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  static long micros(String instant) {
    return micros(Instant.parse(instant));
  }

  static Translation translation(Instant now) {
    return new Translation(
        slug -> CLASSES.stream().filter(each -> each.slug().equals(slug)).findAny(),
        () -> CLASSES,
        Fleet::model,
        () -> MODELS,
        Fleet::poolsOf,
        pool -> pool.equals("main") ? List.of("k8s-east") : List.of("slurm-west"),
        () -> micros(now),
        JSON);
  }
}
