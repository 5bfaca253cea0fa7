package io.leasehold.tenancy;

import java.io.PrintStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Makes the first platform admin of an installation, once: whoever has the database's credentials
 * gets a key of 24 hours. {@code --break-glass} does it again. The service records it when it runs.
 */
public final class BootstrapAdmin {

  private static final Duration LIFE = Duration.ofHours(24);
  private static final String USAGE =
      """
      Usage: bootstrap-admin --name NAME [--break-glass]
      Needs SPRING_DATASOURCE_URL, SPRING_DATASOURCE_USERNAME and SPRING_DATASOURCE_PASSWORD of a \
      database that the service was started on before.\
      """;

  private BootstrapAdmin() {}

  /** The exit code; the key goes to standard output, all else to standard error. */
  public static int run(String[] args) {
    return run(List.of(args), System.getenv(), System.out, System.err);
  }

  static int run(
      List<String> args, Map<String, String> environment, PrintStream out, PrintStream errors) {
    String name = name(args);
    String url = environment.getOrDefault("SPRING_DATASOURCE_URL", "");
    if (name == null || url.isBlank()) {
      errors.println(USAGE);
      return 2;
    }
    try (Connection connection =
        DriverManager.getConnection(
            url,
            environment.get("SPRING_DATASOURCE_USERNAME"),
            environment.get("SPRING_DATASOURCE_PASSWORD"))) {
      connection.setAutoCommit(false);
      KeyText key = make(rows(connection), name, args.contains("--break-glass"));
      connection.commit();
      out.println(key.text());
      errors.println("This key of platform admin " + name + " works for 24 hours. Keep it safe.");
      return 0;
    } catch (DuplicateKeyException again) {
      errors.println(
          "This installation had its first admin already; --break-glass makes another one.");
      return 1;
    } catch (IllegalStateException refused) {
      errors.println(refused.getMessage());
      return 1;
    } catch (SQLException | org.springframework.dao.DataAccessException failed) {
      errors.println(
          "The database refused: is the address right, and was the service started on it once? "
              + failed.getMessage());
      return 1;
    }
  }

  private static @Nullable String name(List<String> args) {
    int flag = args.indexOf("--name");
    String name = flag >= 0 && flag + 1 < args.size() ? args.get(flag + 1).strip() : "";
    return name.isEmpty() || name.length() > 128 || name.startsWith("--") ? null : name;
  }

  private static JdbcClient rows(Connection connection) {
    return JdbcClient.create(new SingleConnectionDataSource(connection, true));
  }

  private static KeyText make(JdbcClient rows, String name, boolean again) {
    requireProduction(rows);
    KeyRows keys = new KeyRows(rows);
    UUID admin = keys.newPrincipal("service", name);
    rows.sql("insert into member (principal, role) values (:id, 'platform-admin')")
        .param("id", admin)
        .update();
    KeyText text = KeyText.random(KeyText.LIVE);
    ApiKeyResponse key =
        keys.insert(
            new KeyRows.NewKey(
                text,
                null,
                admin,
                null,
                Role.PLATFORM_ADMIN.slug(),
                List.of(),
                name,
                keys.now().plus(LIFE)));
    rows.sql(
            """
            insert into bootstrap (ordinal, name, key)
            select case when :again then coalesce(max(ordinal), 0) + 1 else 0 end, :name, :key
              from bootstrap
            """)
        .param("again", again)
        .param("name", name)
        .param("key", key.id())
        .update();
    return text;
  }

  private static void requireProduction(JdbcClient rows) {
    rows.sql("insert into installation (kind) values ('production') on conflict do nothing")
        .update();
    String kind = rows.sql("select kind from installation").query(String.class).single();
    if (!kind.equals("production")) {
      throw new IllegalStateException(
          "The database belongs to a sample installation, which prints its key when it starts.");
    }
  }
}
