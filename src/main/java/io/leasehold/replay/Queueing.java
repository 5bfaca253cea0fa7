package io.leasehold.replay;

import java.util.List;

/** A policy of who starts when. */
interface Queueing {

  /** Never by itself. */
  long NEVER = Long.MAX_VALUE;

  /**
   * Something happened, ends first. Who starts now is told once and is no longer in line; together
   * they need no more than is free.
   *
   * @param now seconds
   * @param free GPUs, those of the ended counted in
   */
  List<Job> starts(long now, int free, List<Job> ended, List<Job> arrived);

  /** When it wants to be asked again although nothing happens; above now. */
  default long nextLook() {
    return NEVER;
  }
}
