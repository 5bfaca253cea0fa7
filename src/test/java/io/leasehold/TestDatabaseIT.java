package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
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
