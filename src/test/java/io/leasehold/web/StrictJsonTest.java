package io.leasehold.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

class StrictJsonTest {

  enum Rule {
    REQUIRED,
    PREFERRED
  }

  record Inner(Integer count) {}

  record Body(
      Integer count,
      Long many,
      String name,
      Boolean flag,
      Rule rule,
      Inner inner,
      List<Inner> list,
      Map<String, String> labels,
      Instant startTime,
      Duration duration) {}

  private static final JsonMapper JSON = StrictJson.mapper();

  private static Problem.Fault fault(String body) {
    JacksonException cause =
        catchThrowableOfType(JacksonException.class, () -> JSON.readValue(body, Body.class));
    assertThat(cause).as("was read: " + body).isNotNull();
    return JsonFaults.of(cause).faults().getFirst();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"counts\":1}                  | /counts        | unknown-field",
        "{\"inner\":{\"x\":1}}           | /inner/x       | unknown-field",
        "{\"list\":[{},{\"x\":1}]}       | /list/1/x      | unknown-field",
        "{\"count\":1.9}                 | /count         | wrong-type",
        "{\"count\":1.0}                 | /count         | wrong-type",
        "{\"count\":1e0}                 | /count         | wrong-type",
        "{\"count\":\"2\"}               | /count         | wrong-value",
        "{\"count\":true}                | /count         | wrong-type",
        "{\"count\":\"\"}                | /count         | wrong-value",
        "{\"many\":\"500m\"}             | /many          | wrong-value",
        "{\"count\":\" \"}               | /count         | wrong-value",
        "{\"count\":\"\\u0000\"}         | /count         | wrong-value",
        "{\"many\":\"\\t\"}              | /many          | wrong-value",
        "{\"flag\":\" \"}                | /flag          | wrong-value",
        "{\"rule\":\" \"}                | /rule          | wrong-value",
        "{\"inner\":\" \"}               | /inner         | wrong-value",
        "{\"list\":\" \"}                | /list          | wrong-value",
        "{\"name\":1}                    | /name          | wrong-value",
        "{\"name\":true}                 | /name          | wrong-type",
        "{\"name\":[]}                   | /name          | wrong-type",
        "{\"flag\":\"true\"}             | /flag          | wrong-value",
        "{\"flag\":1}                    | /flag          | wrong-value",
        "{\"rule\":0}                    | /rule          | wrong-value",
        "{\"rule\":\"NONE\"}             | /rule          | wrong-value",
        "{\"inner\":[1]}                 | /inner         | wrong-type",
        "{\"startTime\":\"yesterday\"}   | /startTime     | not-an-instant",
        "{\"startTime\":1700000000}      | /startTime     | wrong-type",
        "{\"duration\":\"P1M\"}          | /duration      | not-a-duration",
        "{\"duration\":3600}             | /duration      | wrong-type",
        "{\"name\":\"a\\u0000\"}         | /name          | unsound-text",
        "{\"name\":\"\\ud83d\"}          | /name          | unsound-text",
        "{\"labels\":{\"a\":\"\\udc00\"}}| /labels/a      | unsound-text",
      })
  void refusesAndSaysWhere(String body, String pointer, String code) {
    Problem.Fault fault = fault(body.strip());
    assertThat(fault.code()).isIn(code, code.equals("wrong-type") ? "wrong-value" : "wrong-type");
    assertThat(fault.pointer()).isEqualTo(pointer);
    assertThat(fault.detail()).doesNotContain("io.leasehold", "java.", "tools.jackson");
  }

  @Test
  void refusesAKeyTwiceWithItsPlace() {
    Problem.Fault fault = fault("{\"count\":1,\n  \"count\":2}");
    assertThat(fault.code()).isEqualTo("duplicate-key");
    assertThat(fault.line()).isEqualTo(2);
  }

  @Test
  void refusesANulInAKey() {
    assertThat(fault("{\"labels\":{\"a\\u0000b\":\"x\"}}").code()).isEqualTo("unsound-text");
  }

  @Test
  void refusesDepthAndLongNumbers() {
    assertThat(fault("{\"inner\":" + "[".repeat(40) + "]".repeat(40) + "}").code())
        .isIn("too-deep", "wrong-type");
    JacksonException deep =
        catchThrowableOfType(
            JacksonException.class, () -> JSON.readTree("[".repeat(33) + "]".repeat(33)));
    assertThat(JsonFaults.of(deep).faults().getFirst().code()).isEqualTo("too-deep");
    assertThat(JSON.readTree("[".repeat(32) + "]".repeat(32))).isNotNull();
    assertThat(fault("{\"many\":" + "1".repeat(41) + "}").code()).isEqualTo("number-too-long");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "{\"count\":}", "nonsense", "{} {}", "{\"count\":01}", "{'a':1}"})
  void refusesWhatIsNoJson(String body) {
    Problem.Fault fault = fault(body);
    assertThat(fault.code()).isIn("malformed-json", "wrong-type");
    assertThat(fault.detail()).doesNotContain("tools.jackson", "Unexpected character");
  }

  @Test
  void nullMeansAbsent() {
    Body body = JSON.readValue("{\"count\":null,\"list\":null,\"name\":null}", Body.class);
    assertThat(body).isEqualTo(JSON.readValue("{}", Body.class));
  }

  @Test
  void leavesOtherTextIntact() {
    String text = "\u202Ertl \uD83D\uDE80 e\u0301 \u00e9";
    String written = JSON.writeValueAsString(Map.of("name", text));
    assertThat(JSON.readValue(written, Body.class).name()).isEqualTo(text);
  }

  @Test
  void writesWholeSecondsAndNoNulls() {
    Body body =
        new Body(
            1,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            Instant.parse("2027-03-01T15:02:11.987654Z"),
            Duration.ofHours(4));
    assertThat(JSON.writeValueAsString(body))
        .isEqualTo("{\"count\":1,\"startTime\":\"2027-03-01T15:02:11Z\",\"duration\":\"PT4H\"}");
  }

  @ParameterizedTest
  @CsvSource({
    "2027-03-01T15:00:00Z, 2027-03-01T15:00:00Z",
    "2027-03-01T15:00:00.9Z, 2027-03-01T15:00:00Z",
    "2027-03-01T15:00:00+02:00, 2027-03-01T13:00:00Z",
    "2028-02-29T00:00:00Z, 2028-02-29T00:00:00Z",
    "0001-01-01T00:00:00Z,",
    "+1000000-01-01T00:00:00Z,",
    "-1000000000-01-01T00:00Z,",
    "2027-02-29T00:00:00Z,",
    "2027-03-01T15:00:00,",
    "2027-03-01,",
    "9999-12-31T23:59:59Z,",
  })
  void instantsAreOfOurTime(String text, String instant) {
    assertThat(WireTime.instant(text)).isEqualTo(instant == null ? null : Instant.parse(instant));
  }

  @ParameterizedTest
  @CsvSource({
    "PT4H, PT4H",
    "P1D, PT24H",
    "P1DT30M, PT24H30M",
    "PT90S, PT90S",
    "PT0S, PT0S",
    "P1M,",
    "P1Y,",
    "P1W,",
    "-PT1H,",
    "PT-1H,",
    "PT,",
    "P,",
    "PT1.5H,",
    "4h,",
    "PT99999999999H,"
  })
  void durationsAreOfDaysToSeconds(String text, String duration) {
    assertThat(WireTime.duration(text))
        .isEqualTo(duration == null ? null : Duration.parse(duration));
  }
}
