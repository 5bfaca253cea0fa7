package io.leasehold.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Nodes and requests of a production fleet for the benchmarks: openb's own list of nodes where it
 * is at hand ({@code -Dopenb=file}), else as many of the same mix.
 */
final class FleetMix {

  private static final Path OPENB =
      Path.of(System.getProperty("openb", "openb_node_list_gpu_node.csv"));

  /** Nodes, GPUs, CPU, memory and model of the mix. */
  private static final String[] MIX = {
    "549,8,96000,393216,G2",
    "387,2,104000,524288,T4",
    "107,2,16000,122880,P100",
    "39,8,128000,786432,G3",
    "28,4,32000,131072,V100M16",
    "22,2,64000,262144,P100",
    "21,8,96000,786432,V100M32",
    "19,1,8000,32768,V100M16",
    "32,4,96000,393216,T4",
    "9,4,48000,376832,V100M32"
  };

  /** Pieces, thousandths of a GPU, CPU and weight of a request. */
  private static final int[][] REQUESTS = {
    {1, 1000, 11_300, 391}, {1, 810, 8_000, 108}, {1, 470, 6_000, 75}, {1, 320, 4_000, 33},
    {1, 650, 8_000, 25}, {1, 230, 4_000, 14}, {1, 460, 6_000, 13}, {8, 1000, 88_000, 5},
    {2, 1000, 16_000, 2}, {4, 1000, 40_000, 2}
  };

  private static final int WEIGHTS = 668;

  private FleetMix() {}

  /** 1,213 nodes, so many times over. */
  static List<Node> nodes(int times) {
    List<Node> nodes = new ArrayList<>();
    for (int round = 0; round < times; round++) {
      add(nodes);
    }
    return nodes;
  }

  private static void add(List<Node> nodes) {
    if (Files.exists(OPENB)) {
      for (String line : lines().subList(1, lines().size())) {
        String[] f = line.split(",");
        nodes.add(node(nodes.size(), f[3], f[1], f[2], f[4]));
      }
    } else {
      for (String line : MIX) {
        String[] f = line.split(",");
        for (int i = 0; i < Integer.parseInt(f[0]); i++) {
          nodes.add(node(nodes.size(), f[1], f[2], f[3], f[4]));
        }
      }
    }
  }

  private static List<String> lines() {
    try {
      return Files.readAllLines(OPENB);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Node node(int ordinal, String gpus, String cpu, String memory, String model) {
    return new Node(
        Fleet.id(ordinal),
        ordinal,
        "c1",
        "n" + ordinal,
        model,
        Domain.NOWHERE,
        Long.parseLong(cpu),
        Long.parseLong(memory),
        IntStream.range(0, Integer.parseInt(gpus))
            .mapToObj(_ -> new Node.Gpu(null, Health.OK))
            .toList(),
        null,
        false);
  }

  static GpuModel model(String slug) {
    return new GpuModel(slug, slug, List.of(), 16_384, 0, 0, List.of(), 0);
  }

  /** A request by the mix; without groups it may lie on several nodes. */
  static Shape shape(Random random, List<String> models, boolean grouped) {
    int[] request = pick(random);
    Shape.Slice slice = request[1] == 1000 ? Shape.Slice.WHOLE : new Shape.Slice.Share(request[1]);
    int groups = request[0] == 1 || !grouped ? 0 : 1;
    return new Shape(
        models, 0, groups, request[0], slice, request[2], 0, List.of(), Shape.Where.ANYWHERE);
  }

  private static int[] pick(Random random) {
    int left = random.nextInt(WEIGHTS);
    for (int[] request : REQUESTS) {
      left -= request[3];
      if (left < 0) {
        return request;
      }
    }
    throw new IllegalStateException("the weights add up to " + WEIGHTS);
  }
}
