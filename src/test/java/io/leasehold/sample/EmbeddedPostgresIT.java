package io.leasehold.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.CannotStart;
import io.leasehold.TestClassPath;
import io.leasehold.sample.EmbeddedPostgres.Login;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class EmbeddedPostgresIT {

  @TempDir Path directory;

  @Test
  void keepsItsDataOverARestart() {
    try (EmbeddedPostgres server = EmbeddedPostgres.start(directory)) {
      JdbcClient owner = client(server.owner());
      owner.sql("create table kept (id int)").update();
      owner.sql("insert into kept values (7)").update();
    }
    try (EmbeddedPostgres server = EmbeddedPostgres.start(directory)) {
      assertThat(query(server.owner(), "select id from kept")).isEqualTo("7");
    }
  }

  @Test
  void isDurableCheckedAndClosedToOthers() throws IOException {
    try (EmbeddedPostgres server = EmbeddedPostgres.start(directory)) {
      assertThat(query(server.app(), "show fsync")).isEqualTo("on");
      assertThat(query(server.app(), "show synchronous_commit")).isEqualTo("on");
      assertThat(query(server.app(), "show data_checksums")).isEqualTo("on");
      assertThat(query(server.app(), "show listen_addresses")).isEqualTo("127.0.0.1");
      assertThat(
              query(
                  server.app(), "select usesuper::text from pg_user where usename = current_user"))
          .isEqualTo("false");
      assertThatThrownBy(
              () -> query(new Login(server.app().url(), "leasehold_app", "guess"), "select 1"))
          .hasStackTraceContaining("password authentication failed");
    }
    assertThat(mode("postgres/data")).isEqualTo("rwx------");
    assertThat(mode("postgres/passwords")).isEqualTo("rw-------");
  }

  @Test
  void refusesASecondServiceOnTheSameDirectory() {
    try (EmbeddedPostgres first = EmbeddedPostgres.start(directory)) {
      assertThatThrownBy(() -> EmbeddedPostgres.start(directory))
          .isInstanceOf(CannotStart.class)
          .hasMessageContaining("Another Leasehold is running on " + directory);
      assertThat(query(first.app(), "select 1")).isEqualTo("1");
    }
  }

  @Test
  void leavesADamagedDatabaseAsItIs() throws IOException {
    EmbeddedPostgres.start(directory).close();
    Files.delete(directory.resolve("postgres/data/global/pg_control"));
    List<Path> before = files();

    assertThatThrownBy(() -> EmbeddedPostgres.start(directory))
        .isInstanceOf(CannotStart.class)
        .hasMessageContaining("global/pg_control is missing")
        .hasMessageContaining("Nothing was changed");
    assertThat(files()).isEqualTo(before);
  }

  @Test
  void leavesADatabaseOfAnotherVersionAsItIs() throws IOException {
    EmbeddedPostgres.start(directory).close();
    Files.writeString(directory.resolve("postgres/data/PG_VERSION"), "17\n");

    assertThatThrownBy(() -> EmbeddedPostgres.start(directory))
        .isInstanceOf(CannotStart.class)
        .hasMessageContaining("was written by PostgreSQL 17, and this is PostgreSQL 18");
  }

  @Test
  void endsWhenItsProcessIsKilledAndStartsAgainWithItsData() throws Exception {
    Process holder = hold();
    int port = port(holder);
    holder.destroyForcibly().waitFor();

    await().atMost(Duration.ofSeconds(20)).until(() -> isClosed(port));
    EmbeddedPostgres.start(directory).close();
  }

  @Test
  void endsAServerWhoseWatchdogWasKilledToo() throws Exception {
    Process holder = hold();
    int orphaned = port(holder);
    ProcessHandle watchdog = holder.children().findFirst().orElseThrow();
    List<ProcessHandle> children = watchdog.descendants().toList();
    watchdog.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
    holder.destroyForcibly().waitFor();
    assertThat(isClosed(orphaned)).isFalse();

    try (EmbeddedPostgres server = EmbeddedPostgres.start(directory)) {
      assertThat(isClosed(orphaned)).isTrue();
      assertThat(query(server.app(), "select 1")).isEqualTo("1");
    }
  }

  @Test
  void startsAServerAgainThatEndedByItself() throws IOException {
    try (EmbeddedPostgres server = EmbeddedPostgres.start(directory)) {
      Path file = directory.resolve("postgres/data/postmaster.pid");
      long pid = Long.parseLong(Files.readAllLines(file).getFirst());
      ProcessHandle.of(pid).orElseThrow().destroyForcibly();

      await()
          .atMost(Duration.ofSeconds(30))
          .ignoreExceptions()
          .until(() -> query(server.app(), "select 1").equals("1"));
      assertThat(Long.parseLong(Files.readAllLines(file).getFirst())).isNotEqualTo(pid);
    }
  }

  private Process hold() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            TestClassPath.get(),
            PostgresHolder.class.getName(),
            directory.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static int port(Process holder) throws IOException {
    return Integer.parseInt(holder.inputReader().readLine().substring("port ".length()));
  }

  private static boolean isClosed(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return !socket.isConnected();
    } catch (ConnectException e) {
      return true;
    }
  }

  private String mode(String file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(file)));
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      return paths.sorted().toList();
    }
  }

  private static String query(Login login, String sql) {
    return client(login).sql(sql).query(String.class).single();
  }

  private static JdbcClient client(Login login) {
    return JdbcClient.create(
        new DriverManagerDataSource(login.url(), login.user(), login.password()));
  }
}
