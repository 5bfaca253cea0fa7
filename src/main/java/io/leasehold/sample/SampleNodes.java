package io.leasehold.sample;

import io.leasehold.fleet.ImportRequest;
import io.leasehold.fleet.ImportRequest.ImportNode;
import io.leasehold.fleet.Topology;
import java.util.ArrayList;
import java.util.List;

/** The machines of the sample: racks of four nodes, each rack of one GPU model. */
final class SampleNodes {

  private static final int PER_RACK = 4;

  private SampleNodes() {}

  /** 16 nodes of 8 H100 and 8 of 8 A100, over two blocks of three racks. */
  static ImportRequest east() {
    List<ImportNode> nodes = new ArrayList<>();
    for (int rack = 1; rack <= 6; rack++) {
      String model = rack % 3 == 0 ? "a100-80gb" : "h100";
      String block = rack <= 3 ? "b1" : "b2";
      for (int i = 0; i < PER_RACK; i++) {
        Topology place = new Topology("eu-1", "eu-1a", block, "r" + rack, null);
        nodes.add(node("e-%03d", nodes.size() + 1, model, 8L, 128_000L, 1_048_576L, place));
      }
    }
    return new ImportRequest(nodes);
  }

  /** 8 nodes of 4 A30. */
  static ImportRequest west() {
    List<ImportNode> nodes = new ArrayList<>();
    for (int i = 1; i <= 2 * PER_RACK; i++) {
      String rack = i <= PER_RACK ? "r1" : "r2";
      Topology place = new Topology("eu-1", "eu-1b", "b1", rack, null);
      nodes.add(node("w-%03d", i, "a30", 4L, 64_000L, 262_144L, place));
    }
    return new ImportRequest(nodes);
  }

  private static ImportNode node(
      String name,
      int number,
      String model,
      long gpus,
      long cpuMilli,
      long memoryMiB,
      Topology at) {
    return new ImportNode(null, name.formatted(number), model, gpus, cpuMilli, memoryMiB, at, null);
  }
}
