package io.leasehold.fleet;

import io.leasehold.web.ETag;
import io.leasehold.web.IdempotencyKey;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The doors to clusters. */
@RestController
@RequestMapping("/api/v1/clusters")
@Tag(name = "fleet")
class ClusterController {

  private final ClusterService service;
  private final Origins origins;

  ClusterController(ClusterService service, Origins origins) {
    this.service = service;
    this.origins = origins;
  }

  @PostMapping
  @Requires("fleet-write")
  @Operation(operationId = "createCluster", summary = "Register a cluster")
  @ApiResponse(responseCode = "201", description = "Created.")
  ResponseEntity<ClusterResponse> create(
      @RequestBody @Valid CreateClusterRequest request, @Nullable IdempotencyKey key) {
    Written<ClusterResponse> written =
        service.create(request.slug(), request.request(), origins.of(key));
    return Answers.created(written, written.value().revision(), path(request.slug()));
  }

  @PutMapping("/{slug}")
  @Requires("fleet-write")
  @Operation(operationId = "putCluster", summary = "Register a cluster or change it")
  @ApiResponse(responseCode = "200", description = "Replaced, or so already.")
  @ApiResponse(responseCode = "201", description = "Created.")
  ResponseEntity<ClusterResponse> put(
      @PathVariable String slug,
      @RequestBody @Valid ClusterRequest request,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    Written<ClusterResponse> written =
        service.put(Slug.require(slug), request, ETag.ifMatch(ifMatch), origins.of(null));
    return Answers.put(written, written.value().revision(), path(slug));
  }

  /** No ETag while it is stale: that comes and goes without a revision, so none may be kept. */
  @GetMapping("/{slug}")
  @Requires("fleet-read")
  @Operation(operationId = "getCluster", summary = "Get a cluster")
  ResponseEntity<ClusterResponse> get(@PathVariable String slug) {
    ClusterResponse cluster = service.get(slug);
    return cluster.stale()
        ? ResponseEntity.ok(cluster)
        : Answers.found(cluster, cluster.revision());
  }

  @GetMapping
  @Requires("fleet-read")
  @Operation(operationId = "listClusters", summary = "List clusters, newest first")
  Page<ClusterResponse> list(
      @RequestParam(required = false) @Nullable String pool, PageRequest page) {
    return service.page(page, pool);
  }

  private static String path(String slug) {
    return "/api/v1/clusters/" + slug;
  }
}
