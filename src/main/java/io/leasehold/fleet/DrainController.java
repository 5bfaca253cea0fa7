package io.leasehold.fleet;

import io.leasehold.web.IdempotencyKey;
import io.leasehold.web.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The doors to drains. */
@RestController
@RequestMapping("/api/v1/nodes")
@Tag(name = "fleet")
class DrainController {

  private final DrainService service;
  private final Origins origins;

  DrainController(DrainService service, Origins origins) {
    this.service = service;
    this.origins = origins;
  }

  @PostMapping("/drain")
  @Requires("node-drain")
  @Operation(
      operationId = "drainNodes",
      summary = "Place nothing new on nodes and empty them by a deadline",
      description = "With dryRun=true: what it would do to leases, and nothing is changed.")
  ResponseEntity<DrainReport> drain(
      @RequestBody @Valid DrainRequest request,
      @RequestParam(defaultValue = "false") boolean dryRun,
      @Nullable IdempotencyKey key) {
    return Answers.report(service.drain(request, NodeLedger.Run.of(dryRun), origins.of(key)));
  }

  @PostMapping("/undrain")
  @Requires("node-drain")
  @Operation(operationId = "undrainNodes", summary = "Place leases on nodes again")
  ResponseEntity<DrainReport> undrain(
      @RequestBody @Valid UndrainRequest request,
      @RequestParam(defaultValue = "false") boolean dryRun,
      @Nullable IdempotencyKey key) {
    return Answers.report(service.undrain(request, NodeLedger.Run.of(dryRun), origins.of(key)));
  }
}
