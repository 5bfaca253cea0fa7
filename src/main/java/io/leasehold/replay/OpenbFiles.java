package io.leasehold.replay;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads the two lists of openb: nodes, and pods with what they ask for. */
final class OpenbFiles {

  private static final int MOST_GPUS = 64;
  private static final long MOST_CPU = 1_000_000_000L;
  private static final long MOST_MEMORY = 1L << 40;

  private OpenbFiles() {}

  static List<Machine> machines(Path file) {
    Set<String> names = new HashSet<>();
    return Rows.read(
        file, List.of("sn", "cpu_milli", "memory_mib", "gpu", "model"), row -> machine(row, names));
  }

  private static Machine machine(Rows.Row row, Set<String> names) {
    if (row.text("sn").isEmpty() || !names.add(row.text("sn"))) {
      throw row.fault("sn", "is empty or was there before");
    }
    return new Machine(
        row.text("sn"),
        row.count("cpu_milli", MOST_CPU),
        row.count("memory_mib", MOST_MEMORY),
        (int) row.count("gpu", MOST_GPUS),
        row.text("model"));
  }

  static List<Request> requests(Path file) {
    return Rows.read(
        file,
        List.of("name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli"),
        OpenbFiles::request);
  }

  /** A share of a GPU counts only where one GPU is asked for; where it is empty or 0, all of it. */
  private static Request request(Rows.Row row) {
    int gpus = (int) row.count("num_gpu", MOST_GPUS);
    int milli = (int) row.count("gpu_milli", Request.WHOLE, Request.WHOLE);
    boolean isFraction = gpus == 1 && milli > 0;
    return new Request(
        row.count("cpu_milli", MOST_CPU),
        row.count("memory_mib", MOST_MEMORY),
        gpus,
        isFraction ? milli : Request.WHOLE,
        models(row.text("gpu_spec")));
  }

  private static List<String> models(String spec) {
    return Arrays.stream(spec.split("\\|"))
        .map(String::strip)
        .filter(model -> !model.isEmpty())
        .distinct()
        .toList();
  }
}
