package io.leasehold.engine;

/** How a GPU is shared; fixed while anything on it is booked (engine rule 13). */
public enum Mode {
  /** The whole GPU belongs to one lease. */
  WHOLE,
  /** Cut into MIG instances by the model's placement table. */
  MIG,
  /** Fractions in thousandths, in software. */
  SHARED
}
