package io.leasehold.replay;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.json.JsonMapper;

/**
 * The figures of one or several policies as text: JSON is one object, with the figures at the top
 * for one policy and below {@code policies} for several; a table has a line for each figure and a
 * column for each policy.
 *
 * @param head what was replayed: options and their values
 * @param policies figures by policy
 */
record Output(Map<String, Object> head, Map<String, Figures> policies) {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(tools.jackson.core.StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
          .build();

  String json() {
    Map<String, Object> object = new LinkedHashMap<>(head);
    Map<String, Object> below = new LinkedHashMap<>();
    policies.forEach((policy, figures) -> below.put(policy, figures.asMap()));
    if (below.size() == 1) {
      object.put("policy", policies.keySet().iterator().next());
      policies.values().iterator().next().asMap().forEach(object::put);
    } else {
      object.put("policies", below);
    }
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(object);
  }

  String table() {
    Map<String, Map<String, String>> cells = new LinkedHashMap<>();
    Set<String> names = new LinkedHashSet<>();
    policies.forEach(
        (policy, figures) ->
            figures.forEach(
                (name, value) -> {
                  names.add(name);
                  cells.computeIfAbsent(policy, _ -> new LinkedHashMap<>()).put(name, text(value));
                }));
    StringBuilder table = new StringBuilder();
    head.forEach((name, value) -> table.append(name).append(": ").append(value).append('\n'));
    int first = names.stream().mapToInt(String::length).max().orElse(0);
    line(table, first, "", List.copyOf(policies.keySet()));
    for (String name : names) {
      List<String> values =
          policies.keySet().stream()
              .map(policy -> cells.getOrDefault(policy, Map.of()).getOrDefault(name, "-"))
              .toList();
      line(table, first, name, values);
    }
    return table.toString().stripTrailing();
  }

  private static void line(StringBuilder table, int first, String name, List<String> values) {
    table.append(String.format("%-" + Math.max(1, first) + "s", name));
    values.forEach(value -> table.append(String.format(" %12s", value)));
    table.append('\n');
  }

  private static String text(BigDecimal value) {
    return String.format(Locale.ROOT, "%,." + value.scale() + "f", value);
  }
}
