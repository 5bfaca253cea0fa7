package io.leasehold.fleet;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** What broken hardware takes of a tenant's promises of one GPU model. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(
    name = "BrokenPromise",
    requiredProperties = {"model", "own", "guaranteedMilli", "borrowedMilli"},
    description =
        "What broken hardware takes of a tenant's promises of one GPU model, in thousandths of GPUs."
            + " What others lose is one sum without a name")
public record BrokenPromise(
    @Schema(example = "NVIDIA-H100-80GB-HBM3", description = "Canonical name of the GPU model")
        String model,
    @Schema(example = "vision", description = "Absent for what is not yours to see")
        @Nullable String tenant,
    boolean own,
    @Schema(
            minimum = "0",
            maximum = "64000000000",
            description = "Of its guarantee, in proportion to all guarantees of its level")
        long guaranteedMilli,
    @Schema(
            minimum = "0",
            maximum = "64000000000",
            description = "Of what it uses beyond its own guarantee")
        long borrowedMilli) {

  /** The same without whose it is. */
  BrokenPromise masked() {
    return new BrokenPromise(model, null, false, guaranteedMilli, borrowedMilli);
  }

  BrokenPromise plus(BrokenPromise other) {
    return new BrokenPromise(
        model,
        tenant,
        own,
        guaranteedMilli + other.guaranteedMilli,
        borrowedMilli + other.borrowedMilli);
  }
}
