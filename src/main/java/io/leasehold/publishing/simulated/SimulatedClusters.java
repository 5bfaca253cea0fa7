package io.leasehold.publishing.simulated;

import io.leasehold.publishing.Cluster;
import io.leasehold.publishing.ClusterAdapter;
import io.leasehold.publishing.DatabaseClock;
import io.leasehold.publishing.PublishingConnections;
import java.time.InstantSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Opens simulated clusters; a cluster's settings are its simulation until it is changed. */
@Component
final class SimulatedClusters implements ClusterAdapter {

  private final JdbcClient database;
  private final InstantSource clock;

  @Autowired
  SimulatedClusters(PublishingConnections connections) {
    this(connections.database(), new DatabaseClock(connections.database()));
  }

  SimulatedClusters(JdbcClient database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "simulated";
  }

  @Override
  public Cluster open(String slug, String settings) {
    return new SimulatedCluster(
        slug,
        Simulations.read(settings),
        new Simulations(database),
        new SimulatedObjects(database, slug),
        clock);
  }
}
