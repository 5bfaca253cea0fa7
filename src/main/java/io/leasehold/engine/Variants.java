package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Other shapes than the one asked for, those that change the least first. */
final class Variants {

  private Variants() {}

  /** Models that were not named, the one whose memory is nearest to the first named one first. */
  static List<String> otherModels(Book book, Shape shape) {
    if (shape.models().isEmpty()) {
      return List.of();
    }
    GpuModel named = book.model(shape.models().getFirst());
    int memory = named == null ? 0 : named.memoryMiB();
    return book.capacity().models().stream()
        .filter(model -> !shape.models().contains(model))
        .sorted(
            Comparator.comparingInt(
                slug -> {
                  GpuModel model = book.model(slug);
                  return model == null ? Integer.MAX_VALUE : Math.abs(model.memoryMiB() - memory);
                }))
        .toList();
  }

  /**
   * The same amount by looser rules: what is required in a wider domain, level by level, then only
   * preferred; no more most per domain; then smaller groups.
   */
  static List<Shape> looser(Shape shape) {
    List<Shape> looser = new ArrayList<>();
    for (Shape.Spread rule : shape.topology()) {
      if (rule.rule() == Shape.Spread.Rule.REQUIRED) {
        widen(shape, rule, looser);
      }
    }
    List<Shape.Spread> onlyPreferred =
        shape.topology().stream().map(Variants::preferred).distinct().toList();
    if (!onlyPreferred.equals(shape.topology())) {
      looser.add(shape.by(onlyPreferred));
    }
    regroup(shape, looser);
    return looser;
  }

  private static void widen(Shape shape, Shape.Spread rule, List<Shape> looser) {
    for (int i = rule.level().ordinal() - 1; i >= 0; i--) {
      Level level = Level.values()[i];
      if (shape.topology().stream().noneMatch(each -> each.level() == level)) {
        List<Shape.Spread> rules = new ArrayList<>(shape.topology());
        rules.set(
            rules.indexOf(rule),
            new Shape.Spread(level, Shape.Spread.Rule.REQUIRED, rule.atMost()));
        looser.add(shape.by(rules));
      }
    }
  }

  private static Shape.Spread preferred(Shape.Spread rule) {
    return new Shape.Spread(
        rule.level(),
        rule.rule() == Shape.Spread.Rule.REQUIRED ? Shape.Spread.Rule.PREFERRED : rule.rule(),
        null);
  }

  /** As many in all, in more and smaller groups; CPU and memory go with them. */
  private static void regroup(Shape shape, List<Shape> looser) {
    for (int parts = 2; shape.groups() > 0 && parts <= shape.count(); parts++) {
      if (shape.count() % parts == 0) {
        looser.add(
            new Shape(
                shape.models(),
                shape.minMemoryMiB(),
                shape.groups() * parts,
                shape.count() / parts,
                shape.slice(),
                Math.ceilDiv(shape.cpuMilli(), parts),
                Math.ceilDiv(shape.memoryMiB(), parts),
                shape.topology(),
                shape.where(),
                shape.minCount() * parts));
      }
    }
  }
}
