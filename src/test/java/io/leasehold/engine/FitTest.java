package io.leasehold.engine;

import static io.leasehold.engine.Fleet.H100;
import static io.leasehold.engine.Fleet.preferred;
import static io.leasehold.engine.Fleet.rack;
import static io.leasehold.engine.Fleet.whole;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of several clusters that have room the one where it lies best, in whatever order they come. */
class FitTest {

  private static final long NOW = 1_000 * Fleet.SECOND;
  private static final Span HOUR = new Span(NOW, NOW + 3_600 * Fleet.SECOND);

  private final Capacity capacity = new Capacity(new Undo());
  private int nodes;

  FitTest() {
    capacity.set(Fleet.h100());
  }

  private int node(String cluster, Domain domain, int gpus) {
    capacity.set(Fleet.node(nodes, cluster, domain, gpus));
    return nodes++;
  }

  private String chosen(Shape shape) {
    Found found = capacity.place(shape, H100, HOUR, NOW, new Budget(100_000));
    return ((Found.Room) found).booking().cluster();
  }

  @ParameterizedTest
  @CsvSource({"c1, c2", "c2, c1"})
  void whereItStaysTogether(String better, String worse) {
    node(better, rack("b1", "r1"), 4);
    node(better, rack("b1", "r1"), 4);
    node(worse, rack("b1", "r1"), 4);
    node(worse, rack("b1", "r2"), 4);
    assertThat(chosen(whole(8, preferred(Level.RACK)))).isEqualTo(better);
  }

  @ParameterizedTest
  @CsvSource({"c1, c2", "c2, c1"})
  void onFewerNodes(String better, String worse) {
    node(better, Domain.NOWHERE, 8);
    node(worse, Domain.NOWHERE, 4);
    node(worse, Domain.NOWHERE, 4);
    assertThat(chosen(whole(8))).isEqualTo(better);
  }

  @ParameterizedTest
  @CsvSource({"c1, c2", "c2, c1"})
  void whereItFillsWhatIsOpen(String better, String worse) {
    int open = node(better, Domain.NOWHERE, 8);
    node(worse, Domain.NOWHERE, 8);
    Booking.Slot slot =
        new Booking.Slot(0, Fleet.id(open), Mode.WHOLE, Units.ofGpus(0x0F), List.of(), 0, 0);
    Booking half = new Booking(better, H100, HOUR, List.of(slot));
    capacity.take(Fleet.id(1_000), half);
    assertThat(chosen(whole(4))).isEqualTo(better);
  }
}
