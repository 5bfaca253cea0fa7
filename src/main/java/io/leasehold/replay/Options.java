package io.leasehold.replay;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What stands behind {@code replay} on the command line: {@code --name value}, and flags without a
 * value. What nobody has asked for when {@link #refuseOthers} is called is refused.
 */
final class Options {

  private static final Set<String> FLAGS = Set.of("compare", "help");

  private final Map<String, String> given = new LinkedHashMap<>();
  private final Set<String> known = new TreeSet<>();

  Options(List<String> args) {
    for (int i = 0; i < args.size(); i++) {
      String arg = args.get(i);
      if (!arg.startsWith("--")) {
        throw new BadInput(arg + " is no option: options begin with --");
      }
      String name = arg.substring(2);
      String value = "";
      if (!FLAGS.contains(name)) {
        if (++i == args.size() || args.get(i).startsWith("--")) {
          throw new BadInput(arg + " needs a value");
        }
        value = args.get(i);
      }
      if (given.put(name, value) != null) {
        throw new BadInput(arg + " is given twice");
      }
    }
  }

  boolean flag(String name) {
    known.add(name);
    return given.containsKey(name);
  }

  String text(String name) {
    known.add(name);
    String value = given.get(name);
    if (value == null) {
      throw new BadInput("--" + name + " is missing");
    }
    return value;
  }

  Path file(String name) {
    return Path.of(text(name));
  }

  /** One of these words; the first if none is given. */
  String choice(String name, List<String> words) {
    known.add(name);
    String value = given.getOrDefault(name, words.getFirst());
    if (!words.contains(value)) {
      throw new BadInput("--" + name + " " + value + ": one of " + String.join(", ", words));
    }
    return value;
  }

  int count(String name, int otherwise, int least, int most) {
    known.add(name);
    String value = given.getOrDefault(name, Integer.toString(otherwise));
    try {
      int count = Integer.parseInt(value);
      if (count >= least && count <= most) {
        return count;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new BadInput("--%s %s: a whole number, %d to %d".formatted(name, value, least, most));
  }

  /** A part, above 0. */
  double part(String name, double otherwise, double most) {
    known.add(name);
    String value = given.getOrDefault(name, Double.toString(otherwise));
    try {
      double part = Double.parseDouble(value);
      if (part > 0 && part <= most) {
        return part;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new BadInput("--%s %s: a number above 0, at most %s".formatted(name, value, most));
  }

  /** A seed, or a range of them ({@code 42-51}). */
  List<Long> seeds(String name) {
    known.add(name);
    String value = given.getOrDefault(name, "42");
    String[] ends = value.split("-", 2);
    try {
      long first = Long.parseLong(ends[0]);
      long last = ends.length == 1 ? first : Long.parseLong(ends[1]);
      if (first <= last && last - first < 1_000) {
        List<Long> seeds = new ArrayList<>();
        for (long seed = first; seed <= last; seed++) {
          seeds.add(seed);
        }
        return seeds;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new BadInput("--%s %s: a whole number, or two as in 42-51".formatted(name, value));
  }

  /** All options that mean something were asked for by now. */
  void refuseOthers() {
    for (String name : given.keySet()) {
      if (!known.contains(name)) {
        throw new BadInput(
            "--%s means nothing here; known are --%s".formatted(name, String.join(", --", known)));
      }
    }
  }
}
