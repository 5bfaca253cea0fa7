package io.leasehold.fleet;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;

/** Pools and the clusters in them, for the other features. Cached for a second. */
@Service
public class Pools {

  private final Recent<Directory> directory;

  Pools(PoolRepository pools, ClusterRepository clusters) {
    this.directory = new Recent<>(() -> Directory.of(pools.all(), clusters.all()));
  }

  public List<String> all() {
    return directory.get().pools();
  }

  public List<String> clustersOf(String pool) {
    return directory.get().clusters().getOrDefault(pool, List.of());
  }

  public Optional<String> poolOf(String cluster) {
    return Optional.ofNullable(directory.get().poolOfCluster().get(cluster));
  }

  void forget() {
    directory.forget();
  }

  private record Directory(
      List<String> pools, Map<String, List<String>> clusters, Map<String, String> poolOfCluster) {

    static Directory of(List<Pool> pools, List<Cluster> clusters) {
      return new Directory(
          pools.stream().map(Pool::slug).sorted().toList(),
          clusters.stream()
              .sorted((a, b) -> a.slug().compareTo(b.slug()))
              .collect(
                  Collectors.groupingBy(
                      Cluster::pool, Collectors.mapping(Cluster::slug, Collectors.toList()))),
          clusters.stream().collect(Collectors.toMap(Cluster::slug, Cluster::pool)));
    }
  }
}
