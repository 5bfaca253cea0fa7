package io.leasehold.ledger;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.function.BiPredicate;
import javax.sql.DataSource;

/**
 * Connections that break where a test wants: before a script reaches the server, or after it did.
 */
final class Cut {

  enum When {
    BEFORE,
    AFTER
  }

  private volatile BiPredicate<When, String> plan = (when, sql) -> false;
  private volatile boolean away;

  /** Breaks the next script for which the plan says so; the plan is asked for each. */
  void plan(BiPredicate<When, String> newPlan) {
    plan = newPlan;
  }

  /** Breaks one script that commits. */
  void nextCommit(When at) {
    plan =
        (when, sql) -> {
          if (when != at || !sql.endsWith("commit")) {
            return false;
          }
          plan = (w, s) -> false;
          return true;
        };
  }

  /** Breaks one script that takes the lock. */
  void nextLock(When at) {
    plan =
        (when, sql) -> {
          if (when != at || !sql.contains("for no key update")) {
            return false;
          }
          plan = (w, s) -> false;
          return true;
        };
  }

  /** No connection can be had, and those there are break. */
  void away(boolean isAway) {
    away = isAway;
    plan = (when, sql) -> isAway;
  }

  DataSource wrap(DataSource source) {
    return proxy(
        DataSource.class,
        (proxy, method, args) -> {
          if (away) {
            throw new SQLException("away", "08001");
          }
          Object result = call(source, method, args);
          return result instanceof Connection connection ? wrap(connection) : result;
        });
  }

  private Connection wrap(Connection connection) {
    return proxy(
        Connection.class,
        (proxy, method, args) -> {
          Object result = call(connection, method, args);
          return result instanceof PreparedStatement statement
              ? wrap(connection, statement, (String) args[0])
              : result;
        });
  }

  private PreparedStatement wrap(Connection connection, PreparedStatement statement, String sql) {
    return proxy(
        PreparedStatement.class,
        (proxy, method, args) -> {
          if (!method.getName().equals("execute")) {
            return call(statement, method, args);
          }
          breakIf(When.BEFORE, sql, connection);
          Object result = call(statement, method, args);
          breakIf(When.AFTER, sql, connection);
          return result;
        });
  }

  private void breakIf(When when, String sql, Connection connection) throws SQLException {
    if (plan.test(when, sql)) {
      connection.unwrap(org.postgresql.PGConnection.class).cancelQuery();
      connection.abort(Runnable::run);
      throw new SQLException("cut", "08006");
    }
  }

  private static Object call(Object target, Method method, Object[] args) throws Throwable {
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
