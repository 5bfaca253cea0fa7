package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What came later is counted from then on. */
class ChargeTest {

  private static final Span WINDOW = new Span(100, 200);

  private static Booking booking(long... since) {
    List<Booking.Slot> slots = new ArrayList<>();
    for (int i = 0; i < since.length; i++) {
      UUID node = new UUID(7, i);
      slots.add(
          new Booking.Slot(i, node, Mode.WHOLE, Units.ofGpus(1L << i), List.of(), 0, 0, since[i]));
    }
    return new Booking("east", "h100", WINDOW, slots);
  }

  @Test
  void allFromTheStartIsOneCharge() {
    assertThat(Charge.of(booking(0, 99, 100), WINDOW)).containsExactly(new Charge(WINDOW, 3_000));
  }

  @Test
  void whatCameLaterIsCountedByWhenItCame() {
    assertThat(Charge.of(booking(0, 150, 101, 150), WINDOW))
        .containsExactly(
            new Charge(WINDOW, 1_000),
            new Charge(new Span(101, 200), 1_000),
            new Charge(new Span(150, 200), 2_000));
    assertThat(Charge.of(booking(150), WINDOW))
        .as("nothing from the start")
        .containsExactly(new Charge(new Span(150, 200), 1_000));
  }

  @Test
  void whatComesAtItsEndIsNotCounted() {
    assertThat(Charge.of(booking(0, 199, 200), WINDOW))
        .containsExactly(new Charge(WINDOW, 1_000), new Charge(new Span(199, 200), 1_000));
  }
}
