package io.leasehold.ledger;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A pool's row, with the database's clock beside it.
 *
 * @param stamp random per commit: equal revisions with other stamps are other histories
 * @param logFloor the log begins after this revision
 * @param now microseconds, never before the pool's last decision
 */
record PoolState(long revision, long stamp, int epoch, long logFloor, String state, long now) {

  /**
   * Read after the lock, in a statement of its own, so that the clock is not that of the wait. The
   * function {@code micros} would be planned in each statement, as its argument is volatile.
   */
  static final String READ =
      """
      select revision, stamp, epoch, log_floor, state,
             (extract(epoch from greatest(clock_timestamp(), decided_at)) * 1000000)::bigint as now
        from pool where slug = ?\
      """;

  static PoolState from(ResultSet rows) throws SQLException {
    if (!rows.next()) {
      throw new IllegalStateException("the pool has no row");
    }
    return new PoolState(
        rows.getLong("revision"),
        rows.getLong("stamp"),
        rows.getInt("epoch"),
        rows.getLong("log_floor"),
        rows.getString("state"),
        rows.getLong("now"));
  }

  boolean isOpen() {
    return state.equals("OPEN");
  }
}
