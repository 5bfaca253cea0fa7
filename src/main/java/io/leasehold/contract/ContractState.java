package io.leasehold.contract;

/** How far a contract has come. */
enum ContractState {
  /** Written, binds nobody; may be replaced. */
  DRAFT,
  /** Binds over its time span. */
  SIGNED,
  /** Cut short; what was booked under it stays. */
  TERMINATED,
  /** Its time span is over. */
  EXPIRED
}
