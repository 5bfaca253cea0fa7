package io.leasehold.replay;

import java.util.List;

/** A workload that was read, ready to be replayed as often as wanted. */
interface Format {

  /** The policies it can be replayed with; {@code ours}, the engine, first. */
  List<String> policies();

  /**
   * Replays all of it once. The same policy and seed give the same figures, but for those that
   * measure the machine.
   */
  Figures replay(String policy, long seed, Progress progress);
}
