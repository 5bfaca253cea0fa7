package io.leasehold.publishing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Looks change a cluster's standing only when they have agreed for a while. */
class StandingTest {

  private static final Instant START = Instant.parse("2027-03-01T15:00:00Z");

  /** A look each ten seconds: + can be relied on, - can not. Below: S after it stale, . not. */
  @ParameterizedTest
  @CsvSource({
    "++++++++, ........",
    "-+++++++, ........",
    "--+--+--, ........",
    "---+++++, ........",
    "----++++, ...SSSS.",
    "--------, ...SSSSS",
    "----+-+-, ...SSSSS",
    "----+++-, ...SSSSS",
  })
  void onlySteadyLooksCount(String looks, String stale) {
    Standing standing = Standing.SOUND;
    StringBuilder became = new StringBuilder();
    for (int i = 0; i < looks.length(); i++) {
      standing =
          standing.after(
              looks.charAt(i) == '+', START.plusSeconds(10L * i), Duration.ofSeconds(30));
      became.append(standing.stale() ? 'S' : '.');
    }
    assertThat(became).hasToString(stale);
  }
}
