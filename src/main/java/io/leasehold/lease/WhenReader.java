package io.leasehold.lease;

import static io.leasehold.lease.Wire.SECOND;

import io.leasehold.engine.Ask.When;
import io.leasehold.engine.Span;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * When a lease may lie, read from a request: one of a duration and an end, or neither where the
 * class allows a lease without an end; a start up to one minute in the past means now and leaves a
 * given end where it is.
 */
final class WhenReader {

  static final long SHORTEST = 60 * SECOND;
  static final long LONGEST = 366 * 86_400L * SECOND;

  /** No lease is planned further ahead than this, whatever its class allows. */
  static final long FARTHEST = 3_660 * 86_400L * SECOND;

  private static final long PAST_THAT_MEANS_NOW = 60 * SECOND;

  private final LeaseRequest sent;
  private final Faults faults;
  private final long now;
  private final boolean mayBeOpenEnded;

  /**
   * @param mayBeOpenEnded whether the class allows a lease without an end
   */
  WhenReader(LeaseRequest sent, Faults faults, long now, boolean mayBeOpenEnded) {
    this.sent = sent;
    this.faults = faults;
    this.now = now;
    this.mayBeOpenEnded = mayBeOpenEnded;
  }

  /** Null when there are faults. */
  @Nullable When read() {
    OptionalLong length = faults.duration("/duration", sent.duration(), SHORTEST, LONGEST);
    OptionalLong start = start("/startTime", sent.startTime());
    OptionalLong end = end("/endTime", sent.endTime());
    if (sent.window() != null) {
      return within(sent.window(), length);
    }
    if (sent.duration() != null && sent.endTime() != null) {
      faults.add("/endTime", "exactly-one", "Either duration or endTime, not both.");
      return null;
    }
    boolean atOnce = sent.startTime() == null || start.isPresent() && start.getAsLong() <= now;
    if (sent.duration() == null && sent.endTime() == null) {
      return openEnded(atOnce, start);
    }
    if (length.isPresent()) {
      return atOnce
          ? new When.Now(length.getAsLong())
          : start.isEmpty() ? null : at(start.getAsLong(), start.getAsLong() + length.getAsLong());
    }
    if (end.isEmpty() || sent.startTime() != null && start.isEmpty()) {
      return null;
    }
    long from = atOnce ? now : start.getAsLong();
    if (start.isPresent() && end.getAsLong() <= start.getAsLong() || end.getAsLong() <= from) {
      faults.add("/endTime", "end-before-start", "endTime must come after the start.");
      return null;
    }
    if (!isLengthLegal("/endTime", end.getAsLong() - from)) {
      return null;
    }
    return atOnce ? new When.NowUntil(end.getAsLong()) : at(from, end.getAsLong());
  }

  private @Nullable When openEnded(boolean atOnce, OptionalLong start) {
    if (!mayBeOpenEnded) {
      faults.required(
          "/duration", "Say how long, by duration or endTime: this class has no open end.");
      return null;
    }
    if (atOnce) {
      return new When.Now(Span.FOREVER);
    }
    return start.isEmpty() ? null : at(start.getAsLong(), Span.FOREVER);
  }

  private @Nullable When within(LeaseRequest.Window window, OptionalLong length) {
    OptionalLong earliest = start("/window/earliestStartTime", window.earliestStartTime());
    OptionalLong latest = end("/window/latestEndTime", window.latestEndTime());
    if (sent.startTime() != null) {
      faults.add("/window", "exactly-one", "Either startTime or window, not both.");
    }
    if (sent.endTime() != null) {
      faults.add("/endTime", "not-allowed", "A window goes with a duration, not with endTime.");
    }
    if (window.latestEndTime() == null) {
      faults.required("/window/latestEndTime", "Say when it must be over.");
    }
    if (sent.duration() == null) {
      faults.required("/duration", "A window needs a duration.");
    }
    boolean known =
        latest.isPresent()
            && length.isPresent()
            && (window.earliestStartTime() == null || earliest.isPresent());
    if (!known) {
      return null;
    }
    long from = Math.max(earliest.orElse(now), now);
    if (latest.getAsLong() - from < length.getAsLong()) {
      faults.add(
          "/window",
          "window-too-short",
          "The window is shorter than the duration of " + sent.duration() + ".");
      return null;
    }
    return new When.Within(new Span(from, latest.getAsLong()), length.getAsLong());
  }

  private OptionalLong start(String pointer, @Nullable String value) {
    OptionalLong start = faults.instant(pointer, value);
    if (start.isPresent() && start.getAsLong() < now - PAST_THAT_MEANS_NOW) {
      faults.add(
          pointer,
          "start-in-past",
          value + " is more than a minute ago; leave it out to start now.");
      return OptionalLong.empty();
    }
    return notTooFar(pointer, start);
  }

  private OptionalLong end(String pointer, @Nullable String value) {
    OptionalLong end = faults.instant(pointer, value);
    if (end.isPresent() && end.getAsLong() <= now) {
      faults.add(pointer, "end-in-past", value + " is over.");
      return OptionalLong.empty();
    }
    return notTooFar(pointer, end);
  }

  private OptionalLong notTooFar(String pointer, OptionalLong instant) {
    if (instant.isPresent() && instant.getAsLong() > now + FARTHEST) {
      faults.add(pointer, "out-of-range", "More than ten years ahead.");
      return OptionalLong.empty();
    }
    return instant;
  }

  private static When at(long start, long end) {
    return new When.At(new Span(start, end));
  }

  private boolean isLengthLegal(String pointer, long length) {
    if (length < SHORTEST || length > LONGEST) {
      faults.add(
          pointer,
          "out-of-range",
          "A lease lasts from "
              + Wire.duration(SHORTEST)
              + " to "
              + Wire.duration(LONGEST)
              + "; this would be "
              + Wire.duration(length)
              + ".");
      return false;
    }
    return true;
  }
}
