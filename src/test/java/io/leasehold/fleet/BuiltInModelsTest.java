package io.leasehold.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.GpuModel;
import io.leasehold.engine.GpuModel.Profile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BuiltInModelsTest {

  private record Instance(Profile profile, int start) {}

  @Test
  void noNameMeansTwoModels() {
    Set<String> names = new HashSet<>();
    for (GpuModel model : BuiltInModels.ALL) {
      assertThat(GpuModelRepository.namesOf(model)).allMatch(names::add, model.slug());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "h100", "a100", "A30", "T4", "P100", "V100M16", "V100M32", "A10", "G1", "G2", "G3"
      })
  void knowsTheNamesPeopleUse(String name) {
    assertThat(BuiltInModels.ALL)
        .filteredOn(
            model -> GpuModelRepository.namesOf(model).contains(GpuModelRepository.folded(name)))
        .hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("cardsOfEightSlices")
  void hasTheLayoutsThatTheHardwareHas(GpuModel model) {
    List<Profile> plain = profiles(model, p -> !p.name().contains("+") && !isDouble(p));
    List<Profile> withDouble = profiles(model, p -> !p.name().contains("+"));

    assertThat(maximal(model, plain)).hasSize(19);
    assertThat(kinds(maximal(model, plain))).hasSize(14);
    assertThat(maximal(model, withDouble)).hasSize(78);
    assertThat(kinds(maximal(model, withDouble))).hasSize(38);
  }

  @ParameterizedTest
  @MethodSource("cardsOfEightSlices")
  void fitsAsManyOfAProfileAsItSays(GpuModel model) {
    for (Profile profile : profiles(model, p -> !p.name().contains("+"))) {
      assertThat(maximal(model, List.of(profile)))
          .as(profile.name())
          .extracting(Set::size)
          .contains(profile.most())
          .allMatch(size -> size <= profile.most());
    }
  }

  static Stream<GpuModel> cardsOfEightSlices() {
    return BuiltInModels.ALL.stream().filter(model -> model.memorySlices() == 8);
  }

  private static boolean isDouble(Profile profile) {
    return profile.compute() == 1 && profile.size() == 2;
  }

  private static List<Profile> profiles(GpuModel model, Predicate<Profile> wanted) {
    return model.profiles().stream().filter(wanted).toList();
  }

  /** Layouts to which nothing of these profiles can be added. */
  private static Set<Set<Instance>> maximal(GpuModel model, List<Profile> profiles) {
    List<Instance> all = new ArrayList<>();
    for (Profile profile : profiles) {
      profile.starts().forEach(start -> all.add(new Instance(profile, start)));
    }
    Set<Set<Instance>> maximal = new HashSet<>();
    grow(model, all, new HashSet<>(), new HashSet<>(), maximal);
    return maximal;
  }

  private static void grow(
      GpuModel model,
      List<Instance> all,
      Set<Instance> layout,
      Set<Set<Instance>> seen,
      Set<Set<Instance>> maximal) {
    if (!seen.add(Set.copyOf(layout))) {
      return;
    }
    boolean grown = false;
    for (Instance next : all) {
      if (fits(model, layout, next)) {
        grown = true;
        layout.add(next);
        grow(model, all, layout, seen, maximal);
        layout.remove(next);
      }
    }
    if (!grown) {
      maximal.add(Set.copyOf(layout));
    }
  }

  private static boolean fits(GpuModel model, Set<Instance> layout, Instance next) {
    int compute =
        layout.stream().mapToInt(i -> i.profile().compute()).sum() + next.profile().compute();
    return compute <= model.computeSlices()
        && layout.stream().noneMatch(other -> overlap(other, next));
  }

  private static boolean overlap(Instance a, Instance b) {
    return a.start() < b.start() + b.profile().size() && b.start() < a.start() + a.profile().size();
  }

  private static Set<List<String>> kinds(Set<Set<Instance>> layouts) {
    Set<List<String>> kinds = new HashSet<>();
    layouts.forEach(
        layout -> kinds.add(layout.stream().map(i -> i.profile().name()).sorted().toList()));
    return kinds;
  }
}
