package io.leasehold.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Statements that go to the database as one round trip. They run one after the other, each with a
 * snapshot of its own; if one fails, the rest is not run.
 */
final class Script {

  private final StringBuilder sql = new StringBuilder();
  private final List<@Nullable Object> parameters = new ArrayList<>();
  private final List<@Nullable Rows> readers = new ArrayList<>();

  /** Reads what a statement returned. */
  @FunctionalInterface
  interface Rows {
    void read(ResultSet rows) throws SQLException;
  }

  /** Parameters: String, Long, Integer, UUID, and arrays of String and Long. */
  Script add(String statement, @Nullable Object... values) {
    return ask(statement, null, values);
  }

  Script ask(String statement, @Nullable Rows reader, @Nullable Object... values) {
    if (!sql.isEmpty()) {
      sql.append(";\n");
    }
    sql.append(statement);
    readers.add(reader);
    for (Object value : values) {
      parameters.add(value);
    }
    return this;
  }

  boolean isEmpty() {
    return readers.isEmpty();
  }

  /** Returns whether the server attached a warning to any of it. */
  boolean run(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql.toString())) {
      for (int i = 0; i < parameters.size(); i++) {
        set(connection, statement, i + 1, parameters.get(i));
      }
      boolean hasRows = statement.execute();
      for (Rows reader : readers) {
        if (hasRows && reader != null) {
          try (ResultSet rows = statement.getResultSet()) {
            reader.read(rows);
          }
        }
        hasRows = statement.getMoreResults();
      }
      return statement.getWarnings() != null;
    }
  }

  private static void set(
      Connection connection, PreparedStatement statement, int at, @Nullable Object value)
      throws SQLException {
    switch (value) {
      case String[] texts -> statement.setArray(at, connection.createArrayOf("text", texts));
      case Long[] numbers -> statement.setArray(at, connection.createArrayOf("int8", numbers));
      case null, default -> statement.setObject(at, value);
    }
  }
}
