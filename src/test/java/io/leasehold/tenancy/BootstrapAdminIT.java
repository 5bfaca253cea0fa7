package io.leasehold.tenancy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.mock.env.MockEnvironment;

/** The first key, and what an installation is. */
class BootstrapAdminIT {

  private final TestDatabase database = TestDatabase.fresh();
  private final JdbcClient jdbc = JdbcClient.create(database.dataSource());

  private record Ran(int code, String out, String errors) {}

  private Ran run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    int code =
        BootstrapAdmin.run(
            List.of(args),
            Map.of(
                "SPRING_DATASOURCE_URL", database.url(),
                "SPRING_DATASOURCE_USERNAME", database.user(),
                "SPRING_DATASOURCE_PASSWORD", database.password()),
            new PrintStream(out),
            new PrintStream(errors));
    return new Ran(code, out.toString().strip(), errors.toString());
  }

  @Test
  void makesOneKeyOfADayAndNoSecond() {
    Ran first = run("--name", "ada");
    assertThat(first.code()).as(first.errors()).isZero();
    assertThat(KeyText.parse(first.out())).isPresent();
    Ran second = run("--name", "eve");
    assertThat(second.code()).isEqualTo(1);
    assertThat(second.out()).isEmpty();
    assertThat(second.errors()).contains("--break-glass");
    assertThat(jdbc.sql("select count(*) from api_key").query(Integer.class).single()).isOne();
    assertThat(
            jdbc.sql("select extract(epoch from expire_time - create_time) / 3600 from api_key")
                .query(Double.class)
                .single())
        .isBetween(23.9, 24.1);
    assertThat(run("--name", "eve", "--break-glass").code()).isZero();
    assertThat(run("--name", "eve", "--break-glass").code()).isZero();
  }

  @Test
  void needsANameAndADatabase() {
    assertThat(run().code()).isEqualTo(2);
    assertThat(run("--name").errors()).contains("Usage");
    assertThat(BootstrapAdmin.run(List.of("--name", "x"), Map.of(), System.out, System.err))
        .isEqualTo(2);
  }

  @Test
  void aSamplesDatabaseStaysASamples() {
    MockEnvironment sample = new MockEnvironment();
    sample.setActiveProfiles("sample");
    assertThat(new Installation(jdbc, sample).isSample()).isTrue();
    assertThat(new Installation(jdbc, sample).isSample()).isTrue();
    assertThatThrownBy(() -> new Installation(jdbc, new MockEnvironment()))
        .hasMessageContaining("sample installation");
    Ran refused = run("--name", "ada");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.errors()).contains("sample");
    assertThat(jdbc.sql("select count(*) from api_key").query(Integer.class).single()).isZero();
  }
}
