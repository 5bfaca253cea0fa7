package io.leasehold;

import java.lang.instrument.UnmodifiableClassException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * L14: runs all tests at another date, {@code -Dleasehold.test.date=2046-01-02}. This JVM's clock,
 * that of the services it starts, and the test databases' are moved alike; the time of day stays.
 */
public final class TestDate implements BeforeAllCallback {

  private static final String DATE = System.getProperty("leasehold.test.date", "");
  private static final Duration AHEAD = DATE.isEmpty() ? Duration.ZERO : untilThen();
  private static boolean moved;

  private static Duration untilThen() {
    LocalDate today = LocalDate.now(ZoneOffset.UTC);
    return Duration.ofDays(LocalDate.parse(DATE).toEpochDay() - today.toEpochDay());
  }

  /** How far the clocks are moved; zero as a rule. */
  static Duration ahead() {
    return AHEAD;
  }

  @Override
  public void beforeAll(ExtensionContext context)
      throws ClassNotFoundException, UnmodifiableClassException {
    moveOnce();
  }

  private static synchronized void moveOnce()
      throws ClassNotFoundException, UnmodifiableClassException {
    if (!moved && !AHEAD.isZero()) {
      MovedClock.move(ByteBuddyAgent.install(), AHEAD);
      LocalDate today = LocalDate.now(ZoneOffset.UTC);
      if (!today.equals(LocalDate.parse(DATE))) {
        throw new IllegalStateException("the clock did not move: " + today);
      }
    }
    moved = true;
  }
}
