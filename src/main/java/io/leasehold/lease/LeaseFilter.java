package io.leasehold.lease;

import io.leasehold.engine.GpuModel;
import io.leasehold.engine.LeaseState;
import io.leasehold.web.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which leases a list shows. Values of one filter are alternatives, filters add up; so do labels of
 * different keys.
 */
record LeaseFilter(Map<String, List<?>> values, Map<String, List<String>> labels) {

  private static final int MOST_VALUES = 200;

  /** The filters as they came in the query; each may be null or empty. */
  record Query(
      @Nullable List<String> tenant,
      @Nullable List<String> state,
      @Nullable List<String> serviceClass,
      @Nullable List<String> pool,
      @Nullable List<String> cluster,
      @Nullable List<String> model,
      @Nullable List<String> reservation,
      @Nullable List<String> nodeId,
      @Nullable List<String> owner,
      @Nullable Boolean degraded,
      @Nullable List<String> label,
      @Nullable List<String> id,
      @Nullable String startBefore,
      @Nullable String endAfter,
      @Nullable String updatedAfter) {}

  /**
   * @param models by any of their names
   */
  static LeaseFilter of(Query query, Function<String, Optional<GpuModel>> models) {
    Reader reader = new Reader();
    reader.texts("tenant", query.tenant());
    reader.each("state", query.state(), LeaseFilter::state, "is no state of a lease");
    reader.texts("serviceClass", query.serviceClass());
    reader.texts("pool", query.pool());
    reader.texts("cluster", query.cluster());
    reader.each(
        "model",
        query.model(),
        name -> models.apply(name).map(GpuModel::slug),
        "is no GPU model here");
    reader.each("reservation", query.reservation(), LeaseFilter::reservation, "is no id");
    reader.each("nodeId", query.nodeId(), Wire::id, "is no id");
    reader.texts("owner", query.owner());
    reader.each("id", query.id(), Wire::id, "is no id");
    reader.each("startBefore", one(query.startBefore()), Wire::instant, "is no instant");
    reader.each("endAfter", one(query.endAfter()), Wire::instant, "is no instant");
    reader.each("updatedAfter", one(query.updatedAfter()), Wire::instant, "is no instant");
    if (query.degraded() != null) {
      reader.values.put("degraded", List.of(query.degraded()));
    }
    Map<String, List<String>> labels = reader.labels(query.label());
    if (!reader.faults.isEmpty()) {
      throw Problem.invalid(reader.faults);
    }
    return new LeaseFilter(reader.values, labels);
  }

  private static List<String> one(@Nullable String value) {
    return value == null ? List.of() : List.of(value);
  }

  private static Optional<String> reservation(String value) {
    return Wire.id(value).map(Object::toString);
  }

  private static Optional<String> state(String value) {
    return Arrays.stream(LeaseState.values()).map(LeaseState::name).filter(value::equals).findAny();
  }

  void addTo(LeaseReads.Where where) {
    values.forEach((name, wanted) -> where.and(condition(name), Map.of(name, bound(name, wanted))));
    int n = 0;
    for (Map.Entry<String, List<String>> label : labels.entrySet()) {
      String key = "labelKey" + n;
      String value = "labelValue" + n++;
      where.and(
          "l.labels ->> :" + key + " in (:" + value + ")",
          Map.of(key, label.getKey(), value, label.getValue()));
    }
  }

  private static String condition(String name) {
    return switch (name) {
      case "tenant" ->
          "l.tenant in (select descendant from tenant_closure where ancestor in (:tenant))";
      case "state" -> "l.state in (:state)";
      case "serviceClass" -> "l.service_class in (:serviceClass)";
      case "pool" -> "l.pool in (:pool)";
      case "cluster" -> "l.cluster in (:cluster)";
      case "reservation" -> "(l.ask ->> 'reservation') in (:reservation)";
      case "model" -> "l.model in (:model)";
      case "nodeId" ->
          "l.id in (select lease from allocation where node in (:nodeId)"
              + " union select lease from occupancy where node in (:nodeId))";
      case "owner" -> "l.owner in (:owner)";
      case "id" -> "l.id in (:id)";
      case "degraded" -> "l.degraded = :degraded";
      case "startBefore" -> "l.start_time < :startBefore";
      case "endAfter" -> "l.end_time > :endAfter";
      case "updatedAfter" -> "l.update_time > :updatedAfter";
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static Object bound(String name, List<?> wanted) {
    return switch (name) {
      case "degraded" -> wanted.getFirst();
      case "startBefore", "endAfter", "updatedAfter" -> LeaseReads.time((Long) wanted.getFirst());
      default -> wanted;
    };
  }

  /** Collects values and faults of the query's parameters. */
  private static final class Reader {

    final Map<String, List<?>> values = new LinkedHashMap<>();
    final List<Problem.Fault> faults = new ArrayList<>();

    void texts(String name, @Nullable List<String> sent) {
      each(name, sent, Optional::of, "");
    }

    <T> void each(
        String name,
        @Nullable List<String> sent,
        Function<String, Optional<T>> read,
        String detail) {
      if (sent == null || sent.isEmpty()) {
        return;
      }
      if (sent.size() > MOST_VALUES) {
        faults.add(
            Problem.Fault.in(name, "too-many", "At most " + MOST_VALUES + " values for a filter."));
        return;
      }
      List<T> found = new ArrayList<>();
      for (String text : sent) {
        Optional<T> value = text.indexOf('\0') >= 0 ? Optional.empty() : read.apply(text);
        value.ifPresentOrElse(
            found::add,
            () ->
                faults.add(Problem.Fault.in(name, "malformed", Faults.quote(text) + " " + detail)));
      }
      values.put(name, found);
    }

    Map<String, List<String>> labels(@Nullable List<String> sent) {
      Map<String, List<String>> labels = new LinkedHashMap<>();
      if (sent == null) {
        return labels;
      }
      for (String text : sent) {
        int colon = text.indexOf(':');
        if (colon < 1 || text.indexOf('\0') >= 0 || sent.size() > MOST_VALUES) {
          faults.add(
              Problem.Fault.in("label", "malformed", Faults.quote(text) + " is not key:value."));
        } else {
          labels
              .computeIfAbsent(text.substring(0, colon), key -> new ArrayList<>())
              .add(text.substring(colon + 1));
        }
      }
      return labels;
    }
  }
}
