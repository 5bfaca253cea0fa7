package io.leasehold.engine;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Whole GPUs set aside for a tenant over a window: once, or one time of a series. It is booked on
 * devices from the moment it is made and counts in full against the guarantee of its owner; leases
 * draw on it and add nothing (engine rule 16). Nothing of it is ever published.
 *
 * @param originalStart as its series gives it: what it is called by, also after it was moved
 * @param window what it holds, and no instant more: there is nothing to prepare or to withdraw
 * @param booking all of its devices; what leases have of them right now is taken out of its promise
 * @param lend whether what is idle goes to leases that may be preempted
 * @param noShowAfter how long after its start it is released if nobody drew on it; {@link
 *     Span#FOREVER} = never
 * @param noShowAt when that is looked at next; {@link Span#FOREVER} once somebody drew on it
 * @param degraded some of its devices are lost and nothing else was free
 * @param begun its time has come
 * @param lent others have some of it within its window
 * @param endCause over, no-show, cancelled, no-room; null before
 */
public record Occurrence(
    UUID id,
    UUID reservation,
    String tenant,
    Shape shape,
    long originalStart,
    Span window,
    @Nullable Booking booking,
    State state,
    long revision,
    boolean lend,
    long noShowAfter,
    long noShowAt,
    boolean degraded,
    boolean begun,
    boolean lent,
    @Nullable String endCause) {

  /** Where it is in its life; all but the first are final. */
  public enum State {
    /** Set aside. */
    BOOKED,
    /** Over, or released because nobody came. */
    ENDED,
    /** Taken back by its tenant. */
    CANCELLED,
    /** There was no room for it when its time came into sight. */
    REFUSED
  }

  /**
   * What is asked for.
   *
   * @param shape in whole GPUs
   */
  public record Ask(
      UUID id,
      UUID reservation,
      String tenant,
      Shape shape,
      long originalStart,
      Span window,
      boolean lend,
      long noShowAfter) {

    Ask with(Shape other) {
      return new Ask(id, reservation, tenant, other, originalStart, window, lend, noShowAfter);
    }

    Ask moved(long by) {
      Span later = new Span(window.start() + by, Time.plus(window.end(), by));
      return new Ask(id, reservation, tenant, shape, originalStart + by, later, lend, noShowAfter);
    }
  }

  static Occurrence booked(Ask ask, Booking booking, long now) {
    return new Occurrence(
        ask.id(),
        ask.reservation(),
        ask.tenant(),
        ask.shape(),
        ask.originalStart(),
        ask.window(),
        booking,
        State.BOOKED,
        1,
        ask.lend(),
        ask.noShowAfter(),
        Time.plus(Math.max(now, ask.window().start()), ask.noShowAfter()),
        false,
        false,
        false,
        null);
  }

  static Occurrence refused(Ask ask) {
    return new Occurrence(
        ask.id(),
        ask.reservation(),
        ask.tenant(),
        ask.shape(),
        ask.originalStart(),
        ask.window(),
        null,
        State.REFUSED,
        1,
        ask.lend(),
        ask.noShowAfter(),
        Span.FOREVER,
        false,
        false,
        false,
        "no-room");
  }

  public boolean isLive() {
    return state == State.BOOKED;
  }

  /** On other devices; it is sound then. */
  Occurrence rebound(Booking newBooking) {
    return next(window, shape, newBooking, state, noShowAt, false, begun, lent, endCause);
  }

  /** Another time or size. */
  Occurrence rebooked(Span newWindow, Shape newShape, Booking newBooking, boolean broken) {
    boolean moved = newWindow.start() != window.start() && noShowAt != Span.FOREVER;
    long shown = moved ? Time.plus(newWindow.start(), noShowAfter) : noShowAt;
    return next(newWindow, newShape, newBooking, state, shown, broken, begun, lent, endCause);
  }

  Occurrence noShowAt(long instant) {
    return next(window, shape, booking, state, instant, degraded, begun, lent, endCause);
  }

  Occurrence degraded(boolean value) {
    return next(window, shape, booking, state, noShowAt, value, begun, lent, endCause);
  }

  /** Its time has come. */
  Occurrence started() {
    return next(window, shape, booking, state, noShowAt, degraded, true, lent, endCause);
  }

  Occurrence lent(boolean value) {
    return next(window, shape, booking, state, noShowAt, degraded, begun, value, endCause);
  }

  Occurrence ended(State last, String cause) {
    return next(window, shape, booking, last, noShowAt, degraded, begun, lent, cause);
  }

  private Occurrence next(
      Span newWindow,
      Shape newShape,
      @Nullable Booking newBooking,
      State newState,
      long newNoShowAt,
      boolean newDegraded,
      boolean newBegun,
      boolean newLent,
      @Nullable String newEndCause) {
    return new Occurrence(
        id,
        reservation,
        tenant,
        newShape,
        originalStart,
        newWindow,
        newBooking,
        newState,
        revision + 1,
        lend,
        noShowAfter,
        newNoShowAt,
        newDegraded,
        newBegun,
        newLent,
        newEndCause);
  }
}
