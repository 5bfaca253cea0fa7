package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is counted can be taken, and what would be left is left. */
class PiecesTest {

  private static Supplier<Pieces> shares(int milli) {
    return () -> {
      BitSet busy = new BitSet();
      busy.set(0, 300);
      busy.set(400, 500);
      busy.set(1_000, 1_900);
      return new SharePieces(milli, busy, 0b0011, 0b1100, 0);
    };
  }

  private static Supplier<Pieces> mig(String profile) {
    GpuModel model = Fleet.h100();
    GpuModel.Profile of =
        model.profiles().stream()
            .filter(each -> each.name().equals(profile))
            .findFirst()
            .orElseThrow();
    return () -> {
      List<MigPieces.Layout> open = new ArrayList<>();
      open.add(new MigPieces.Layout(0, 0b0000_0011, 6, of.most()));
      return new MigPieces(model, of, open, 0b0110, 0);
    };
  }

  static Stream<Arguments> all() {
    Supplier<Pieces> whole = () -> new WholePieces(0b1101_1000L);
    return Stream.of(
        Arguments.of("whole", whole, 4, 4, 4, 1_000),
        Arguments.of("half", shares(500), 5, 5, 2, 500),
        Arguments.of("quarter", shares(250), 10, 10, 2, 250),
        Arguments.of("tenth", shares(100), 27, 27, 2, 100),
        Arguments.of("1g.10gb", mig("1g.10gb"), 19, 20, 2, 125),
        Arguments.of("2g.20gb", mig("2g.20gb"), 8, 9, 2, 250),
        Arguments.of("3g.40gb", mig("3g.40gb"), 5, 5, 2, 500),
        Arguments.of("7g.80gb", mig("7g.80gb"), 2, 2, 2, 1_000));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("all")
  void whatIsTakenIsNoLongerThere(
      String kind, Supplier<Pieces> pieces, int count, int loose, int whole, int milli) {
    assertThat(pieces.get().count()).isEqualTo(count);
    assertThat(pieces.get().loose()).as("if the layout did not matter").isEqualTo(loose);
    assertThat(pieces.get().wholeFree()).isEqualTo(whole);
    for (int n = 0; n <= count; n++) {
      Pieces left = pieces.get();
      int after = left.wholeFreeAfter(n);
      Pieces.Taken taken = left.take(n);
      assertThat(taken.units().size()).isEqualTo(n * milli);
      assertThat(left.count()).as("after %d", n).isEqualTo(count - n);
      assertThat(left.wholeFree()).as("after %d", n).isEqualTo(after);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("all")
  void whatIsOpenIsUsedBeforeMoreIsOpened(
      String kind, Supplier<Pieces> pieces, int count, int loose, int whole, int milli) {
    Pieces left = pieces.get();
    int used = 0;
    for (int n = 1; n <= count; n++) {
      int before = left.wholeFree();
      left.take(1);
      used += before - left.wholeFree();
      assertThat(before - left.wholeFree()).isBetween(0, 1);
    }
    assertThat(used).isEqualTo(whole);
    assertThat(left.count()).isZero();
  }
}
