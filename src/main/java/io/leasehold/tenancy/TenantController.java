package io.leasehold.tenancy;

import io.leasehold.tenancy.Changes.Done;
import io.leasehold.web.ETag;
import io.leasehold.web.IdempotencyKey;
import io.leasehold.web.JsonMergePatch;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Problem;
import io.leasehold.web.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/** The doors to tenants. */
@RestController
@RequestMapping("/api/v1/tenants")
@Tag(name = "tenants")
final class TenantController {

  private final TenantService tenants;

  TenantController(TenantService tenants) {
    this.tenants = tenants;
  }

  @PostMapping
  @Requires("tenant-write")
  @Operation(operationId = "createTenant", summary = "Create a tenant")
  @ApiResponse(responseCode = "201")
  ResponseEntity<TenantResponse> create(
      @Valid @RequestBody TenantRequest request, @Nullable IdempotencyKey key) {
    Done<TenantResponse> done = tenants.create(request, key);
    return Replies.created("/api/v1/tenants/" + done.value().slug(), done)
        .eTag(ETag.of(done.value().revision()))
        .body(done.value());
  }

  @GetMapping
  @Requires("tenant-read")
  @Operation(operationId = "listTenants", summary = "List the tenants you may see")
  Page<TenantResponse> list(
      @RequestParam(required = false) @Nullable String parent, PageRequest page) {
    return tenants.list(parent, page);
  }

  @GetMapping("/{slug}")
  @Requires("tenant-read")
  @Operation(operationId = "getTenant", summary = "Get a tenant")
  ResponseEntity<TenantResponse> get(@PathVariable String slug) {
    return tagged(tenants.get(slug));
  }

  @PutMapping("/{slug}")
  @Requires("tenant-write")
  @Operation(
      operationId = "putTenant",
      summary = "Create a tenant under its slug, or replace what it says",
      description = "To replace needs If-Match. Another parent moves it with all below it.")
  @ApiResponse(responseCode = "200")
  @ApiResponse(responseCode = "201")
  ResponseEntity<TenantResponse> put(
      @PathVariable String slug,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
      @Valid @RequestBody TenantRequest request) {
    TenantService.Put put = tenants.put(slug, named(slug, request), ifMatch);
    return put.created()
        ? ResponseEntity.created(URI.create("/api/v1/tenants/" + slug))
            .eTag(ETag.of(put.tenant().revision()))
            .body(put.tenant())
        : tagged(put.tenant());
  }

  @PatchMapping(path = "/{slug}", consumes = JsonMergePatch.TYPE)
  @Requires("tenant-write")
  @Operation(
      operationId = "patchTenant",
      summary = "Change name or identities of a tenant",
      requestBody =
          @io.swagger.v3.oas.annotations.parameters.RequestBody(
              required = true,
              content =
                  @Content(
                      mediaType = JsonMergePatch.TYPE,
                      schema = @Schema(implementation = TenantPatch.class))))
  ResponseEntity<TenantResponse> patch(
      @PathVariable String slug,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
      @RequestBody JsonNode patch) {
    return tagged(tenants.patch(slug, patch, ETag.ifMatch(ifMatch)));
  }

  @PostMapping("/{slug}/retire")
  @Requires("tenant-root-write")
  @Operation(
      operationId = "retireTenant",
      summary = "Retire a tenant: nothing new for it, its roles end, its slug stays taken")
  @ApiResponse(responseCode = "200")
  ResponseEntity<TenantResponse> retire(
      @PathVariable String slug,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
      @Nullable IdempotencyKey key) {
    Done<TenantResponse> done = tenants.retire(slug, ETag.ifMatch(ifMatch), key);
    return Replies.ok(done).eTag(ETag.of(done.value().revision())).body(done.value());
  }

  private static TenantRequest named(String slug, TenantRequest request) {
    if (request.slug() != null && !request.slug().equals(slug)) {
      throw Problem.invalid(
          Problem.Fault.at(
              "/slug", "wrong-value", "The slug of the body is not that of the path."));
    }
    if (!io.leasehold.web.Text.isSlug(slug)) {
      throw Problem.invalid(Problem.Fault.in("slug", "wrong-value", "A slug " + Slug.RULE + "."));
    }
    return new TenantRequest(slug, request.parent(), request.name(), request.identities());
  }

  private static ResponseEntity<TenantResponse> tagged(TenantResponse tenant) {
    return ResponseEntity.ok().eTag(ETag.of(tenant.revision())).body(tenant);
  }
}
