package io.leasehold.publishing.simulated;

import io.leasehold.publishing.ClusterAdapter;
import java.time.InstantSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Simulated clusters for the tests of publishing. */
public final class SimulatedPorts {

  private SimulatedPorts() {}

  public static void register(AnnotationConfigApplicationContext context) {
    context.register(SimulatedClusters.class);
  }

  public static ClusterAdapter adapter(JdbcClient database, InstantSource clock) {
    return new SimulatedClusters(database, clock);
  }

  public static void simulate(JdbcClient database, String cluster, String body) {
    new Simulations(database).put(cluster, Simulations.read(body));
  }
}
