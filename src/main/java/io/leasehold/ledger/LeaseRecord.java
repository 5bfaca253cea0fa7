package io.leasehold.ledger;

import io.leasehold.engine.Answer;
import io.leasehold.engine.Lease;

/**
 * A lease as its row has it.
 *
 * @param bookRevision the pool's revision at which {@code answer} was given
 * @param updatedAt microseconds; the instant of the last move
 */
public record LeaseRecord(
    String pool,
    Lease lease,
    LeaseText text,
    Answer answer,
    long bookRevision,
    Actor createdBy,
    long updatedAt) {}
