package io.leasehold.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OutputTest {

  private static Figures figures(double allocated, long starved) {
    return new Figures()
        .put("allocatedPercent", allocated, 2)
        .put("missing", Double.NaN, 2)
        .put("waiting", new Figures().put("batch", new Figures().put("p50", 1_234.5, 1)))
        .put("starved", starved);
  }

  private static Output output(Map<String, Figures> policies) {
    Map<String, Object> head = new LinkedHashMap<>();
    head.put("format", "openb");
    return new Output(head, policies);
  }

  @Test
  void jsonIsOneObjectWithTheFiguresOfOnePolicy() {
    assertThat(output(Map.of("ours", figures(95.256, 0))).json().replaceAll("\\s", ""))
        .isEqualTo(
            """
            {"format":"openb","policy":"ours","allocatedPercent":95.26,\
            "waiting":{"batch":{"p50":1234.5}},"starved":0}""");
  }

  @Test
  void jsonHasSeveralPoliciesByName() {
    Map<String, Figures> policies = new LinkedHashMap<>();
    policies.put("ours", figures(95, 0));
    policies.put("fgd", figures(94, 1));
    assertThat(output(policies).json().replaceAll("\\s", ""))
        .startsWith("{\"format\":\"openb\",\"policies\":{\"ours\":{\"allocatedPercent\":95.00,")
        .contains("\"fgd\":{\"allocatedPercent\":94.00,");
  }

  @Test
  void aTableHasALineForEachFigureAndAColumnForEachPolicy() {
    Map<String, Figures> policies = new LinkedHashMap<>();
    policies.put("ours", figures(95.256, 0));
    policies.put("fgd", new Figures().put("allocatedPercent", 94, 2));
    assertThat(output(policies).table().lines().map(line -> line.replaceAll(" +", " ")))
        .containsExactly(
            "format: openb",
            " ours fgd",
            "allocatedPercent 95.26 94.00",
            "waiting.batch.p50 1,234.5 -",
            "starved 0 -");
  }

  @Test
  void theMeanIsThatOfTheRunsThatTellAFigure() {
    Figures mean =
        Figures.mean(List.of(figures(95, 2), new Figures().put("allocatedPercent", 94, 2)));
    assertThat(mean.get("allocatedPercent")).isEqualTo(94.5);
    assertThat(mean.get("waiting.batch.p50")).isEqualTo(1_234.5);
    assertThat(mean.get("starved")).isEqualTo(2);
    assertThat(mean.get("missing")).isNaN();
  }
}
