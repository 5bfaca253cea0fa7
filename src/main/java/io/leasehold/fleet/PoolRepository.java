package io.leasehold.fleet;

import io.leasehold.web.PageRequest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Pools as operators describe them; the ledger's own row says how far their log has come. */
@Repository
class PoolRepository {

  /** A pool that came into being without a profile shows as one without a description. */
  private static final String POOL =
      """
      select p.slug, p.state, p.revision as book, coalesce(f.description, '') as description,
        coalesce(f.revision, 0) as revision, p.create_time,
        coalesce(f.update_time, p.create_time) as update_time
      from pool p left join pool_profile f on f.pool = p.slug
      """;

  private final JdbcClient jdbc;

  PoolRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  List<Pool> all() {
    return jdbc.sql(POOL + " where p.slug <> '-' order by p.slug")
        .query(PoolRepository::pool)
        .list();
  }

  List<Pool> page(PageRequest page) {
    return Keyset.of(jdbc, POOL + " where p.slug <> '-'", "p.create_time", "p.slug", page)
        .query(PoolRepository::pool)
        .list();
  }

  Optional<Pool> find(String slug) {
    return jdbc.sql(POOL + " where p.slug <> '-' and p.slug = :slug")
        .param("slug", slug)
        .query(PoolRepository::pool)
        .optional();
  }

  /** GPUs by pool and model, of nodes that are not retired. */
  List<PoolCapacity> capacity(String slug) {
    return jdbc.sql(
            """
            with leased as (
              select distinct o.node, gpu
                from occupancy o cross join lateral unnest(o.units) as taken
                  cross join lateral
                    generate_series(lower(taken) / 1000, (upper(taken) - 1) / 1000) as gpu
               where o.pool = :pool),
            gpu as (
              select n.id, n.model, not n.retired and g.body ->> 'health' <> 'RETIRED' as there,
                     not n.retired and n.drain_deadline is null
                       and g.body ->> 'health' = 'OK' as usable,
                     l.node is not null as leased
                from node n
                  cross join lateral jsonb_array_elements(n.gpus) with ordinality as g(body, number)
                  left join leased l on l.node = n.id and l.gpu = g.number - 1
               where n.pool = :pool)
            select g.model, m.canonical, count(distinct g.id) filter (where there) as nodes,
                   count(*) filter (where there) as gpus,
                   count(*) filter (where usable) as usable,
                   count(*) filter (where leased) as leased,
                   count(*) filter (where usable and not leased) as free,
                   count(*) filter (where leased and not usable) as over_committed
              from gpu g join gpu_model m on m.slug = g.model
             where there or leased
             group by g.model, m.canonical order by g.model
            """)
        .param("pool", slug)
        .query(
            (row, number) ->
                new PoolCapacity(
                    row.getString("canonical"),
                    row.getInt("nodes"),
                    row.getInt("gpus"),
                    row.getInt("usable"),
                    row.getInt("leased"),
                    row.getInt("free"),
                    row.getInt("over_committed")))
        .list();
  }

  /** As the book has them on record; by model and tenant. */
  List<BrokenPromise> brokenPromises(String slug) {
    return jdbc.sql(
            """
            select m.canonical, loss ->> 'tenant' as tenant,
                   (loss ->> 'guaranteed')::bigint as guaranteed,
                   (loss ->> 'borrowed')::bigint as borrowed
              from fact f
                cross join lateral json_array_elements(f.body -> 'losses') as loss
                join gpu_model m on m.slug = f.key
             where f.pool = :pool and f.kind = 'loss'
             order by m.canonical, tenant
            """)
        .param("pool", slug)
        .query(
            (row, number) ->
                new BrokenPromise(
                    row.getString("canonical"),
                    row.getString("tenant"),
                    true,
                    row.getLong("guaranteed"),
                    row.getLong("borrowed")))
        .list();
  }

  /** False if the profile is at another revision than the caller saw; 0 = there is none. */
  boolean describe(Connection connection, String slug, String description, long seen) {
    return Statements.on(connection)
            .sql(
                """
                insert into pool_profile as f (pool, description) values (:pool, :description)
                on conflict (pool) do update set description = excluded.description,
                  revision = f.revision + 1, update_time = clock_timestamp()
                where f.revision = :seen
                """)
            .param("pool", slug)
            .param("description", description)
            .param("seen", seen)
            .update()
        == 1;
  }

  private static Pool pool(ResultSet row, int number) throws SQLException {
    return new Pool(
        row.getString("slug"),
        row.getString("state"),
        row.getString("slug") + ":" + row.getLong("book"),
        row.getString("description"),
        row.getLong("revision"),
        row.getObject("create_time", OffsetDateTime.class).toInstant(),
        row.getObject("update_time", OffsetDateTime.class).toInstant());
  }
}
