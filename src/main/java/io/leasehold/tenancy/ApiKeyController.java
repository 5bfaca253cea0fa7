package io.leasehold.tenancy;

import io.leasehold.tenancy.Changes.Done;
import io.leasehold.web.IdempotencyKey;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The doors to API keys. */
@RestController
@RequestMapping("/api/v1")
@Tag(name = "api-keys")
final class ApiKeyController {

  private final ApiKeyService keys;

  ApiKeyController(ApiKeyService keys) {
    this.keys = keys;
  }

  @GetMapping("/tenants/{slug}/api-keys")
  @Requires("key-read")
  @Operation(operationId = "listApiKeys", summary = "List keys: a member sees its own")
  Page<ApiKeyResponse> list(@PathVariable String slug, PageRequest page) {
    return keys.list(slug, page);
  }

  @PostMapping("/tenants/{slug}/api-keys")
  @Requires("key-write")
  @Operation(operationId = "createApiKey", summary = "Make a key; its secret is shown once")
  @ApiResponse(responseCode = "201")
  ResponseEntity<ApiKeyResponse> create(
      @PathVariable String slug,
      @Valid @RequestBody ApiKeyRequest request,
      @Nullable IdempotencyKey once) {
    return created(keys.create(slug, request, once));
  }

  @GetMapping("/platform/api-keys")
  @Requires("platform-role-write")
  @Operation(operationId = "listPlatformApiKeys", summary = "List keys of the installation")
  Page<ApiKeyResponse> listPlatform(PageRequest page) {
    return keys.list(null, page);
  }

  @PostMapping("/platform/api-keys")
  @Requires("platform-role-write")
  @Operation(
      operationId = "createPlatformApiKey",
      summary = "Make a key with a role in the installation; its secret is shown once")
  @ApiResponse(responseCode = "201")
  ResponseEntity<ApiKeyResponse> createPlatform(
      @Valid @RequestBody ApiKeyRequest request, @Nullable IdempotencyKey once) {
    return created(keys.create(null, request, once));
  }

  @GetMapping("/api-keys/{id}")
  @Requires("key-read")
  @Operation(operationId = "getApiKey", summary = "Get a key, without its secret")
  ApiKeyResponse get(@PathVariable UUID id) {
    return keys.get(id);
  }

  @PostMapping("/api-keys/{id}/rotate")
  @Requires("key-write")
  @Operation(
      operationId = "rotateApiKey",
      summary = "Make a successor; the old one works on for the overlap")
  @ApiResponse(responseCode = "201")
  ResponseEntity<ApiKeyResponse> rotate(
      @PathVariable UUID id,
      @Valid @RequestBody(required = false) @Nullable RotateRequest request,
      @Nullable IdempotencyKey once) {
    return created(keys.rotate(id, request == null ? new RotateRequest(null) : request, once));
  }

  @PostMapping("/api-keys/{id}/revoke")
  @Requires("key-write")
  @Operation(operationId = "revokeApiKey", summary = "End a key, within 5 seconds everywhere")
  @ApiResponse(responseCode = "200")
  ResponseEntity<ApiKeyResponse> revoke(@PathVariable UUID id, @Nullable IdempotencyKey once) {
    Done<ApiKeyResponse> done = keys.revoke(id, once);
    return Replies.ok(done).body(done.value());
  }

  private static ResponseEntity<ApiKeyResponse> created(Done<ApiKeyResponse> done) {
    return Replies.created("/api/v1/api-keys/" + done.value().id(), done)
        .cacheControl(CacheControl.noStore())
        .body(done.value());
  }
}
