package io.leasehold.ledger;

import io.leasehold.engine.Answer;
import io.leasehold.engine.Ask;
import io.leasehold.engine.Lease;
import io.leasehold.engine.LeaseState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A lease's row as it was read: what is large is understood only when it is needed. */
record StoredLease(
    UUID id,
    String pool,
    LeaseState state,
    long revision,
    String ask,
    String status,
    String text,
    String answer,
    long bookRevision,
    Actor createdBy,
    long updatedAt) {

  static StoredLease from(ResultSet row) throws SQLException {
    return new StoredLease(
        row.getObject("id", UUID.class),
        row.getString("pool"),
        LeaseState.valueOf(row.getString("state")),
        row.getLong("revision"),
        row.getString("ask"),
        row.getString("status"),
        row.getString("text"),
        row.getString("answer"),
        row.getLong("book_revision"),
        new Actor(
            row.getObject("created_by", UUID.class),
            row.getString("created_by_kind"),
            row.getString("created_by_name")),
        row.getLong("updated_at"));
  }

  Lease lease() {
    return Payload.lease(status, Json.read(ask, Ask.class));
  }

  LeaseRecord record() {
    return record(lease());
  }

  /** With the lease where it is known already. */
  LeaseRecord record(Lease known) {
    return new LeaseRecord(
        pool,
        known,
        Json.read(text, LeaseText.class),
        Json.read(answer, Answer.class),
        bookRevision,
        createdBy,
        updatedAt);
  }

  /** As a batch leaves it. */
  LeaseRecord moved(
      Lease after,
      @Nullable LeaseText newText,
      @Nullable Answer newAnswer,
      long committedAs,
      long now) {
    return new LeaseRecord(
        pool,
        after,
        newText == null ? Json.read(text, LeaseText.class) : newText,
        newAnswer == null ? Json.read(answer, Answer.class) : newAnswer,
        newAnswer == null ? bookRevision : committedAs,
        createdBy,
        now);
  }
}
