package io.leasehold.fleet;

import io.leasehold.web.Access;
import io.leasehold.web.ETag;
import io.leasehold.web.IdempotencyKey;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Requires;
import io.leasehold.web.Rights;
import io.leasehold.web.Scope;
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
import org.springframework.web.bind.annotation.RestController;

/** The doors to pools. */
@RestController
@RequestMapping("/api/v1/pools")
@Tag(name = "fleet")
class PoolController {

  private final PoolService service;
  private final Origins origins;
  private final Access access;
  private final Rights rights;

  PoolController(PoolService service, Origins origins, Access access, Rights rights) {
    this.service = service;
    this.origins = origins;
    this.access = access;
    this.rights = rights;
  }

  @PostMapping
  @Requires("fleet-write")
  @Operation(operationId = "createPool", summary = "Create a pool")
  @ApiResponse(responseCode = "201", description = "Created.")
  ResponseEntity<PoolResponse> create(
      @RequestBody @Valid CreatePoolRequest request, @Nullable IdempotencyKey key) {
    Written<PoolResponse> written =
        service.create(request.slug(), request.descriptionOrNone(), origins.of(key));
    return Answers.created(written, written.value().revision(), path(request.slug()));
  }

  @PutMapping("/{slug}")
  @Requires("fleet-write")
  @Operation(operationId = "putPool", summary = "Create a pool or change its description")
  @ApiResponse(responseCode = "200", description = "Replaced, or so already.")
  @ApiResponse(responseCode = "201", description = "Created.")
  ResponseEntity<PoolResponse> put(
      @PathVariable String slug,
      @RequestBody @Valid PutPoolRequest request,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    Written<PoolResponse> written =
        service.put(
            Slug.require(slug),
            request.descriptionOrNone(),
            ETag.ifMatch(ifMatch),
            origins.of(null));
    return Answers.put(written, written.value().revision(), path(slug));
  }

  @GetMapping("/{slug}")
  @Requires("pool-read")
  @Operation(operationId = "getPool", summary = "Get a pool, with what it has of each GPU model")
  ResponseEntity<PoolResponse> get(@PathVariable String slug) {
    PoolResponse pool = shown(service.get(slug));
    return Answers.found(pool, pool.revision());
  }

  @GetMapping
  @Requires("pool-read")
  @Operation(operationId = "listPools", summary = "List pools, newest first")
  Page<PoolResponse> list(PageRequest page) {
    Page<PoolResponse> pools = service.page(page);
    return new Page<>(pools.items().stream().map(this::shown).toList(), pools.nextPageToken());
  }

  /** Names are for everybody; counts are for those who may read the fleet, masked or not. */
  private PoolResponse shown(PoolResponse pool) {
    Scope scope = access.scope("fleet-read");
    if (scope.everything()) {
      return pool;
    }
    return scope.masked()
        ? pool.withPromisesSeen(tenant -> rights.covers(scope, tenant))
        : pool.withoutCapacity();
  }

  private static String path(String slug) {
    return "/api/v1/pools/" + slug;
  }
}
