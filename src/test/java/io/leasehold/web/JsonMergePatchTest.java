package io.leasehold.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.validation.Validation;
import jakarta.validation.constraints.Min;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.converter.HttpMessageNotReadableException;
import tools.jackson.databind.json.JsonMapper;

class JsonMergePatchTest {

  private static final JsonMapper JSON = StrictJson.mapper();

  record Place(@Nullable String zone, @Nullable String rack) {}

  record Thing(@Min(0) @Nullable Long cores, @Nullable Long memory, @Nullable Place place) {}

  private static final Thing BEFORE = new Thing(64L, 1_024L, new Place("a", "r1"));

  private final JsonMergePatch patches =
      new JsonMergePatch(JSON, Validation.buildDefaultValidatorFactory().getValidator());

  @Test
  void changesWhatIsToldAndKeepsTheRest() {
    assertThat(patched("{\"place\":{\"rack\":\"r2\"}}"))
        .isEqualTo(new Thing(64L, 1_024L, new Place("a", "r2")));
  }

  @Test
  void takesAwayWhatIsNull() {
    assertThat(patched("{\"cores\":null,\"place\":{\"rack\":null}}"))
        .isEqualTo(new Thing(null, 1_024L, new Place("a", null)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"name\":\"n2\"}", "{\"cores\":1.5}", "{\"place\":7}"})
  void refusesWhatTheThingDoesNotHave(String patch) {
    assertThatThrownBy(() -> patched(patch)).isInstanceOf(HttpMessageNotReadableException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "1", "null", "{\"cores\":-1}"})
  void refusesWhatIsNoObjectOrBreaksARuleOfTheWhole(String patch) {
    assertThatThrownBy(() -> patched(patch)).isInstanceOf(Problem.class);
  }

  private Thing patched(String patch) {
    return patches.apply(BEFORE, JSON.readTree(patch), Thing.class);
  }
}
