package io.leasehold.contract;

import io.leasehold.engine.ServiceClass;
import java.time.Duration;
import java.util.List;

/** The service classes that are there from the start; operators may change what they say. */
final class BuiltInClasses {

  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final Duration WITHDRAW_ALLOWANCE = Duration.ofSeconds(60);
  private static final Duration AGING = Duration.ofHours(4);
  private static final Duration LONGEST = Duration.ofDays(30);
  private static final Duration HORIZON = Duration.ofDays(180);

  static final List<ServiceClass> ALL =
      List.of(
          serving("realtime", 1000),
          serving("interactive", 500),
          work("batch", 100, Duration.ofMinutes(10)),
          work("opportunistic", 0, Duration.ZERO));

  private BuiltInClasses() {}

  /** Somebody waits for the answer: may preempt, is not preempted, may be open-ended. */
  private static ServiceClass serving(String slug, int priority) {
    return of(slug, priority, true, Duration.ZERO);
  }

  /** Nobody waits: may be preempted, after a while. */
  private static ServiceClass work(String slug, int priority, Duration minimumRun) {
    return of(slug, priority, false, minimumRun);
  }

  private static ServiceClass of(String slug, int priority, boolean serves, Duration minimumRun) {
    return new ServiceClass(
        slug,
        priority,
        serves,
        !serves,
        serves,
        micros(minimumRun),
        0,
        micros(GRACE),
        micros(WITHDRAW_ALLOWANCE),
        micros(AGING),
        micros(LONGEST),
        micros(HORIZON));
  }

  private static long micros(Duration duration) {
    return duration.toSeconds() * 1_000_000;
  }
}
