package io.leasehold.fleet;

import io.leasehold.web.PageRequest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Clusters as operators register them. */
@Repository
class ClusterRepository {

  private static final String SELECT =
      """
      select c.*, exists (
        select from cluster_standing s where s.cluster = c.slug and s.stale) as stale
      from cluster c
      """;

  private final JdbcClient jdbc;

  ClusterRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  List<Cluster> all() {
    return jdbc.sql(SELECT + "order by slug").query(ClusterRepository::cluster).list();
  }

  List<Cluster> page(PageRequest page, @Nullable String pool) {
    return Keyset.of(
            jdbc,
            SELECT + "where (:pool::text is null or pool = :pool)",
            "create_time",
            "slug",
            page)
        .param("pool", pool)
        .query(ClusterRepository::cluster)
        .list();
  }

  Optional<Cluster> find(String slug) {
    return jdbc.sql(SELECT + "where slug = :slug")
        .param("slug", slug)
        .query(ClusterRepository::cluster)
        .optional();
  }

  /** Writes the cluster; false if it is at another revision than the caller saw (0 = new). */
  boolean put(Connection connection, String slug, ClusterRequest request, long seen) {
    return Statements.on(connection)
            .sql(
                """
                insert into cluster as c (slug, pool, adapter, paused, description)
                values (:slug, :pool, :adapter, :paused, :description)
                on conflict (slug) do update set paused = excluded.paused,
                  description = excluded.description, revision = c.revision + 1,
                  update_time = clock_timestamp()
                where c.revision = :seen
                """)
            .param("slug", slug)
            .param("pool", request.pool())
            .param("adapter", request.adapter())
            .param("paused", request.isPaused())
            .param("description", request.descriptionOrNone())
            .param("seen", seen)
            .update()
        == 1;
  }

  private static Cluster cluster(ResultSet row, int number) throws SQLException {
    return new Cluster(
        row.getString("slug"),
        row.getString("pool"),
        row.getString("adapter"),
        row.getBoolean("paused"),
        row.getBoolean("stale"),
        row.getString("description"),
        row.getLong("revision"),
        row.getObject("create_time", OffsetDateTime.class).toInstant(),
        row.getObject("update_time", OffsetDateTime.class).toInstant());
  }
}
