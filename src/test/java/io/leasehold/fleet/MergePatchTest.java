package io.leasehold.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.web.StrictJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.converter.HttpMessageNotReadableException;
import tools.jackson.databind.json.JsonMapper;

class MergePatchTest {

  private static final JsonMapper JSON = StrictJson.mapper();
  private static final PatchNodeRequest BEFORE =
      new PatchNodeRequest(64_000L, 1_024L, new Topology("eu-1", "eu-1a", "b1", "r1", null));

  private final MergePatch patches = new MergePatch(JSON);

  @Test
  void changesWhatIsToldAndKeepsTheRest() {
    assertThat(patched("{\"topology\":{\"rack\":\"r2\"}}"))
        .isEqualTo(
            new PatchNodeRequest(64_000L, 1_024L, new Topology("eu-1", "eu-1a", "b1", "r2", null)));
  }

  @Test
  void takesAwayWhatIsNull() {
    assertThat(patched("{\"cpuMilli\":null,\"topology\":{\"rack\":null}}"))
        .isEqualTo(
            new PatchNodeRequest(null, 1_024L, new Topology("eu-1", "eu-1a", "b1", null, null)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"name\":\"n2\"}", "{\"cpuMilli\":1.5}", "{\"topology\":7}", "[]", "1", "null"})
  void refusesWhatTheThingDoesNotHave(String patch) {
    assertThatThrownBy(() -> patched(patch)).isInstanceOf(HttpMessageNotReadableException.class);
  }

  private PatchNodeRequest patched(String patch) {
    return patches.apply(BEFORE, JSON.readTree(patch), PatchNodeRequest.class);
  }
}
