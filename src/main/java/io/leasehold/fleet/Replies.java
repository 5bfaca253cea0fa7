package io.leasehold.fleet;

import io.leasehold.ledger.Key;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.databind.json.JsonMapper;

/** What was answered under an idempotency key to a change of nodes, kept as long as the key. */
@Repository
class Replies {

  private final JdbcClient jdbc;
  private final JsonMapper json;

  Replies(JdbcClient jdbc, JsonMapper json) {
    this.jdbc = jdbc;
    this.json = json;
  }

  void keep(Connection connection, @Nullable Key key, Object reply) {
    if (key == null) {
      return;
    }
    Statements.on(connection)
        .sql("delete from fleet_reply where create_time < clock_timestamp() - interval '48 hours'")
        .update();
    Statements.on(connection)
        .sql(
            """
            insert into fleet_reply (scope, value, reply) values (:scope, :value, :reply::json)
            on conflict (scope, value) do update set reply = excluded.reply,
              create_time = excluded.create_time
            """)
        .param("scope", key.scope())
        .param("value", key.value())
        .param("reply", json.writeValueAsString(reply))
        .update();
  }

  <T> T find(Key key, Class<T> type) {
    return json.readValue(
        jdbc.sql("select reply from fleet_reply where scope = :scope and value = :value")
            .param("scope", key.scope())
            .param("value", key.value())
            .query(String.class)
            .single(),
        type);
  }
}
