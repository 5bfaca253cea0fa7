package io.leasehold.ledger;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/** A connection to a server that is away, or that does not write (any more), is not used again. */
public final class LostConnections implements SQLExceptionOverride {

  @java.lang.Override
  public SQLExceptionOverride.Override adjudicate(SQLException failure) {
    return Trouble.of(failure) == Trouble.AWAY
        ? SQLExceptionOverride.Override.MUST_EVICT
        : SQLExceptionOverride.Override.CONTINUE_EVICT;
  }
}
