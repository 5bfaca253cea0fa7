package io.leasehold.publishing;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The clusters as the fleet registered them, each behind its adapter. */
final class Clusters {

  private final JdbcClient database;
  private final Map<String, ClusterAdapter> adapters;
  private final Map<Registered, Cluster> open = new ConcurrentHashMap<>();

  Clusters(JdbcClient database, List<ClusterAdapter> adapters) {
    this.database = database;
    this.adapters =
        adapters.stream().collect(Collectors.toMap(ClusterAdapter::name, Function.identity()));
  }

  /** A row of the fleet's table; another row of the same slug is opened anew. */
  record Registered(String slug, String pool, String adapter, String settings) {}

  List<Registered> all() {
    return database
        .sql("select slug, pool, adapter, settings::text from cluster order by slug")
        .query(Registered.class)
        .list();
  }

  Optional<Registered> find(String slug) {
    return database
        .sql("select slug, pool, adapter, settings::text from cluster where slug = :slug")
        .param("slug", slug)
        .query(Registered.class)
        .optional();
  }

  /** Throws {@link ClusterAway} where it can not be opened. */
  Cluster port(Registered cluster) {
    Cluster port = open.get(cluster);
    if (port == null) {
      open.keySet().removeIf(known -> known.slug().equals(cluster.slug()));
      port = open.computeIfAbsent(cluster, this::open);
    }
    return port;
  }

  private Cluster open(Registered cluster) {
    ClusterAdapter adapter = adapters.get(cluster.adapter());
    if (adapter == null) {
      throw new ClusterAway(
          "Cluster %s wants the adapter %s; this replica has %s"
              .formatted(cluster.slug(), cluster.adapter(), adapters.keySet()));
    }
    try {
      return adapter.open(cluster.slug(), cluster.settings());
    } catch (RuntimeException unusable) {
      throw new ClusterAway("Cluster " + cluster.slug() + " can not be opened: " + unusable);
    }
  }
}
