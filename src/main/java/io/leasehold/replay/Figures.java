package io.leasehold.replay;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** What a replay came to: names and numbers, in the order they were put, perhaps nested. */
final class Figures {

  private sealed interface Figure {
    record Number(double value, int decimals) implements Figure {}

    record Group(Figures figures) implements Figure {}
  }

  private final Map<String, Figure> figures = new LinkedHashMap<>();

  Figures put(String name, long value) {
    return put(name, value, 0);
  }

  /** NaN, nothing to tell, is left out. */
  Figures put(String name, double value, int decimals) {
    if (!Double.isNaN(value)) {
      figures.put(name, new Figure.Number(value, decimals));
    }
    return this;
  }

  Figures put(String name, Figures group) {
    figures.put(name, new Figure.Group(group));
    return this;
  }

  /** The means, of each figure over those runs that tell it. */
  static Figures mean(List<Figures> runs) {
    Figures mean = new Figures();
    for (Figures run : runs) {
      for (String name : run.figures.keySet()) {
        if (!mean.figures.containsKey(name)) {
          mean.putMean(name, runs);
        }
      }
    }
    return mean;
  }

  private void putMean(String name, List<Figures> runs) {
    List<Figure> all =
        runs.stream()
            .filter(run -> run.figures.containsKey(name))
            .map(run -> run.figures.get(name))
            .toList();
    switch (all.getFirst()) {
      case Figure.Group _ ->
          put(name, mean(all.stream().map(each -> ((Figure.Group) each).figures()).toList()));
      case Figure.Number first -> {
        double sum = 0;
        for (Figure each : all) {
          sum += ((Figure.Number) each).value();
        }
        put(name, sum / all.size(), first.decimals());
      }
    }
  }

  /** A figure by its name, {@code waiting.p50} within a group. */
  double get(String name) {
    double[] found = {Double.NaN};
    flat(
        "",
        (each, value) -> {
          if (each.equals(name)) {
            found[0] = value.doubleValue();
          }
        });
    return found[0];
  }

  /** As JSON has it: numbers, rounded, and maps of them. */
  Map<String, Object> asMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    figures.forEach(
        (name, figure) ->
            map.put(
                name,
                switch (figure) {
                  case Figure.Group group -> group.figures().asMap();
                  case Figure.Number number -> rounded(number);
                }));
    return map;
  }

  /** Each number with its full name. */
  void forEach(BiConsumer<String, BigDecimal> action) {
    flat("", action);
  }

  private void flat(String prefix, BiConsumer<String, BigDecimal> action) {
    figures.forEach(
        (name, figure) -> {
          switch (figure) {
            case Figure.Group group -> group.figures().flat(prefix + name + ".", action);
            case Figure.Number number -> action.accept(prefix + name, rounded(number));
          }
        });
  }

  private static BigDecimal rounded(Figure.Number number) {
    return BigDecimal.valueOf(number.value()).setScale(number.decimals(), RoundingMode.HALF_UP);
  }
}
