package io.leasehold.fleet;

import io.leasehold.web.IdempotencyKey;
import io.leasehold.web.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The doors to inventories. */
@RestController
@RequestMapping("/api/v1/fleet/imports")
@Tag(name = "fleet")
class ImportController {

  private static final String RULES =
      "All or nothing; the same again changes nothing. Nodes are matched by name in their cluster;"
          + " what is absent stays as it is known; health and drains stay. All clusters are of one"
          + " pool. prune=true retires what is in ?cluster= and not in the inventory. Where leases"
          + " use what goes away it is 409 in-use, unless shrink=degrade. At most 10,000 nodes at"
          + " once.";
  private static final String CSV_RULES =
      " Columns, in any order: name (or sn), model, gpu_count (or gpu); cluster unless ?cluster= is"
          + " given; optional cpu_milli, memory_mib, region, zone, block, rack, nvlink, gpu_uuids"
          + " (separated by spaces). Faults name line and column.";
  private static final String CSV_EXAMPLE =
      """
      name,model,gpu_count,cpu_milli,memory_mib,region,zone,block,rack
      gpu-19,h100,8,128000,1048576,eu-1,eu-1a,b1,r1
      """;

  private final ImportService service;
  private final Origins origins;

  ImportController(ImportService service, Origins origins) {
    this.service = service;
    this.origins = origins;
  }

  @PostMapping(consumes = "application/json")
  @Requires("fleet-import")
  @Operation(
      operationId = "importNodes",
      summary = "Make the nodes agree with an inventory",
      description = RULES)
  ResponseEntity<ImportReport> json(
      @RequestBody ImportRequest request,
      @RequestParam(required = false) @Nullable String cluster,
      @RequestParam(defaultValue = "false") boolean prune,
      @RequestParam(defaultValue = "false") boolean dryRun,
      @RequestParam(required = false) @Nullable ShrinkRule shrink,
      @Nullable IdempotencyKey key) {
    return report(request.inventory(), options(cluster, prune, dryRun, shrink), key);
  }

  @PostMapping(path = "/csv", consumes = "text/csv")
  @Requires("fleet-import")
  @Operation(
      operationId = "importNodesCsv",
      summary = "Make the nodes agree with an inventory in CSV",
      description = RULES + CSV_RULES)
  @io.swagger.v3.oas.annotations.parameters.RequestBody(
      required = true,
      content =
          @Content(
              mediaType = "text/csv",
              schema = @Schema(type = "string"),
              examples = @ExampleObject(CSV_EXAMPLE)))
  ResponseEntity<ImportReport> csv(
      @RequestBody byte[] csv,
      @RequestParam(required = false) @Nullable String cluster,
      @RequestParam(defaultValue = "false") boolean prune,
      @RequestParam(defaultValue = "false") boolean dryRun,
      @RequestParam(required = false) @Nullable ShrinkRule shrink,
      @Nullable IdempotencyKey key) {
    return report(CsvInventory.read(csv), options(cluster, prune, dryRun, shrink), key);
  }

  private ResponseEntity<ImportReport> report(
      Inventory.Unchecked inventory, ImportService.Options options, @Nullable IdempotencyKey key) {
    return Answers.report(service.run(inventory, options, origins.of(key)));
  }

  private static ImportService.Options options(
      @Nullable String cluster, boolean prune, boolean dryRun, @Nullable ShrinkRule shrink) {
    return new ImportService.Options(
        cluster, prune, NodeController.shrink(shrink), NodeLedger.Run.of(dryRun));
  }
}
