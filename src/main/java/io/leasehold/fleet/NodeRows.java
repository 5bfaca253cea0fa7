package io.leasehold.fleet;

import io.leasehold.engine.Domain;
import io.leasehold.engine.Node;
import io.leasehold.engine.Node.Gpu;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Rows of the table {@code node}, in both directions. */
@Component
class NodeRows {

  private static final TypeReference<List<Gpu>> GPUS = new TypeReference<>() {};

  private final JsonMapper json;

  NodeRows(JsonMapper json) {
    this.json = json;
  }

  NodeRecord record(ResultSet row, int number) throws SQLException {
    return new NodeRecord(
        node(row, number),
        row.getString("pool"),
        row.getString("drain_reason"),
        row.getLong("revision"),
        row.getObject("create_time", OffsetDateTime.class).toInstant(),
        row.getObject("update_time", OffsetDateTime.class).toInstant());
  }

  Node node(ResultSet row, int number) throws SQLException {
    OffsetDateTime deadline = row.getObject("drain_deadline", OffsetDateTime.class);
    return new Node(
        row.getObject("id", UUID.class),
        row.getInt("ordinal"),
        row.getString("cluster"),
        row.getString("name"),
        row.getString("model"),
        new Domain(
            row.getString("region"),
            row.getString("zone"),
            row.getString("block"),
            row.getString("rack"),
            row.getString("nvlink")),
        row.getLong("cpu_milli"),
        row.getLong("memory_mib"),
        json.readValue(row.getString("gpus"), GPUS),
        deadline == null ? null : Times.micros(deadline),
        row.getBoolean("retired"));
  }

  /** One JSON array of all rows, so that any number of nodes is written by one statement. */
  String rows(List<NodeChange> changes) {
    return json.writeValueAsString(changes.stream().map(NodeRows::row).toList());
  }

  private static Row row(NodeChange change) {
    Node node = change.node();
    Domain domain = node.domain();
    return new Row(
        node.id(),
        node.cluster(),
        node.ordinal(),
        node.name(),
        node.model(),
        node.gpus().size(),
        node.cpuMilli(),
        node.memoryMiB(),
        domain.region(),
        domain.zone(),
        domain.block(),
        domain.rack(),
        domain.nvlink(),
        node.gpus(),
        node.retired(),
        change.seen() + 1);
  }

  /** Named as the columns are. */
  private record Row(
      UUID id,
      String cluster,
      int ordinal,
      String name,
      String model,
      int gpu_count,
      long cpu_milli,
      long memory_mib,
      @Nullable String region,
      @Nullable String zone,
      @Nullable String block,
      @Nullable String rack,
      @Nullable String nvlink,
      List<Gpu> gpus,
      boolean retired,
      long revision) {}
}
