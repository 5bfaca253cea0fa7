package io.leasehold.publishing;

/** One kind of cluster that can be published to. */
public interface ClusterAdapter {

  /** As the cluster's {@code adapter} names it. */
  String name();

  /**
   * The port to one cluster; opening it makes no call.
   *
   * @param settings JSON, as the cluster was registered with
   */
  Cluster open(String slug, String settings);
}
