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
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** The command with gangs in line, on a few teams. */
class PhillyTest {

  private static final long SEED = 20;

  @TempDir Path directory;
  private Path jobs;
  private String out = "";
  private String errors = "";

  @BeforeEach
  void writeFile() throws IOException {
    Random random = new Random(SEED);
    StringBuilder lines = new StringBuilder("vc,job,arrival_s,gpus,duration_s\n");
    for (int i = 0; i < 150; i++) {
      int gpus = 1 << random.nextInt(5);
      lines.append(
          "vc%d,%d,%d,%d,%d.5%n"
              .formatted(i % 3, i, i / 3 * 40_000, gpus, 500 + random.nextInt(300_000)));
    }
    jobs = Files.writeString(directory.resolve("jobs.csv"), lines);
  }

  private int run(String... args) {
    List<String> all = new ArrayList<>(List.of("--format", "philly", "--jobs", jobs.toString()));
    all.addAll(List.of(args));
    ByteArrayOutputStream to = new ByteArrayOutputStream();
    ByteArrayOutputStream problems = new ByteArrayOutputStream();
    int code = Replay.run(all, new PrintStream(to), new PrintStream(problems));
    out = to.toString();
    errors = problems.toString();
    return code;
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> json() {
    Map<String, Object> json = JsonMapper.builder().build().readValue(out, Map.class);
    json.remove("decisionsPerSecond");
    json.remove("bytesPerLease");
    return json;
  }

  @ParameterizedTest
  @ValueSource(strings = {"ours", "ours-weighted", "fifo", "round-robin", "greedy", "easy"})
  void theSameSeedGivesTheSameFigures(String policy) {
    String[] args = {"--policy", policy, "--out", "json", "--seed", "7", "--weeks", "drawn"};
    assertThat(run(args)).as(errors).isZero();
    Map<String, Object> first = json();
    assertThat(run(args)).isZero();
    assertThat(json()).isEqualTo(first);
    assertThat(first)
        .containsEntry("policy", policy)
        .containsEntry("load", 0.9)
        .containsKeys(
            "meanWaitMinutes",
            "longestGangWaitHours",
            "starved",
            "preemptions",
            "workLostGpuHours",
            "waitingMinutes",
            "fairDistanceGpuHours");
  }

  @Test
  void aTableComparesAllPolicies() {
    assertThat(run("--compare")).isZero();
    assertThat(out.lines().toList())
        .contains("format: philly", "load: 0.9", "weeks: first", "seed: 42")
        .anyMatch(line -> line.matches(" +ours +ours-weighted +fifo +round-robin +greedy +easy"))
        .anyMatch(line -> line.matches("waitingMinutes.byTenant.vc2.p99( +[0-9.,]+){6}"));
  }

  @Test
  void moreLoadMakesWaitsLonger() {
    run("--policy", "easy", "--out", "json", "--load", "0.5");
    double little = (Double) json().get("meanWaitMinutes");
    run("--policy", "easy", "--out", "json", "--load", "1.1");
    assertThat((Double) json().get("meanWaitMinutes")).isGreaterThan(little);
  }

  @ParameterizedTest
  @CsvSource({
    "'vc,arrival_s,duration_s\na,0,1', 'line 1: no column gpus'",
    "'vc,arrival_s,gpus,duration_s\na,0,0,1', 'line 2, column gpus: \"0\" is no gang'",
    "'vc,arrival_s,gpus,duration_s\n,0,1,1', 'line 2, column vc: \"\" is empty'",
    "'vc,arrival_s,gpus,duration_s\na,0,1,-4', 'line 2, column duration_s: \"-4\" is not a number from 0'"
  })
  void faultsOfTheFileAreToldWithTheirPlace(String file, String fault) throws IOException {
    Files.writeString(jobs, file);
    assertThat(run()).isEqualTo(2);
    assertThat(errors).contains("jobs.csv, " + fault);
  }

  @Test
  void optionsOfTheOtherFormatMeanNothing() {
    assertThat(run("--protocol", "churn")).isEqualTo(2);
    assertThat(errors).startsWith("--protocol means nothing here");
    assertThat(run("--policy", "fgd")).isEqualTo(2);
    assertThat(errors)
        .startsWith("--policy fgd: one of ours, ours-weighted, fifo, round-robin, greedy, easy");
  }
}
