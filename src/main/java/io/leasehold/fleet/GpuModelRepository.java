package io.leasehold.fleet;

import io.leasehold.engine.GpuModel;
import io.leasehold.engine.GpuModel.Profile;
import io.leasehold.web.PageRequest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** GPU models and every name they go by; a name means one model, whatever its case. */
@Repository
class GpuModelRepository {

  private static final long MICROS = 1_000_000;
  private static final TypeReference<List<String>> NAMES = new TypeReference<>() {};
  private static final TypeReference<List<Profile>> PROFILES = new TypeReference<>() {};

  private final JdbcClient jdbc;
  private final JsonMapper json;

  GpuModelRepository(JdbcClient jdbc, JsonMapper json) {
    this.jdbc = jdbc;
    this.json = json;
  }

  List<GpuModel> all() {
    return jdbc.sql("select * from gpu_model order by slug").query(this::model).list();
  }

  List<GpuModelRecord> page(PageRequest page) {
    return jdbc.sql("select * from gpu_model where slug > :after order by slug limit :limit")
        .param("after", page.after() == null ? "" : page.after().id())
        .param("limit", page.limit())
        .query(this::kept)
        .list();
  }

  /** By any name it has now. */
  Optional<GpuModelRecord> find(String name) {
    return jdbc.sql(
            "select m.* from gpu_model_name n join gpu_model m on m.slug = n.model"
                + " where n.name = :name")
        .param("name", folded(name))
        .query(this::kept)
        .optional()
        .filter(kept -> namesOf(kept.model()).contains(folded(name)));
  }

  /** Writes a model and its names; false, and nothing written, if one of them is taken. */
  boolean add(Connection connection, GpuModel model, boolean builtIn) {
    JdbcClient on = Statements.on(connection);
    if (isThere(on, model.slug()) || isTaken(on, model)) {
      return false;
    }
    columns(
            on.sql(
                """
            insert into gpu_model (slug, canonical, aliases, memory_mib, memory_slices,
              compute_slices, profiles, reconfigure_seconds, built_in)
            values (:slug, :canonical, :aliases::jsonb, :memory, :memorySlices,
              :computeSlices, :profiles::jsonb, :reconfigure, :builtIn)
            """),
            model)
        .param("canonical", model.canonical())
        .param("builtIn", builtIn)
        .update();
    addNames(on, model);
    return true;
  }

  /**
   * Replaces all but slug and canonical name, if it is at the revision that was seen. A name that
   * it loses stays its own: it never comes to mean another model.
   */
  boolean replace(JdbcClient on, GpuModel model, long seen) {
    boolean replaced =
        columns(
                    on.sql(
                        """
                        update gpu_model set aliases = :aliases::jsonb, memory_mib = :memory,
                          memory_slices = :memorySlices, compute_slices = :computeSlices,
                          profiles = :profiles::jsonb, reconfigure_seconds = :reconfigure,
                          revision = revision + 1, update_time = clock_timestamp()
                        where slug = :slug and revision = :seen
                        """),
                    model)
                .param("seen", seen)
                .update()
            == 1;
    if (replaced) {
      addNames(on, model);
    }
    return replaced;
  }

  private JdbcClient.StatementSpec columns(JdbcClient.StatementSpec statement, GpuModel model) {
    return statement
        .param("slug", model.slug())
        .param("aliases", json.writeValueAsString(model.aliases()))
        .param("memory", model.memoryMiB())
        .param("memorySlices", model.memorySlices())
        .param("computeSlices", model.computeSlices())
        .param("profiles", json.writeValueAsString(model.profiles()))
        .param("reconfigure", model.reconfigureTime() / MICROS);
  }

  private static void addNames(JdbcClient on, GpuModel model) {
    for (String name : namesOf(model)) {
      on.sql(
              "insert into gpu_model_name (name, model) values (:name, :model)"
                  + " on conflict do nothing")
          .param("name", name)
          .param("model", model.slug())
          .update();
    }
  }

  private static boolean isThere(JdbcClient on, String slug) {
    return on.sql("select exists (select 1 from gpu_model where slug = :slug)")
        .param("slug", slug)
        .query(Boolean.class)
        .single();
  }

  /** Whether one of its names is, or was, another model's. */
  static boolean isTaken(JdbcClient on, GpuModel model) {
    return on.sql(
            "select exists (select 1 from gpu_model_name"
                + " where name in (:names) and model <> :slug)")
        .param("names", namesOf(model))
        .param("slug", model.slug())
        .query(Boolean.class)
        .single();
  }

  static SortedSet<String> namesOf(GpuModel model) {
    SortedSet<String> names = new TreeSet<>();
    names.add(folded(model.slug()));
    names.add(folded(model.canonical()));
    model.aliases().forEach(alias -> names.add(folded(alias)));
    return names;
  }

  static String folded(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  private GpuModelRecord kept(ResultSet row, int number) throws SQLException {
    return new GpuModelRecord(model(row, number), row.getLong("revision"));
  }

  private GpuModel model(ResultSet row, int number) throws SQLException {
    return new GpuModel(
        row.getString("slug"),
        row.getString("canonical"),
        json.readValue(row.getString("aliases"), NAMES),
        row.getInt("memory_mib"),
        row.getInt("memory_slices"),
        row.getInt("compute_slices"),
        json.readValue(row.getString("profiles"), PROFILES),
        row.getInt("reconfigure_seconds") * MICROS);
  }
}
