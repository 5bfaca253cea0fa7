package io.leasehold.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The published figures of the comparison policies, and our own bars, on openb itself. Where it is
 * not at hand ({@code -Ddata=directory}, else {@code ../shared/data}), nothing is tested. Means of
 * fewer seeds than the published ones, so bars are met within a tolerance.
 */
class OpenbFiguresIT {

  private static final Path DATA = Path.of(System.getProperty("data", "../shared/data"), "openb");
  private static final Path NODES = DATA.resolve("openb_node_list_gpu_node.csv");

  /** Of a mean of ten seeds, or three of the slow one. */
  private static final double SPREAD = 0.5;

  private final Progress silent = new Progress(new PrintStream(OutputStream.nullOutputStream()));

  @TempDir Path directory;

  @BeforeAll
  static void needsTheData() {
    assumeTrue(Files.exists(NODES), () -> "no " + NODES);
  }

  private Figures mean(Path nodes, String pods, String policy, int seeds, String... more) {
    List<String> args = new ArrayList<>(List.of("--nodes", nodes.toString(), "--pods"));
    args.add(DATA.resolve("openb_pod_list_" + pods + ".csv").toString());
    args.addAll(List.of(more));
    Format openb = Openb.of(new Options(args), new LinkedHashMap<>());
    List<Figures> runs = new ArrayList<>();
    for (long seed = 42; seed < 42 + seeds; seed++) {
      silent.begin(policy);
      runs.add(openb.replay(policy, seed, silent));
    }
    return Figures.mean(runs);
  }

  @ParameterizedTest
  @CsvSource({
    "random, 86.25, 83.68, 81.03",
    "first-fit, 94.33, 93.54, 96.19",
    "best-fit, 93.85, 79.72, 96.15",
    "fgd, 95.08, 87.68, 97.16"
  })
  void comparisonPoliciesFillTheFleetAsPublished(
      String policy, double usual, double named, double gangs) {
    int seeds = policy.equals("fgd") ? 3 : 10;
    assertThat(mean(NODES, "default", policy, seeds).get("allocatedPercent"))
        .isCloseTo(usual, within(SPREAD));
    assertThat(mean(NODES, "gpuspec33", policy, seeds).get("allocatedPercent"))
        .isCloseTo(named, within(SPREAD));
    assertThat(mean(NODES, "multigpu50", policy, seeds).get("allocatedPercent"))
        .isCloseTo(gangs, within(SPREAD));
  }

  @ParameterizedTest
  @CsvSource({"random, 6.9, 79", "first-fit, 4.5, 46", "best-fit, 2.0, 18"})
  void comparisonPoliciesRefuseAsPublished(String policy, double gpus, double gangs) {
    Figures figures = mean(NODES, "default", policy, 3, "--protocol", "churn");
    assertThat(figures.get("refusedGpuPercent")).isCloseTo(gpus, within(0.8));
    assertThat(figures.get("refusedGangPercent")).isCloseTo(gangs, within(8.0));
  }

  @ParameterizedTest
  @CsvSource({"default, 95.2", "gpuspec33, 93.7", "multigpu50, 97.1"})
  void oursFillsTheFleet(String pods, double bar) {
    assertThat(mean(NODES, pods, "ours", 3).get("allocatedPercent")).isGreaterThan(bar - 0.15);
  }

  @Test
  void oursRefusesLittleWhenLeasesEnd() {
    Figures ours = mean(NODES, "default", "ours", 1, "--protocol", "churn", "--arrivals", "60000");
    Figures bestFit =
        mean(NODES, "default", "best-fit", 1, "--protocol", "churn", "--arrivals", "60000");
    assertThat(ours.get("refusedGpuPercent")).isLessThan(0.75 * bestFit.get("refusedGpuPercent"));
    assertThat(ours.get("refusedGangPercent")).isLessThan(0.75 * bestFit.get("refusedGangPercent"));
  }

  @Test
  void namesAndOrderOfNodesDoNotMatter() throws Exception {
    double least = 100;
    double most = 0;
    for (int shuffle = 0; shuffle < 3; shuffle++) {
      List<String> lines = new ArrayList<>(Files.readAllLines(NODES));
      String header = lines.removeFirst();
      Collections.shuffle(lines, new Random(shuffle));
      lines.replaceAll(line -> line.replace("openb-node-", "x" + line.hashCode() + "-"));
      lines.addFirst(header);
      Path shuffled = Files.write(directory.resolve("nodes.csv"), lines);
      double mean = mean(shuffled, "default", "ours", 2).get("allocatedPercent");
      least = Math.min(least, mean);
      most = Math.max(most, mean);
    }
    assertThat(most - least).isLessThanOrEqualTo(0.3);
  }
}
