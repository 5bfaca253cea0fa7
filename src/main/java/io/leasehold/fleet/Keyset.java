package io.leasehold.fleet;

import io.leasehold.web.PageRequest;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The rows of one page, newest first: a row that stays is shown exactly once. */
public final class Keyset {

  private Keyset() {}

  /**
   * @param select with a {@code where}
   * @param time the column of the creation time
   * @param id the text column that makes a row unique
   */
  public static JdbcClient.StatementSpec of(
      JdbcClient jdbc, String select, String time, String id, PageRequest page) {
    String order = " order by " + time + " desc, " + id + " desc limit :limit";
    if (page.after() == null) {
      return jdbc.sql(select + order).param("limit", page.limit());
    }
    return jdbc.sql(select + " and (" + time + ", " + id + ") < (:afterTime, :afterId)" + order)
        .param("limit", page.limit())
        .param("afterTime", Times.time(page.after().order()))
        .param("afterId", page.after().id());
  }
}
