package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class BookingTest {

  private static final UUID NODE = new UUID(7, 1);

  private static Booking.Slot slot(int gpu, long since) {
    return new Booking.Slot(
        1,
        NODE,
        Mode.MIG,
        Units.of(gpu * Units.PER_GPU, gpu * Units.PER_GPU + 500),
        List.of(new Booking.Instance(gpu, "3g.40gb", 0, 4)),
        4_000,
        1_024,
        since);
  }

  @Test
  void whatCameLaterToAGroupOnANodeAddsUpWithWhatItHas() {
    assertThat(slot(0, 0).with(slot(2, 60)))
        .isEqualTo(
            new Booking.Slot(
                1,
                NODE,
                Mode.MIG,
                Units.of(0, 500, 2_000, 2_500),
                List.of(
                    new Booking.Instance(0, "3g.40gb", 0, 4),
                    new Booking.Instance(2, "3g.40gb", 0, 4)),
                8_000,
                2_048,
                0));
  }
}
