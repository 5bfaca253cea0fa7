package io.leasehold.publishing.simulated;

import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The simulation of each cluster, the same for all replicas; plain until somebody changes it. */
final class Simulations {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  private final JdbcClient database;

  Simulations(JdbcClient database) {
    this.database = database;
  }

  Optional<Simulation> find(String cluster) {
    return database
        .sql("select body::text from simulation where cluster = :cluster")
        .param("cluster", cluster)
        .query(String.class)
        .optional()
        .map(Simulations::read);
  }

  void put(String cluster, Simulation simulation) {
    database
        .sql(
            """
            insert into simulation (cluster, body) values (:cluster, :body::jsonb)
            on conflict (cluster) do update set body = excluded.body,
              revision = simulation.revision + 1, update_time = clock_timestamp()
            """)
        .param("cluster", cluster)
        .param("body", JSON.writeValueAsString(simulation))
        .update();
  }

  /** Reads a cluster's settings or a stored body; what is absent is plain. */
  static Simulation read(String body) {
    return JSON.readValue(body, Simulation.class);
  }
}
