package io.leasehold.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/**
 * Whose promises a loss of hardware breaks, and by how much (engine rule 15, law I2). What nobody
 * is promised goes first. Then borrowers lose what is in use and no longer there; and where the
 * guarantees themselves are more than what works, each loses in proportion, level by level.
 */
final class Losses {

  private static final String ABOVE_ALL = "";

  private final Book book;
  private final long now;
  private final Map<String, List<String>> below = new HashMap<>();

  Losses(Book book, long now) {
    this.book = book;
    this.now = now;
    for (Tenant tenant : book.tree().all()) {
      String parent = tenant.parent() == null ? ABOVE_ALL : tenant.parent();
      below.computeIfAbsent(parent, _ -> new ArrayList<>()).add(tenant.slug());
    }
  }

  /** Whether more GPUs of some model are in use now than there are healthy ones. */
  static boolean isMoreInUseThanWorks(Book book) {
    List<String> roots = book.tree().roots();
    for (String model : book.capacity().models()) {
      long inUse = 0;
      for (String root : roots) {
        inUse += book.usage().of(root, model).at(book.now());
      }
      if (inUse > book.capacity().healthyGpus(model) * Units.PER_GPU) {
        return true;
      }
    }
    return false;
  }

  private List<String> below(String level) {
    return below.getOrDefault(level, List.of());
  }

  /** Every model whose record is not what it should be, as it should be. */
  List<Move.LossSet> changes() {
    List<Move.LossSet> changes = new ArrayList<>();
    TreeSet<String> models = new TreeSet<>(book.losses().keySet());
    for (Contract contract : book.contracts()) {
      contract.entitlements().forEach(each -> models.add(each.model()));
    }
    for (String model : models) {
      List<Loss> losses = of(model);
      if (!losses.equals(book.losses().getOrDefault(model, List.of()))) {
        changes.add(new Move.LossSet(model, losses));
      }
    }
    return changes;
  }

  /** In order of tenant. */
  private List<Loss> of(String model) {
    long healthy = Math.multiplyExact(book.capacity().healthyGpus(model), (long) Units.PER_GPU);
    Map<String, Long> guaranteed = new TreeMap<>();
    cut(ABOVE_ALL, model, healthy, guaranteed);
    Map<String, Long> borrowed = borrowed(model, healthy);
    TreeSet<String> tenants = new TreeSet<>(guaranteed.keySet());
    tenants.addAll(borrowed.keySet());
    return tenants.stream()
        .map(
            tenant ->
                new Loss(
                    tenant, guaranteed.getOrDefault(tenant, 0L), borrowed.getOrDefault(tenant, 0L)))
        .toList();
  }

  /** What is left at a level carries less than is guaranteed below it: each child in proportion. */
  private void cut(String level, String model, long left, Map<String, Long> losses) {
    Map<String, Long> parts = new TreeMap<>();
    below(level).forEach(child -> parts.put(child, guaranteed(child, model)));
    long missing = sum(parts) - left;
    if (missing <= 0) {
      return;
    }
    Map<String, Long> shares = inProportion(missing, parts);
    shares.forEach(
        (child, share) -> {
          if (share > 0) {
            losses.put(child, share);
          }
          cut(child, model, parts.get(child) - share, losses);
        });
  }

  /** What is in use and no longer works, of those that have more than their own guarantee. */
  private Map<String, Long> borrowed(String model, long healthy) {
    long inUse = 0;
    for (String root : below(ABOVE_ALL)) {
      inUse += used(root, model);
    }
    if (inUse <= healthy) {
      return Map.of();
    }
    Map<String, Long> beyond = new TreeMap<>();
    for (Tenant tenant : book.tree().all()) {
      long more =
          own(tenant.slug(), each -> used(each, model))
              - Math.max(0, own(tenant.slug(), each -> guaranteed(each, model)));
      if (more > 0) {
        beyond.put(tenant.slug(), more);
      }
    }
    return inProportion(Math.min(inUse - healthy, sum(beyond)), beyond);
  }

  /** What is the tenant's alone, not that of those below it. */
  private long own(String tenant, ToLongFunction<String> amount) {
    long own = amount.applyAsLong(tenant);
    for (String child : below(tenant)) {
      own -= amount.applyAsLong(child);
    }
    return own;
  }

  /** Whole thousandths; what the division leaves goes one by one to the first. */
  private static Map<String, Long> inProportion(long amount, Map<String, Long> parts) {
    long all = sum(parts);
    Map<String, Long> shares = new TreeMap<>();
    long given = 0;
    for (Map.Entry<String, Long> part : parts.entrySet()) {
      long share = all == 0 ? 0 : Math.multiplyExact(amount, part.getValue()) / all;
      shares.put(part.getKey(), share);
      given += share;
    }
    for (Map.Entry<String, Long> share : shares.entrySet()) {
      if (given < amount && share.getValue() < parts.get(share.getKey())) {
        share.setValue(share.getValue() + 1);
        given++;
      }
    }
    return shares;
  }

  private long guaranteed(String tenant, String model) {
    return book.entitlements().at(tenant, model, now).guaranteed();
  }

  private long used(String tenant, String model) {
    return book.usage().of(tenant, model).at(now);
  }

  private static long sum(Map<String, Long> parts) {
    return parts.values().stream().mapToLong(Long::longValue).sum();
  }
}
