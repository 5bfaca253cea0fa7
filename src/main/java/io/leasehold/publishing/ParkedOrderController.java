package io.leasehold.publishing;

import io.leasehold.publishing.ClusterOrder.Kind;
import io.leasehold.web.IdempotencyKey;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The doors to orders that an operator must look at. */
@RestController
@RequestMapping("/api/v1/parked-orders")
@Tag(name = "orders")
class ParkedOrderController {

  private final ParkedOrders orders;
  private final ParkedOrderService service;

  ParkedOrderController(ParkedOrders orders, ParkedOrderService service) {
    this.orders = orders;
    this.service = service;
  }

  @GetMapping
  @Requires("order-read")
  @Operation(
      operationId = "listParkedOrders",
      summary = "List orders that did not reach their cluster and wait for an operator")
  Page<ParkedOrder> list(
      @RequestParam(required = false) @Nullable String cluster, PageRequest page) {
    return orders.page(cluster, page);
  }

  @PostMapping("/{lease}/{generation}/{kind}/retry")
  @Requires("order-write")
  @Operation(
      operationId = "retryParkedOrder",
      summary = "Try a parked order again",
      description = "Its failures are forgotten; it is parked again after as many.")
  ResponseEntity<ParkedOrder> retry(
      @PathVariable UUID lease,
      @Parameter(schema = @Schema(type = "integer", minimum = "1", maximum = "2147483647"))
          @PathVariable
          int generation,
      @PathVariable Kind kind,
      @Nullable IdempotencyKey key) {
    return service.retry(lease, generation, kind, key);
  }

  @PostMapping("/{lease}/{generation}/{kind}/abandon")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @Requires("order-write")
  @Operation(
      operationId = "abandonParkedOrder",
      summary = "Give up a parked order",
      description =
          "A publication: the lease is revoked and withdrawn. A withdrawal: whoever calls this has"
              + " seen that nothing of the lease is left in the cluster; its devices are free.")
  ResponseEntity<Void> abandon(
      @PathVariable UUID lease,
      @Parameter(schema = @Schema(type = "integer", minimum = "1", maximum = "2147483647"))
          @PathVariable
          int generation,
      @PathVariable Kind kind,
      @Nullable IdempotencyKey key) {
    return service.abandon(lease, generation, kind, key);
  }
}
