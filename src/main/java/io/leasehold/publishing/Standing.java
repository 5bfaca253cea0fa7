package io.leasehold.publishing;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Whether a cluster's inventory is stale. It changes only when looks have said otherwise for a
 * while, so that a blip does nothing, in either direction.
 *
 * @param stale what the cluster says, or does not say, is not to be relied on
 * @param otherwiseSince since when looks say otherwise; null: the last one agreed
 */
record Standing(boolean stale, @Nullable Instant otherwiseSince) {

  static final Standing SOUND = new Standing(false, null);

  /**
   * @param sound whether the look at this instant could be relied on
   * @param steady how long looks must say otherwise
   */
  Standing after(boolean sound, Instant now, Duration steady) {
    if (sound != stale) {
      return new Standing(stale, null);
    }
    Instant since = otherwiseSince == null ? now : otherwiseSince;
    return now.isBefore(since.plus(steady))
        ? new Standing(stale, since)
        : new Standing(!sound, null);
  }

  /** Sound, and nothing says otherwise: no need to look again soon. */
  boolean isSettled() {
    return !stale && otherwiseSince == null;
  }
}
