package io.leasehold.web;

import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells whether an error comes from a database that does not answer now: worth another try. */
public final class Absence {

  /** No connection; rolled back by others; out of room or locks; stopped or starting; its disk. */
  private static final Set<String> CLASSES = Set.of("08", "40", "53", "55", "57", "58");

  /** The primary was demoted and takes no writes. */
  private static final String READ_ONLY = "25006";

  private Absence() {}

  public static boolean isBehind(Throwable error) {
    for (Throwable t = error; t != null; t = t.getCause()) {
      if (t instanceof SQLTransientException) {
        return true;
      }
      if (t instanceof SQLException sql) {
        return isBehind(sql.getSQLState());
      }
    }
    return false;
  }

  /** No state comes from the pool of connections: this one was closed after it broke. */
  private static boolean isBehind(@Nullable String state) {
    return state == null
        || state.length() > 1 && CLASSES.contains(state.substring(0, 2))
        || state.equals(READ_ONLY);
  }
}
