package io.leasehold.contract;

import io.leasehold.engine.Disruption;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A disruption budget as columns; quiet hours are written {@code 22:00-06:00 Europe/Berlin}. */
final class DisruptionColumns {

  private static final long MICROS = 1_000_000;

  private DisruptionColumns() {}

  static @Nullable Integer most(@Nullable Disruption disruption) {
    return counts(disruption) ? Integer.valueOf(disruption.most()) : null;
  }

  static @Nullable Long withinSeconds(@Nullable Disruption disruption) {
    return counts(disruption) ? Long.valueOf(disruption.within() / MICROS) : null;
  }

  static String[] quietHours(@Nullable Disruption disruption) {
    List<Disruption.Quiet> quiet = disruption == null ? List.of() : disruption.quiet();
    return quiet.stream().map(DisruptionColumns::text).toArray(String[]::new);
  }

  static @Nullable Disruption read(ResultSet row) throws SQLException {
    Integer most = row.getObject("disruption_most", Integer.class);
    List<Disruption.Quiet> quiet =
        Stream.of((String[]) row.getArray("quiet_hours").getArray())
            .map(DisruptionColumns::quiet)
            .toList();
    if (most == null && quiet.isEmpty()) {
      return null;
    }
    return new Disruption(
        most == null ? Disruption.ANY : most,
        row.getLong("disruption_within_seconds") * MICROS,
        quiet);
  }

  private static boolean counts(@Nullable Disruption disruption) {
    return disruption != null && disruption.most() != Disruption.ANY;
  }

  private static String text(Disruption.Quiet quiet) {
    DisruptionBudget.Quiet shown = DisruptionBudget.Quiet.of(quiet);
    return shown.start() + "-" + shown.end() + " " + shown.zone();
  }

  private static Disruption.Quiet quiet(String text) {
    return new Disruption.Quiet(minute(text, 0), minute(text, 6), text.substring(12));
  }

  private static int minute(String text, int at) {
    return 60 * Integer.parseInt(text.substring(at, at + 2))
        + Integer.parseInt(text.substring(at + 3, at + 5));
  }
}
