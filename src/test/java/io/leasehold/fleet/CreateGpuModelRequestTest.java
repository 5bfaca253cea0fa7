package io.leasehold.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.web.Problem;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CreateGpuModelRequestTest {

  @Test
  void aCardWithoutMigHasNoSlices() {
    assertThat(request(null, null, List.of()).request().model("mine").memorySlices()).isZero();
  }

  @Test
  void keepsProfilesThatFit() {
    assertThat(request(8, 7, List.of(profile(4, 3, 4))).request().model("mine").profiles())
        .hasSize(1);
  }

  @Test
  void refusesAProfileThatReachesBeyondTheCard() {
    assertFault(request(8, 7, List.of(profile(4, 3, 5))), "/profiles/0", "does-not-fit");
    assertFault(request(8, 2, List.of(profile(4, 3, 4))), "/profiles/0", "does-not-fit");
    assertFault(request(null, null, List.of(profile(1, 1, 0))), "/profiles/0", "does-not-fit");
  }

  @Test
  void refusesAProfileTwice() {
    assertFault(
        request(8, 7, List.of(profile(4, 3, 4), profile(4, 3, 0))), "/profiles", "duplicate");
  }

  @Test
  void refusesMemorySlicesWithoutComputeSlices() {
    assertFault(request(8, null, List.of()), "/computeSlices", "mig-or-not");
  }

  private static void assertFault(CreateGpuModelRequest request, String pointer, String code) {
    assertThatThrownBy(() -> request.request().model("mine"))
        .isInstanceOfSatisfying(
            Problem.class,
            problem ->
                assertThat(problem.faults())
                    .anyMatch(f -> pointer.equals(f.pointer()) && code.equals(f.code())));
  }

  private static MigProfile profile(int size, int compute, int start) {
    return new MigProfile("3g.40gb", size, compute, List.of(start), 1);
  }

  private static CreateGpuModelRequest request(
      Integer memorySlices, Integer computeSlices, List<MigProfile> profiles) {
    return new CreateGpuModelRequest(
        "mine", "NVIDIA-MINE", null, 1_000, memorySlices, computeSlices, profiles, Duration.ZERO);
  }
}
