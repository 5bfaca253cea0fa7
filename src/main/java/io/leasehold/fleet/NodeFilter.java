package io.leasehold.fleet;

import io.leasehold.engine.GpuModel;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes of a cluster are listed. What is given must be there and equal: a node without a zone
 * is in no zone.
 */
record NodeFilter(
    @Nullable GpuModel model,
    @Nullable String name,
    @Nullable String region,
    @Nullable String zone,
    @Nullable String block,
    @Nullable String rack,
    @Nullable String nvlink,
    @Nullable Boolean draining,
    @Nullable Boolean retired) {

  /** Values by column; column names come from here only. */
  Map<String, String> columns() {
    Map<String, String> columns = new LinkedHashMap<>();
    put(columns, "model", model == null ? null : model.slug());
    put(columns, "name", name);
    put(columns, "region", region);
    put(columns, "zone", zone);
    put(columns, "block", block);
    put(columns, "rack", rack);
    put(columns, "nvlink", nvlink);
    return columns;
  }

  private static void put(Map<String, String> columns, String column, @Nullable String value) {
    if (value != null) {
      columns.put(column, value);
    }
  }
}
