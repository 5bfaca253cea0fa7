package io.leasehold.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.leasehold.ledger.LeaseText;
import io.leasehold.web.Problem;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeasePatchTest {

  private static final LeaseText OLD =
      new LeaseText(
          "old",
          "alice",
          Map.of("a", "1", "b", "2"),
          Map.of("note", "x"),
          List.of("PT15M"),
          "{}",
          "{}");

  private static LeaseText patched(String json) {
    return LeasePatch.of(Fleet.JSON.readTree(json)).on(OLD);
  }

  @Test
  void mergesWhatIsNamedAndLeavesTheRest() {
    assertThat(patched("{}")).isEqualTo(OLD);
    LeaseText text = patched("{\"name\": \"new\", \"labels\": {\"a\": null, \"c\": \"3\"}}");
    assertThat(text.name()).isEqualTo("new");
    assertThat(text.labels()).containsExactlyInAnyOrderEntriesOf(Map.of("b", "2", "c", "3"));
    assertThat(text.annotations()).isEqualTo(OLD.annotations());
    assertThat(text.notifyBefore()).isEqualTo(OLD.notifyBefore());
    assertThat(text.owner()).isEqualTo("alice");
  }

  @Test
  void nullRemoves() {
    LeaseText text =
        patched(
            "{\"name\": null, \"labels\": null, \"annotations\": null, \"notifyBefore\": null}");
    assertThat(text.name()).isNull();
    assertThat(text.labels()).isEmpty();
    assertThat(text.annotations()).isEmpty();
    assertThat(text.notifyBefore()).isEmpty();
  }

  /** S35: what was decided on can not be changed by the back door. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0001',
      value = {
        "{\"tenant\": \"nlp\"} | /tenant unknown-field",
        "{\"gpu\": {\"count\": 64}} | /gpu unknown-field",
        "{\"serviceClass\": \"realtime\"} | /serviceClass unknown-field",
        "{\"endTime\": \"2027-03-01T19:00:00Z\"} | /endTime unknown-field",
        "{\"name\": 5} | /name wrong-type",
        "{\"labels\": []} | /labels wrong-type",
        "{\"labels\": {\"a\": 5}} | /labels wrong-type",
        "{\"labels\": {\"a b\": \"c\"}} | /labels/a b malformed",
        "{\"notifyBefore\": [5]} | /notifyBefore wrong-type",
        "{\"notifyBefore\": [\"soon\"]} | /notifyBefore/0 malformed",
        "{\"name\": \"a\\u0000\"} | /name not-text",
        "[] |  wrong-type",
        "\"x\" |  wrong-type",
      })
  void refuses(String json, String fault) {
    Problem problem = catchThrowableOfType(Problem.class, () -> patched(json));
    assertThat(problem.status()).isEqualTo(400);
    assertThat(problem.faults().stream().map(each -> (each.pointer() + " " + each.code()).strip()))
        .containsExactly(fault.strip());
  }
}
