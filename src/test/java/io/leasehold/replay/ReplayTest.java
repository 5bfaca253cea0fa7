package io.leasehold.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** The command as a whole, on a fleet of thirty nodes. */
class ReplayTest {

  @TempDir Path directory;
  private Path nodes;
  private Path pods;
  private String out = "";
  private String errors = "";

  @BeforeEach
  void writeFiles() throws IOException {
    StringBuilder machines = new StringBuilder("sn,cpu_milli,memory_mib,gpu,model\n");
    for (int i = 0; i < 30; i++) {
      machines.append("n" + i + ",96000,393216," + (i % 3 == 0 ? "2,T4" : "8,G2") + "\n");
    }
    nodes = Files.writeString(directory.resolve("nodes.csv"), machines);
    pods =
        Files.writeString(
            directory.resolve("pods.csv"),
            """
            name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec
            a,11000,1024,1,1000,
            b,11000,1024,1,1000,G2
            c,6000,1024,1,460,
            d,6000,1024,1,530,T4
            e,88000,1024,8,1000,
            f,12000,1024,0,0,
            g,8000,1024,1,810,T4|G2
            """);
  }

  private int run(String... args) {
    List<String> all = new ArrayList<>(List.of("--format", "openb"));
    all.addAll(List.of("--nodes", nodes.toString(), "--pods", pods.toString()));
    all.addAll(List.of(args));
    return runOnly(all.toArray(String[]::new));
  }

  private int runOnly(String... args) {
    ByteArrayOutputStream to = new ByteArrayOutputStream();
    ByteArrayOutputStream problems = new ByteArrayOutputStream();
    int code = Replay.run(List.of(args), new PrintStream(to), new PrintStream(problems));
    out = to.toString();
    errors = problems.toString();
    return code;
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> json() {
    return JsonMapper.builder().build().readValue(out, Map.class);
  }

  private static Map<String, Object> lasting(Map<String, Object> json) {
    json.remove("decisionsPerSecond");
    json.remove("bytesPerLease");
    return json;
  }

  @ParameterizedTest
  @ValueSource(strings = {"ours", "random", "first-fit", "best-fit", "fgd"})
  void theSameSeedGivesTheSameFigures(String policy) {
    for (String protocol : List.of("saturation", "churn")) {
      String[] args = {
        "--policy", policy, "--protocol", protocol, "--out", "json", "--arrivals", "2000"
      };
      if (protocol.equals("saturation")) {
        args[6] = "--seed";
        args[7] = "42";
      }
      assertThat(run(args)).as(errors).isZero();
      Map<String, Object> first = lasting(json());
      assertThat(run(args)).isZero();
      assertThat(lasting(json())).isEqualTo(first);
      assertThat(first)
          .containsEntry("policy", policy)
          .containsEntry("protocol", protocol)
          .containsKeys(
              "allocatedPercent", "refusedGpuPercent", "refusedGangPercent", "fragmentation");
    }
  }

  @Test
  void anotherSeedGivesOtherFigures() {
    run("--policy", "random", "--out", "json", "--seed", "1");
    Map<String, Object> one = lasting(json());
    run("--policy", "random", "--out", "json", "--seed", "2");
    one.put("seed", 2);
    assertThat(lasting(json())).isNotEqualTo(one);
  }

  @Test
  void nothingIsRefusedWhileThereIsRoom() {
    assertThat(run("--protocol", "churn", "--load", "0.1", "--arrivals", "500", "--out", "json"))
        .isZero();
    assertThat(json()).containsEntry("refusedGpuPercent", 0.0).containsEntry("warmup", 100);
  }

  @Test
  void aTableComparesAllPolicies() {
    assertThat(run("--compare", "--seed", "1-2")).isZero();
    assertThat(out.lines().toList())
        .contains("format: openb", "protocol: saturation", "seeds: 1-2")
        .anyMatch(line -> line.matches(" +ours +random +first-fit +best-fit +fgd"))
        .anyMatch(line -> line.matches("allocatedPercent( +[0-9.]+){5}"));
  }

  @Test
  void progressGoesToStandardError() {
    run("--policy", "first-fit", "--seed", "7");
    assertThat(errors).matches("first-fit, seed 7: done in [0-9.]+ s\\R");
  }

  @Test
  void whatIsWrongEndsWithTwoAndOneSentence() {
    assertThat(run("--policy", "greedy")).isEqualTo(2);
    assertThat(errors.strip())
        .isEqualTo("--policy greedy: one of ours, random, first-fit, best-fit, fgd");
    assertThat(run("--speed", "9")).isEqualTo(2);
    assertThat(errors).startsWith("--speed means nothing here; known are --");
    assertThat(runOnly("--format", "swf")).isEqualTo(2);
    assertThat(runOnly()).isEqualTo(2);
    assertThat(errors).startsWith("Usage: replay --format");
    assertThat(runOnly("--help")).isZero();
    assertThat(out).startsWith("Usage: replay --format");
  }

  @Test
  void requestsWithoutGpusAloneCanNotBeReplayed() throws IOException {
    Files.writeString(pods, "name,cpu_milli,memory_mib,num_gpu,gpu_milli\na,1,1,0,0\n");
    assertThat(run()).isEqualTo(2);
    assertThat(errors.strip()).isEqualTo("no request asks for a GPU");
  }
}
