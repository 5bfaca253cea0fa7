package io.leasehold.engine;

/** When a request may lie, and what its class adds around the window. */
record Terms(Ask ask, ServiceClass serviceClass, long createdAt) {

  /** Of the same request for another size. */
  Terms with(Shape shape) {
    return new Terms(ask.with(shape), serviceClass, createdAt);
  }

  /** Of the least it starts with. */
  Terms least() {
    Ask least = ask.least();
    return least == ask ? this : new Terms(least, serviceClass, createdAt);
  }

  /** The first instant at which it may start, seen from an instant. */
  long earliestStart(long now) {
    return switch (ask.when()) {
      case Ask.When.Now _, Ask.When.NowUntil _ -> now;
      case Ask.When.At at -> Math.max(now, at.span().start());
      case Ask.When.Within within -> Math.max(now, within.span().start());
    };
  }

  /** The last instant at which it may start; a start asked for in the past means now. */
  long latestStart() {
    return switch (ask.when()) {
      case Ask.When.Now _ -> Span.FOREVER;
      case Ask.When.NowUntil until -> until.end() - Time.SECOND;
      case Ask.When.At at -> Math.max(createdAt, at.span().start());
      case Ask.When.Within within ->
          within.span().end() == Span.FOREVER
              ? Span.FOREVER
              : within.span().end() - within.length();
    };
  }

  /** Until when it waits. */
  long waitsUntil() {
    return Math.min(ask.waitUntil(), latestStart());
  }

  /** The end of a window that starts at an instant. */
  long endFrom(long start) {
    return switch (ask.when()) {
      case Ask.When.Now now -> Time.plus(start, now.length());
      case Ask.When.NowUntil until -> until.end();
      case Ask.When.At at -> at.span().end();
      case Ask.When.Within within -> Time.plus(start, within.length());
    };
  }

  /** The length of the lease, started at an instant. */
  long lengthFrom(long start) {
    long end = endFrom(start);
    return end == Span.FOREVER ? Span.FOREVER : end - start;
  }

  /** The window with preparation before and withdrawal after. */
  Span hold(Span window, long now) {
    long start = Math.max(Math.min(now, window.start()), window.start() - serviceClass.prepare());
    return new Span(start, holdEnd(window.end()));
  }

  long holdEnd(long end) {
    return Time.plus(Time.plus(end, serviceClass.grace()), serviceClass.withdrawAllowance());
  }
}
