package io.leasehold.contract;

import io.leasehold.engine.ServiceClass;
import io.leasehold.fleet.Keyset;
import io.leasehold.fleet.Statements;
import io.leasehold.web.PageRequest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Service classes as operators set them. */
@Repository
class ServiceClassRepository {

  private static final long MICROS = 1_000_000;

  private final JdbcClient jdbc;

  ServiceClassRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** By priority, the highest first. */
  List<ServiceClass> all() {
    return jdbc.sql("select * from service_class order by priority desc, slug")
        .query((row, number) -> serviceClass(row))
        .list();
  }

  List<ClassRecord> page(PageRequest page) {
    return Keyset.of(jdbc, "select * from service_class where true", "create_time", "slug", page)
        .query(ServiceClassRepository::record)
        .list();
  }

  Optional<ClassRecord> find(String slug) {
    return jdbc.sql("select * from service_class where slug = :slug")
        .param("slug", slug)
        .query(ServiceClassRepository::record)
        .optional();
  }

  /** Writes the class; false if it is at another revision than was seen (0 = new). */
  boolean put(Connection connection, ServiceClass serviceClass, long seen) {
    return Statements.on(connection)
            .sql(
                """
                insert into service_class as s (slug, priority, may_preempt, may_be_preempted,
                  may_be_open_ended, minimum_run_seconds, prepare_seconds, grace_seconds,
                  withdraw_allowance_seconds, aging_after_seconds, longest_duration_seconds,
                  horizon_seconds, notice_seconds, disruption_most, disruption_within_seconds,
                  quiet_hours)
                values (:slug, :priority, :mayPreempt, :mayBePreempted, :mayBeOpenEnded,
                  :minimumRun, :prepare, :grace, :withdrawAllowance, :agingAfter, :longestDuration,
                  :horizon, :notice, :most, :within, :quiet)
                on conflict (slug) do update set priority = excluded.priority,
                  may_preempt = excluded.may_preempt, may_be_preempted = excluded.may_be_preempted,
                  may_be_open_ended = excluded.may_be_open_ended,
                  minimum_run_seconds = excluded.minimum_run_seconds,
                  prepare_seconds = excluded.prepare_seconds,
                  grace_seconds = excluded.grace_seconds,
                  withdraw_allowance_seconds = excluded.withdraw_allowance_seconds,
                  aging_after_seconds = excluded.aging_after_seconds,
                  longest_duration_seconds = excluded.longest_duration_seconds,
                  horizon_seconds = excluded.horizon_seconds,
                  notice_seconds = excluded.notice_seconds,
                  disruption_most = excluded.disruption_most,
                  disruption_within_seconds = excluded.disruption_within_seconds,
                  quiet_hours = excluded.quiet_hours, revision = s.revision + 1,
                  update_time = clock_timestamp()
                where s.revision = :seen
                """)
            .param("slug", serviceClass.slug())
            .param("priority", serviceClass.priority())
            .param("mayPreempt", serviceClass.mayPreempt())
            .param("mayBePreempted", serviceClass.mayBePreempted())
            .param("mayBeOpenEnded", serviceClass.mayBeOpenEnded())
            .param("minimumRun", serviceClass.minimumRun() / MICROS)
            .param("prepare", serviceClass.prepare() / MICROS)
            .param("grace", serviceClass.grace() / MICROS)
            .param("withdrawAllowance", serviceClass.withdrawAllowance() / MICROS)
            .param("agingAfter", serviceClass.agingAfter() / MICROS)
            .param("longestDuration", serviceClass.longestDuration() / MICROS)
            .param("horizon", serviceClass.horizon() / MICROS)
            .param("notice", serviceClass.notice() / MICROS)
            .param("most", DisruptionColumns.most(serviceClass.disruption()))
            .param("within", DisruptionColumns.withinSeconds(serviceClass.disruption()))
            .param("quiet", DisruptionColumns.quietHours(serviceClass.disruption()))
            .param("seen", seen)
            .update()
        == 1;
  }

  private static ClassRecord record(ResultSet row, int number) throws SQLException {
    return new ClassRecord(
        serviceClass(row),
        row.getLong("revision"),
        row.getObject("create_time", OffsetDateTime.class).toInstant(),
        row.getObject("update_time", OffsetDateTime.class).toInstant());
  }

  private static ServiceClass serviceClass(ResultSet row) throws SQLException {
    return new ServiceClass(
        row.getString("slug"),
        row.getInt("priority"),
        row.getBoolean("may_preempt"),
        row.getBoolean("may_be_preempted"),
        row.getBoolean("may_be_open_ended"),
        micros(row, "minimum_run_seconds"),
        micros(row, "prepare_seconds"),
        micros(row, "grace_seconds"),
        micros(row, "withdraw_allowance_seconds"),
        micros(row, "aging_after_seconds"),
        micros(row, "longest_duration_seconds"),
        micros(row, "horizon_seconds"),
        micros(row, "notice_seconds"),
        DisruptionColumns.read(row));
  }

  private static long micros(ResultSet row, String column) throws SQLException {
    return row.getLong(column) * MICROS;
  }
}
