package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * MIG on one GPU: every full layout that the cards allow, and none other. The figures are counted
 * from the starts and sizes that {@code nvidia-smi mig -lgipp} prints.
 */
class MigTableTest {

  private static final Set<String> USUAL =
      Set.of("1g.10gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb");
  private static final Span HOUR = new Span(0, 3_600_000_000L);

  private final Capacity capacity = new Capacity(new Undo());
  private long leases = 1;

  MigTableTest() {
    capacity.set(Fleet.h100());
    capacity.set(Fleet.node(0, "c1", Domain.NOWHERE, 1));
  }

  @Test
  void hasExactlyTheLayoutsOfTheCard() {
    assertThat(layouts(USUAL)).hasSize(19);
    assertThat(multisets(layouts(USUAL))).hasSize(14);
    Set<String> withDouble = new TreeSet<>(USUAL);
    withDouble.add("1g.20gb");
    assertThat(layouts(withDouble)).hasSize(78);
    assertThat(multisets(layouts(withDouble))).hasSize(38);
  }

  /**
   * All sets of instances that no further one fits beside, each as {@code profile@start} sorted.
   */
  private Set<TreeSet<String>> layouts(Set<String> profiles) {
    Set<TreeSet<String>> full = new java.util.HashSet<>();
    grow(profiles, 0, 7, new TreeSet<>(), full);
    return full;
  }

  private void grow(
      Set<String> names, long busy, int compute, TreeSet<String> sofar, Set<TreeSet<String>> full) {
    boolean grew = false;
    for (GpuModel.Profile profile : Fleet.h100().profiles()) {
      int count = MigTable.count(profile, busy, compute, profile.most());
      if (names.contains(profile.name()) && count > 0) {
        grew = true;
        for (int start : profile.starts()) {
          long slices = MigTable.slices(start, profile.size());
          if ((busy & slices) == 0) {
            TreeSet<String> more = new TreeSet<>(sofar);
            more.add(profile.name() + "@" + start);
            grow(names, busy | slices, compute - profile.compute(), more, full);
          }
        }
      }
    }
    if (!grew) {
      full.add(sofar);
    }
  }

  private static Set<List<String>> multisets(Set<TreeSet<String>> layouts) {
    Set<List<String>> sets = new java.util.HashSet<>();
    for (TreeSet<String> layout : layouts) {
      sets.add(layout.stream().map(each -> each.replaceAll("@.*", "")).sorted().toList());
    }
    return sets;
  }

  @Test
  void refusesWhatTheCardRefuses() {
    assertThat(fits("3g.40gb", "3g.40gb", "1g.10gb")).isFalse();
    assertThat(fits("4g.40gb", "4g.40gb")).isFalse();
    assertThat(fits("1g.10gb+me", "1g.10gb+me")).isFalse();
    assertThat(fits("2g.20gb", "2g.20gb", "2g.20gb", "2g.20gb")).isFalse();
    assertThat(fits("7g.80gb", "1g.10gb")).isFalse();
  }

  @Test
  void keepsALayoutOpenForLargeProfiles() {
    assertThat(start("3g.40gb")).isEqualTo(4);
    assertThat(start("4g.40gb")).isZero();
    assertThat(fits("1g.10gb", "4g.40gb", "1g.10gb", "1g.10gb")).isTrue();
    assertThat(fits("3g.40gb", "4g.40gb")).isTrue();
    assertThat(fits("2g.20gb", "1g.10gb", "4g.40gb")).isTrue();
    assertThat(fits("3g.40gb", "1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb")).isTrue();
  }

  @Test
  void aProfileThatTheModelDoesNotHaveNeverFits() {
    assertThat(capacity.place(Fleet.mig(1, "1g.5gb"), Fleet.H100, HOUR, 0, new Budget(100)))
        .isInstanceOf(Found.None.class);
    assertThat(capacity.placeOnEmpty(Fleet.mig(8, "1g.10gb"), Fleet.H100, new Budget(100)))
        .isInstanceOf(Found.None.class);
    assertThat(capacity.placeOnEmpty(Fleet.mig(7, "1g.10gb"), Fleet.H100, new Budget(100)))
        .isInstanceOf(Found.Room.class);
  }

  private int start(String profile) {
    Found found = capacity.place(Fleet.mig(1, profile), Fleet.H100, HOUR, 0, new Budget(100));
    return ((Found.Room) found).booking().slots().getFirst().instances().getFirst().start();
  }

  /** Whether one after the other fits on the empty card. */
  private boolean fits(String... profiles) {
    Undo undo = new Undo();
    Capacity card = new Capacity(undo);
    card.set(Fleet.h100());
    card.set(Fleet.node(0, "c1", Domain.NOWHERE, 1));
    for (String profile : profiles) {
      Found found = card.place(Fleet.mig(1, profile), Fleet.H100, HOUR, 0, new Budget(100));
      if (!(found instanceof Found.Room room)) {
        return false;
      }
      card.take(new UUID(0, leases++), room.booking());
    }
    return true;
  }

  @Test
  void noMoreFitThanTheComputeThatIsLeftAllows() {
    for (GpuModel.Profile profile : Fleet.h100().profiles()) {
      for (int compute = 0; compute <= 7; compute++) {
        assertThat(MigTable.count(profile, 0, compute, 7) * profile.compute())
            .as("%s beside %s compute slices", profile.name(), 7 - compute)
            .isLessThanOrEqualTo(compute);
      }
    }
  }
}
