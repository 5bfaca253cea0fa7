package io.leasehold.ledger;

import java.util.List;

/** What is kept for an idempotency key: the outcomes of its submissions, in order. */
record Reply(List<Outcome> outcomes) {}
