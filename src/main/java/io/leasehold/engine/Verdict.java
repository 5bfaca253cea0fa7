package io.leasehold.engine;

/** What the engine answered to a request. */
public enum Verdict {
  /** Booked from now. */
  ADMITTED,
  /** Booked for a later start within the window asked for. */
  PLANNED,
  /** Will fit, not yet. */
  WAITING,
  /** Can never fit, or does not fit and may not wait, or is over a limit. */
  REFUSED,
  /** The search budget is used up; retried with a larger one. */
  UNDECIDED
}
