package io.leasehold.lease;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A reservation as it is kept.
 *
 * @param request with every default, canonical
 * @param madeUntil every time of the series that starts before this has been made
 */
record ReservationRecord(
    UUID id,
    String pool,
    String tenant,
    String request,
    boolean recurring,
    Instant madeUntil,
    @Nullable Instant cancelTime,
    String createdByKind,
    String createdByName,
    long revision,
    Instant createTime,
    Instant updateTime) {}
