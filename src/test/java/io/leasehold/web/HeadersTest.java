package io.leasehold.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What callers write into headers and the query of lists. */
class HeadersTest {

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "`wait=10`, 10", "`wait=600`, 60", "`respond-async, wait=5`, 5", "`wait = 7; x=1`, 7",
        "`handling=strict`, 0", "`wait=-1`, 0", "`waiting=5`, 0", "`WAIT=3`, 3",
        "`wait=999999999999`, 0", "``, 0"
      })
  void readsHowLongToWait(String prefer, long seconds) {
    assertThat(Preference.waiting(prefer)).isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void aConditionNamesOneRevision() {
    assertThat(ETag.ifMatch("\"4\"")).isEqualTo(4);
    assertThat(ETag.ifMatch("*")).isNull();
    assertThat(ETag.ifMatch(null)).isNull();
    assertThat(ETag.ifMatch("W/\"4\"")).isEqualTo(-1);
    assertThat(ETag.ifMatch("\"x\"")).isEqualTo(-1);
    assertThat(status(() -> ETag.ifMatch("4"))).isEqualTo(400);
    assertThat(ETag.ifMatch("\"04\"")).isEqualTo(-1);
    assertThat(status(() -> ETag.required(null))).isEqualTo(428);
    assertThat(status(() -> ETag.required("*"))).isEqualTo(428);
    assertThat(ETag.required("\"4\"")).isEqualTo(4);
    assertThat(ETag.of(4)).isEqualTo("\"4\"");
  }

  @Test
  void aKnownRevisionIsNotSentAgain() {
    assertThat(ETag.isKnown("\"3\", W/\"4\"", 4)).isTrue();
    assertThat(ETag.isKnown("\"3\"", 4)).isFalse();
    assertThat(ETag.isKnown("*", 4)).isTrue();
    assertThat(ETag.isKnown(null, 4)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "\"abc\"", " abc "})
  void aKeyIsTheSameQuotedAndBare(String header) {
    assertThat(IdempotencyKeys.value(header)).isEqualTo("abc");
  }

  @Test
  void aKeyIsShortAndPrintable() {
    assertThat(IdempotencyKeys.value(null)).isNull();
    assertThat(IdempotencyKeys.value("k".repeat(255))).hasSize(255);
    for (String bad : new String[] {"", "\"\"", "k".repeat(256), "é"}) {
      assertThat(status(() -> IdempotencyKeys.value(bad))).isEqualTo(400);
    }
  }

  @ParameterizedTest
  @CsvSource({"1,1", "200,200", "201,200", "1000000000000,200", "1000000000000000000,200"})
  void aLargePageIsTakenAsTheLargest(String asked, int size) {
    assertThat(PageRequest.of(asked, null, "").size()).isEqualTo(size);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-5", "1.5", "ten", "-99999999999999999999", "1000000000000000001"})
  void anImpossiblePageIsRefused(String asked) {
    assertThat(status(() -> PageRequest.of(asked, null, ""))).isEqualTo(400);
  }

  @Test
  void aTokenIsBoundToItsFilters() {
    PageRequest first = PageRequest.of("1", null, "a=1");
    Page<String> page =
        first.page(java.util.List.of("x", "y"), row -> new PageRequest.Position(7, "id of " + row));
    assertThat(page.items()).containsExactly("x");
    PageRequest next = PageRequest.of("1", page.nextPageToken(), "a=1");
    assertThat(next.after()).isEqualTo(new PageRequest.Position(7, "id of x"));
    assertThat(status(() -> PageRequest.of("1", page.nextPageToken(), "a=2"))).isEqualTo(400);
    assertThat(status(() -> PageRequest.of("1", "%%%", "a=1"))).isEqualTo(400);
    assertThat(status(() -> PageRequest.of("1", "AAAA", "a=1"))).isEqualTo(400);
    String token = page.nextPageToken();
    assertThat(status(() -> PageRequest.of("1", token + "AAAA", "a=1"))).isEqualTo(400);
    for (int cut = 1; cut < token.length(); cut++) {
      String shortened = token.substring(0, cut);
      assertThat(status(() -> PageRequest.of("1", shortened, "a=1"))).as(shortened).isEqualTo(400);
    }
    assertThat(first.page(java.util.List.of("x"), row -> null).nextPageToken()).isNull();
  }

  @Test
  void aTraceGoesOnOrBegins() {
    String parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    Trace trace = Trace.continued(parent);
    assertThat(trace.id()).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
    assertThat(trace.header())
        .startsWith("00-4bf92f3577b34da6a3ce929d0e0e4736-")
        .endsWith("-01")
        .doesNotContain("00f067aa0ba902b7");
    for (String bad :
        new String[] {
          null,
          "x",
          parent.toUpperCase(),
          "ff" + parent.substring(2),
          "00-" + "0".repeat(32) + "-00f067aa0ba902b7-01",
          "00-4bf92f3577b34da6a3ce929d0e0e4736-" + "0".repeat(16) + "-01"
        }) {
      assertThat(Trace.continued(bad).id())
          .matches("[0-9a-f]{32}")
          .isNotEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
    }
  }

  @Test
  void aPointerFollowsThePathOfABean() {
    assertThat(ProblemHandler.pointer("gpu.models[0]")).isEqualTo("/gpu/models/0");
  }

  private static int status(Runnable call) {
    Problem problem = catchThrowableOfType(Problem.class, call::run);
    assertThat(problem).as("was taken").isNotNull();
    return problem.status();
  }
}
