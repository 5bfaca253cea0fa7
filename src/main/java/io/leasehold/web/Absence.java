package io.leasehold.web;

import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.Set;

/** Tells whether an error comes from a database that does not answer now: worth another try. */
final class Absence {

  /** No connection; rolled back by others; out of room or locks; stopped or starting. */
  private static final Set<String> CLASSES = Set.of("08", "40", "53", "55", "57");

  /** The primary was demoted and takes no writes. */
  private static final String READ_ONLY = "25006";

  private Absence() {}

  static boolean isBehind(Throwable error) {
    for (Throwable t = error; t != null; t = t.getCause()) {
      if (t instanceof SQLTransientException) {
        return true;
      }
      if (t instanceof SQLException sql && sql.getSQLState() != null) {
        return CLASSES.contains(sql.getSQLState().substring(0, 2))
            || sql.getSQLState().equals(READ_ONLY);
      }
    }
    return false;
  }
}
