package io.leasehold.engine;

/**
 * The earliest hold of a request, its preparation included: for the first start asked for as much
 * of it as there is time for, for any later one all of it.
 */
record Prepared(Terms terms, long start, long now) {

  /** When its hold begins if it starts as soon as asked for. */
  Span soonest() {
    return terms.hold(new Span(start, terms.endFrom(start)), now);
  }

  /** When the window begins of which the hold was found. */
  long startOf(Booking booking) {
    return booking.hold().start() <= soonest().start()
        ? start
        : Math.max(start, booking.hold().start() + prepare());
  }

  /**
   * @param latest the last start of the window
   */
  Found earliest(Capacity capacity, String model, long latest, Budget budget) {
    Shape shape = terms.ask().shape();
    Span soonest = soonest();
    long cut = prepare() - (start - soonest.start());
    long length = soonest.end() - soonest.start();
    long whole = soonest.end() == Span.FOREVER ? Span.FOREVER : length + cut;
    long last = latest == Span.FOREVER ? latest : latest - prepare();
    if (cut > 0) {
      Found atOnce = capacity.place(shape, model, soonest, now, budget);
      if (!(atOnce instanceof Found.None) || last < soonest.start()) {
        return atOnce;
      }
    }
    return capacity.earliest(shape, model, soonest.start(), last, whole, now, budget);
  }

  private long prepare() {
    return terms.serviceClass().prepare();
  }
}
