package io.leasehold.fleet;

import io.leasehold.engine.Command.Shrink;
import io.leasehold.engine.GpuModel;
import io.leasehold.engine.Health;
import io.leasehold.web.Access;
import io.leasehold.web.ETag;
import io.leasehold.web.IdempotencyKey;
import io.leasehold.web.JsonMergePatch;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Problem;
import io.leasehold.web.Problem.Fault;
import io.leasehold.web.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/** The doors to single nodes and their GPUs. */
@RestController
@RequestMapping("/api/v1")
@Tag(name = "fleet")
class NodeController {

  private final NodeService service;
  private final ClusterService clusters;
  private final GpuModels models;
  private final Origins origins;
  private final Access access;

  NodeController(
      NodeService service,
      ClusterService clusters,
      GpuModels models,
      Origins origins,
      Access access) {
    this.service = service;
    this.clusters = clusters;
    this.models = models;
    this.origins = origins;
    this.access = access;
  }

  @PostMapping("/clusters/{slug}/nodes")
  @Requires("fleet-write")
  @Operation(operationId = "createNode", summary = "Add a node to a cluster")
  @ApiResponse(responseCode = "201", description = "Created.")
  ResponseEntity<NodeResponse> create(
      @PathVariable String slug, @RequestBody NodeRequest request, @Nullable IdempotencyKey key) {
    Written<NodeResponse> written =
        service.create(clusters.get(slug).slug(), request, origins.of(key));
    NodeResponse node = written.value();
    return Answers.created(written, node.revision(), "/api/v1/nodes/" + node.id());
  }

  @GetMapping("/clusters/{slug}/nodes")
  @Requires("fleet-read")
  @Operation(
      operationId = "listNodes",
      summary = "List nodes of a cluster, newest first",
      description =
          "A filter matches only nodes that have exactly that value. Tenants see the nodes on which"
              + " their own leases lie.")
  Page<NodeResponse> list(
      @PathVariable String slug,
      @RequestParam(required = false) @Nullable String model,
      @RequestParam(required = false) @Nullable String name,
      @RequestParam(required = false) @Nullable String region,
      @RequestParam(required = false) @Nullable String zone,
      @RequestParam(required = false) @Nullable String block,
      @RequestParam(required = false) @Nullable String rack,
      @RequestParam(required = false) @Nullable String nvlink,
      @RequestParam(required = false) @Nullable Boolean draining,
      @RequestParam(required = false) @Nullable Boolean retired,
      PageRequest page) {
    NodeFilter filter =
        new NodeFilter(model(model), name, region, zone, block, rack, nvlink, draining, retired);
    return service.page(clusters.get(slug).slug(), filter, access.scope(), page);
  }

  @GetMapping("/nodes/{id}")
  @Requires("fleet-read")
  @Operation(operationId = "getNode", summary = "Get a node")
  ResponseEntity<NodeResponse> get(@PathVariable UUID id) {
    return found(service.get(id, access.scope()));
  }

  @PatchMapping(path = "/nodes/{id}", consumes = JsonMergePatch.TYPE)
  @Requires("fleet-write")
  @Operation(operationId = "patchNode", summary = "Change what is known of a node")
  @io.swagger.v3.oas.annotations.parameters.RequestBody(
      required = true,
      content =
          @Content(
              mediaType = JsonMergePatch.TYPE,
              schema = @Schema(implementation = PatchNodeRequest.class)))
  ResponseEntity<NodeResponse> patch(
      @PathVariable UUID id,
      @RequestBody JsonNode patch,
      @RequestParam(required = false) @Nullable ShrinkRule shrink,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    return found(service.patch(id, patch, ETag.ifMatch(ifMatch), shrink(shrink), origins.of(null)));
  }

  @DeleteMapping("/nodes/{id}")
  @Requires("fleet-write")
  @Operation(
      operationId = "retireNode",
      summary = "Retire a node for good",
      description =
          "409 in-use while leases are on it, unless shrink=degrade. Its name may be used again,"
              + " its id never.")
  ResponseEntity<NodeResponse> retire(
      @PathVariable UUID id,
      @RequestParam(required = false) @Nullable ShrinkRule shrink,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    return found(service.retire(id, ETag.ifMatch(ifMatch), shrink(shrink), origins.of(null)));
  }

  @PatchMapping(path = "/nodes/{id}/gpus/{index}", consumes = JsonMergePatch.TYPE)
  @Requires("fleet-write")
  @Operation(
      operationId = "patchGpu",
      summary = "Say how a GPU is",
      description =
          "SUSPECT keeps what it has and gets nothing new; BROKEN degrades active leases; RETIRED"
              + " is 409 in-use while it is leased, unless shrink=degrade; OK takes it into use"
              + " again.")
  ResponseEntity<NodeResponse> patchGpu(
      @PathVariable UUID id,
      @Parameter(schema = @Schema(type = "integer", minimum = "0", maximum = "63")) @PathVariable
          int index,
      @RequestBody @Valid PatchGpuRequest request,
      @RequestParam(required = false) @Nullable ShrinkRule shrink,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    return found(
        service.setHealth(
            id, index, request.health(), ETag.ifMatch(ifMatch), shrink(shrink), origins.of(null)));
  }

  /** How a GPU is, as somebody found it. */
  record PatchGpuRequest(@NotNull Health health) {}

  private @Nullable GpuModel model(@Nullable String name) {
    if (name == null) {
      return null;
    }
    return models
        .find(name)
        .orElseThrow(
            () ->
                Problem.invalid(
                    Fault.in("model", "unknown-model", ModelNames.unknown(name, models))));
  }

  static Shrink shrink(@Nullable ShrinkRule rule) {
    return rule == null ? Shrink.REFUSE : rule.rule();
  }

  private static ResponseEntity<NodeResponse> found(NodeResponse node) {
    return Answers.found(node, node.revision());
  }
}
