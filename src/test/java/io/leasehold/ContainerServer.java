package io.leasehold;

import io.leasehold.sample.EmbeddedPostgres.Login;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * The tests' server in a container, where a Docker engine answers; {@code
 * -Dleasehold.test.database=embedded} keeps away from it.
 */
final class ContainerServer implements TestDatabase.TestServer {

  private static final String PASSWORD = "test";

  private final PostgreSQLContainer container =
      new PostgreSQLContainer("postgres:18").withCommand(command());

  ContainerServer() {
    container.start();
    try (Connection connection =
            DriverManager.getConnection(
                superuser().url(), superuser().user(), superuser().password());
        Statement statement = connection.createStatement()) {
      statement.execute(Files.readString(Path.of("db/roles.sql")));
      statement.execute("alter role leasehold_owner password '%s'".formatted(PASSWORD));
      statement.execute("alter role leasehold_app password '%s'".formatted(PASSWORD));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String[] command() {
    return Stream.concat(
            Stream.of("postgres"),
            SETTINGS.entrySet().stream()
                .flatMap(each -> Stream.of("-c", each.getKey() + "=" + each.getValue())))
        .toArray(String[]::new);
  }

  static boolean isWanted() {
    String chosen = System.getProperty("leasehold.test.database", "");
    boolean engineMayBeThere =
        System.getenv("DOCKER_HOST") != null || Files.exists(Path.of("/var/run/docker.sock"));
    return !chosen.equals("embedded")
        && engineMayBeThere
        && DockerClientFactory.instance().isDockerAvailable();
  }

  @Override
  public Login superuser() {
    return at("postgres");
  }

  @Override
  public Login at(String database) {
    return new Login(url(database), container.getUsername(), container.getPassword());
  }

  @Override
  public Login owner(String database) {
    return new Login(url(database), "leasehold_owner", PASSWORD);
  }

  @Override
  public Login app(String database) {
    return new Login(url(database), "leasehold_app", PASSWORD);
  }

  private String url(String database) {
    return "jdbc:postgresql://%s:%d/%s"
        .formatted(container.getHost(), container.getMappedPort(5432), database);
  }
}
