package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.simple.JdbcClient;

class TestDatabaseIT {

  @Test
  void isMigratedAndNobodyElses() {
    JdbcClient one = JdbcClient.create(TestDatabase.fresh().dataSource());
    JdbcClient other = JdbcClient.create(TestDatabase.fresh().dataSource());

    one.sql("insert into pool (slug) values ('main')").update();

    assertThat(one.sql("select count(*) from pool").query(Long.class).single()).isEqualTo(2);
    assertThat(other.sql("select count(*) from pool").query(Long.class).single()).isEqualTo(1);
  }

  @Test
  void letsTheServiceAddToTheAuditAndNeverChangeIt() {
    JdbcClient app = JdbcClient.create(TestDatabase.fresh().dataSource());

    app.sql(
            """
            insert into audit_fact (pool, revision, ord, at, actor, subject, cause, trace_id)
            values ('-', 1, 0, now(), gen_random_uuid(), 's', 'c', 't')
            """)
        .update();

    assertThatThrownBy(() -> app.sql("update audit_fact set cause = 'x'").update())
        .hasStackTraceContaining("permission denied");
    assertThatThrownBy(() -> app.sql("delete from audit_fact").update())
        .hasStackTraceContaining("permission denied");
  }

  @ParameterizedTest
  @CsvSource({
    "main, c, h100, ''",
    "main, elsewhere, h100, a_node_is_in_a_cluster_of_its_pool",
    "other, c, h100, a_node_is_in_a_cluster_of_its_pool",
    "main, c, unheard-of, a_node_has_a_known_model"
  })
  void takesANodeOfAClusterOfItsPoolAndOfAKnownModel(
      String pool, String cluster, String model, String constraint) {
    JdbcClient app = JdbcClient.create(TestDatabase.fresh().dataSource());
    app.sql("insert into pool (slug) values ('main'), ('other')").update();
    app.sql(
            """
            insert into cluster (slug, pool, adapter, description)
            values ('c', 'main', 'simulated', '')
            """)
        .update();
    app.sql(
            """
            insert into gpu_model (slug, canonical, aliases, memory_mib, memory_slices,
              compute_slices, profiles, reconfigure_seconds, built_in)
            values ('h100', 'H100', '[]', 1, 8, 7, '[]', 0, true)
            """)
        .update();
    var insert =
        app.sql(
                """
                insert into node (id, pool, cluster, ordinal, name, model, gpu_count, cpu_milli,
                  memory_mib, gpus, create_time, update_time)
                values (gen_random_uuid(), ?, ?, 0, 'n', ?, 8, 0, 0, '[]', now(), now())
                """)
            .params(pool, cluster, model);
    if (constraint.isEmpty()) {
      assertThat(insert.update()).isEqualTo(1);
    } else {
      assertThatThrownBy(insert::update).hasStackTraceContaining(constraint);
    }
  }

  /** Whose refusals somebody may see is asked of the keys, by principal. */
  @Test
  void findsAKeyByItsPrincipal() {
    JdbcClient app = JdbcClient.create(TestDatabase.fresh().dataSource());
    assertThat(
            app.sql("select indexdef from pg_indexes where tablename = 'api_key'")
                .query(String.class)
                .list())
        .anyMatch(index -> index.endsWith("(principal)"));
  }

  @Test
  void letsTheServiceChangeNoTable() {
    JdbcClient app = JdbcClient.create(TestDatabase.fresh().dataSource());

    assertThatThrownBy(() -> app.sql("create table mine (id int)").update())
        .hasStackTraceContaining("permission denied");
    assertThatThrownBy(() -> app.sql("drop table lease").update())
        .hasStackTraceContaining("must be owner");
  }

  /** So the other date of a run ({@link TestDate}) is the date of both. */
  @Test
  void itsClockIsThisProcesss() {
    java.time.Instant its =
        JdbcClient.create(TestDatabase.fresh().dataSource())
            .sql("select clock_timestamp()")
            .query(java.time.OffsetDateTime.class)
            .single()
            .toInstant();
    assertThat(java.time.Duration.between(java.time.Instant.now(), its).abs())
        .isLessThan(java.time.Duration.ofMinutes(1));
  }
}
