package io.leasehold.ledger;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** What kind of failure a write met, and so what may be done about it. */
enum Trouble {
  /** A value or a constraint: the command that carries it will fail again. */
  POISON,
  /** Lost a race or waited too long: the same again may succeed. */
  RACE,
  /** No server, or no connection to one, or one that does not write. */
  AWAY;

  static Trouble of(Throwable failure) {
    SQLException sql = behind(failure);
    if (sql == null) {
      return POISON;
    }
    String state = sql.getSQLState();
    if (state == null || state.length() < 2) {
      return AWAY;
    }
    return switch (state.substring(0, 2)) {
      case "08", "53", "57", "58", "25", "28" -> state.equals("57014") ? RACE : AWAY;
      case "40", "55" -> RACE;
      default -> POISON;
    };
  }

  /** The id of a new lease is a lease's already, in another pool. */
  static boolean isLeaseIdTaken(Throwable failure) {
    return "lease_pkey".equals(constraint(failure));
  }

  /** The constraint's name only: the detail shows rows of others. */
  static @Nullable String constraint(Throwable failure) {
    if (behind(failure) instanceof PSQLException sql) {
      ServerErrorMessage message = sql.getServerErrorMessage();
      return message == null ? null : message.getConstraint();
    }
    return null;
  }

  /** For logs and answers: never a constraint's detail, which shows rows of others. */
  static String describe(Throwable failure) {
    SQLException sql = behind(failure);
    if (sql == null) {
      return failure.getClass().getSimpleName();
    }
    String constraint = constraint(sql);
    return "SQL state " + sql.getSQLState() + (constraint == null ? "" : ", " + constraint);
  }

  /** The database's error itself, which riders wrap. */
  static @Nullable SQLException behind(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof SQLException sql) {
        return sql;
      }
    }
    return null;
  }
}
