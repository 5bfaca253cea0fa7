package io.leasehold.ledger;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows on their way into one {@code insert ... select from unnest(...)}: an array per column. */
final class Columns {

  private final String statement;
  private final boolean[] numeric;
  private final List<List<@Nullable Object>> columns = new ArrayList<>();

  /**
   * @param statement has {@code %s} where the unnest stands
   * @param types one letter per column: {@code t}ext or {@code n}umber (bigint)
   */
  Columns(String types, String statement) {
    StringBuilder unnest = new StringBuilder("unnest(");
    numeric = new boolean[types.length()];
    for (int i = 0; i < types.length(); i++) {
      numeric[i] = types.charAt(i) == 'n';
      unnest.append(i == 0 ? "" : ", ").append(numeric[i] ? "?::bigint[]" : "?::text[]");
      columns.add(new ArrayList<>());
    }
    this.statement = statement.formatted(unnest.append(')'));
  }

  /** One row: String (or what prints as one) for text, Long or Integer for numbers, or null. */
  void row(@Nullable Object... values) {
    for (int i = 0; i < values.length; i++) {
      columns.get(i).add(values[i]);
    }
  }

  /** Adds the statement, if there is a row. */
  void addTo(Script script, Object... before) {
    if (columns.getFirst().isEmpty()) {
      return;
    }
    Object[] parameters = new Object[before.length + numeric.length];
    System.arraycopy(before, 0, parameters, 0, before.length);
    for (int i = 0; i < numeric.length; i++) {
      parameters[before.length + i] = numeric[i] ? numbers(columns.get(i)) : texts(columns.get(i));
    }
    script.add(statement, parameters);
  }

  private static Long[] numbers(List<@Nullable Object> values) {
    Long[] numbers = new Long[values.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = values.get(i) == null ? null : ((Number) values.get(i)).longValue();
    }
    return numbers;
  }

  private static String[] texts(List<@Nullable Object> values) {
    String[] texts = new String[values.size()];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = values.get(i) == null ? null : values.get(i).toString();
    }
    return texts;
  }
}
