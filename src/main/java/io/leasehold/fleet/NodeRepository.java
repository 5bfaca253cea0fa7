package io.leasehold.fleet;

import io.leasehold.engine.Node;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Scope;
import io.leasehold.web.WireTime;
import java.sql.Connection;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The nodes' rows. Written in the ledger's transaction only, under the pool's lock. */
@Repository
class NodeRepository {

  /** A masked caller sees the nodes on which its own leases lie. */
  private static final String IN_SCOPE =
      """
       (:everything or exists (select 1 from allocation a join lease l on l.id = a.lease
         join tenant_closure c on c.descendant = l.tenant
         where a.node = node.id and c.ancestor = any (:roots)))
      """;

  private static final String PAGE =
      """
      select * from node where cluster = :cluster
        and (:model::text is null or model = :model)
        and (:name::text is null or name = :name)
        and (:region::text is null or region = :region)
        and (:zone::text is null or zone = :zone)
        and (:block::text is null or block = :block)
        and (:rack::text is null or rack = :rack)
        and (:nvlink::text is null or nvlink = :nvlink)
        and (:draining::boolean is null or (drain_deadline is not null) = :draining)
        and (:retired::boolean is null or retired = :retired)
        and (:afterTime::timestamptz is null or (create_time, id) < (:afterTime, :afterId))
        and
      """
          + IN_SCOPE
          + " order by create_time desc, id desc limit :limit";

  private final JdbcClient jdbc;
  private final NodeRows rows;

  NodeRepository(JdbcClient jdbc, NodeRows rows) {
    this.jdbc = jdbc;
    this.rows = rows;
  }

  Optional<NodeRecord> find(UUID id) {
    return jdbc.sql("select * from node where id = :id")
        .param("id", id)
        .query(rows::record)
        .optional();
  }

  List<NodeRecord> findAll(Collection<UUID> ids) {
    if (ids.isEmpty()) {
      return List.of();
    }
    return jdbc.sql("select * from node where id in (:ids) order by ordinal")
        .param("ids", ids)
        .query(rows::record)
        .list();
  }

  /** What is not retired in a cluster. */
  List<NodeRecord> live(String cluster) {
    return jdbc.sql("select * from node where cluster = :cluster and not retired order by ordinal")
        .param("cluster", cluster)
        .query(rows::record)
        .list();
  }

  /** What is not retired in a pool, or in all of them. */
  List<NodeRecord> liveInPool(@Nullable String pool) {
    return jdbc.sql(
            "select * from node where not retired"
                + " and (:pool::text is null or pool = :pool) order by ordinal")
        .param("pool", pool)
        .query(rows::record)
        .list();
  }

  Optional<NodeRecord> find(String cluster, String name) {
    return jdbc.sql("select * from node where cluster = :cluster and name = :name and not retired")
        .param("cluster", cluster)
        .param("name", name)
        .query(rows::record)
        .optional();
  }

  boolean hasHadNodes(String cluster) {
    return jdbc.sql("select exists (select 1 from node where cluster = :cluster)")
        .param("cluster", cluster)
        .query(Boolean.class)
        .single();
  }

  boolean isSeen(UUID id, Scope scope) {
    return jdbc.sql("select exists (select 1 from node where id = :id and" + IN_SCOPE + ")")
        .param("id", id)
        .param("everything", scope.everything())
        .param("roots", scope.roots().toArray(String[]::new))
        .query(Boolean.class)
        .single();
  }

  /** Newest first; a filter matches only nodes that have exactly that value. */
  List<NodeRecord> page(String cluster, NodeFilter filter, Scope scope, PageRequest page) {
    PageRequest.Position after = page.after();
    return jdbc.sql(PAGE)
        .param("cluster", cluster)
        .param("model", filter.model() == null ? null : filter.model().slug())
        .param("name", filter.name())
        .param("region", filter.region())
        .param("zone", filter.zone())
        .param("block", filter.block())
        .param("rack", filter.rack())
        .param("nvlink", filter.nvlink())
        .param("draining", filter.draining())
        .param("retired", filter.retired())
        .param("everything", scope.everything())
        .param("roots", scope.roots().toArray(String[]::new))
        .param("afterTime", after == null ? null : Times.time(after.order()))
        .param("afterId", after == null ? null : Times.uuid(after.id()))
        .param("limit", page.limit())
        .query(rows::record)
        .list();
  }

  /** As many ordinals, never used before nor again. */
  List<Integer> ordinals(int count) {
    return jdbc.sql("select nextval('node_ordinal')::int from generate_series(1, :count)")
        .param("count", count)
        .query(Integer.class)
        .list();
  }

  /** Names of these nodes that another live node of the cluster has. */
  List<String> takenNames(Connection connection, List<NodeChange> changes) {
    return Statements.on(connection)
        .sql(
            """
            select n.name from node n
              join jsonb_to_recordset(:rows::jsonb) as r (id uuid, cluster text, name text,
                retired boolean) on r.cluster = n.cluster and r.name = n.name and r.id <> n.id
            where not n.retired and not r.retired order by n.name
            """)
        .param("rows", rows.rows(changes))
        .query(String.class)
        .list();
  }

  /** Writes all of them or says false: one is at another revision than was seen. */
  boolean write(Connection connection, String pool, List<NodeChange> changes) {
    return Statements.on(connection)
            .sql(
                """
                insert into node as n (id, pool, cluster, ordinal, name, model, gpu_count, cpu_milli,
                  memory_mib, region, zone, block, rack, nvlink, gpus, retired, revision,
                  create_time, update_time)
                select id, :pool, cluster, ordinal, name, model, gpu_count, cpu_milli,
                  memory_mib, region, zone, block, rack, nvlink, gpus, retired, revision,
                  clock_timestamp(), clock_timestamp()
                from jsonb_to_recordset(:rows::jsonb) as r (id uuid, cluster text, ordinal int,
                  name text, model text, gpu_count int, cpu_milli bigint, memory_mib bigint,
                  region text, zone text, block text, rack text, nvlink text, gpus jsonb,
                  retired boolean, revision bigint)
                on conflict (id) do update set name = excluded.name, model = excluded.model,
                  gpu_count = excluded.gpu_count, cpu_milli = excluded.cpu_milli,
                  memory_mib = excluded.memory_mib, region = excluded.region, zone = excluded.zone,
                  block = excluded.block, rack = excluded.rack, nvlink = excluded.nvlink,
                  gpus = excluded.gpus, retired = excluded.retired, revision = excluded.revision,
                  update_time = clock_timestamp()
                where n.revision = excluded.revision - 1
                """)
            .param("pool", pool)
            .param("rows", rows.rows(changes))
            .update()
        == changes.size();
  }

  /** Null as deadline undrains. Says false if one of the nodes is not there any more. */
  boolean drain(
      Connection connection,
      Collection<UUID> ids,
      @Nullable Long deadline,
      @Nullable String reason) {
    return Statements.on(connection)
            .sql(
                """
                update node set drain_deadline = :deadline::timestamptz, drain_reason = :reason,
                  revision = revision + 1, update_time = clock_timestamp()
                where id in (:ids) and not retired
                """)
            .param("deadline", deadline == null ? null : Times.text(deadline))
            .param("reason", reason)
            .param("ids", ids)
            .update()
        == ids.size();
  }

  /** A node as it was set under a revision of its pool. */
  record Set(Node node, String pool, long revision) {}

  /**
   * Nodes set under a later revision of their pool than was seen, retired ones too: leases that are
   * over may name them. Revisions are given under the pool's lock, so none comes late.
   */
  List<Set> setAfter(Map<String, Long> seen) {
    return jdbc.sql(
            """
            select n.*, f.revision as set_revision
              from pool p
              left join unnest(:pools::text[], :revisions::bigint[]) as s(pool, revision)
                on s.pool = p.slug
              join fact f
                on f.pool = p.slug and f.kind = 'node' and f.revision > coalesce(s.revision, -1)
              join node n on n.pool = f.pool and n.id = f.key::uuid""")
        .param("pools", seen.keySet().toArray(String[]::new))
        .param("revisions", seen.values().toArray(Long[]::new))
        .query(
            (row, number) ->
                new Set(rows.node(row, number), row.getString("pool"), row.getLong("set_revision")))
        .list();
  }

  static PageRequest.Position position(NodeRecord node) {
    return new PageRequest.Position(
        WireTime.micros(node.createTime()), node.node().id().toString());
  }
}
