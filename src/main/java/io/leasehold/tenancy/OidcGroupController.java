package io.leasehold.tenancy;

import io.leasehold.tenancy.Changes.Done;
import io.leasehold.web.ExtensibleEnum;
import io.leasehold.web.IdempotencyKey;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The doors to what groups of an identity provider may do here. */
@RestController
@RequestMapping("/api/v1/platform/oidc-groups")
@Tag(name = "oidc-groups")
final class OidcGroupController {

  private final OidcGroupService groups;

  OidcGroupController(OidcGroupService groups) {
    this.groups = groups;
  }

  /**
   * A group gets a role.
   *
   * @param tenant absent for operator and auditor, who are the installation's
   */
  record OidcGroupRequest(
      @NotNull @Size(min = 1, max = 512) @Schema(example = "https://login.example.com")
          String issuer,
      @NotNull @Size(min = 1, max = 255) @Schema(example = "ml-vision") String group,
      @Schema(example = "vision") @Nullable String tenant,
      @NotNull
          @Schema(
              example = "member",
              allowableValues = {"operator", "auditor", "tenant-admin", "member", "viewer"})
          String role) {}

  /** A group with its role. */
  @Schema(name = "OidcGroup")
  record OidcGroupResponse(
      UUID id,
      String issuer,
      String group,
      @Nullable String tenant,
      @ExtensibleEnum({"operator", "auditor", "tenant-admin", "member", "viewer"}) String role,
      Instant createTime) {}

  @GetMapping
  @Requires("oidc-map-write")
  @Operation(operationId = "listOidcGroups", summary = "List which groups have which roles")
  Page<OidcGroupResponse> list(PageRequest page) {
    return groups.list(page);
  }

  @PostMapping
  @Requires("oidc-map-write")
  @Operation(operationId = "createOidcGroup", summary = "Give a group a role")
  @ApiResponse(responseCode = "201")
  ResponseEntity<OidcGroupResponse> create(
      @Valid @RequestBody OidcGroupRequest request, @Nullable IdempotencyKey key) {
    Done<OidcGroupResponse> done = groups.create(request, key);
    return Replies.created("/api/v1/platform/oidc-groups/" + done.value().id(), done)
        .body(done.value());
  }

  @DeleteMapping("/{id}")
  @Requires("oidc-map-write")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @Operation(operationId = "deleteOidcGroup", summary = "Take the role of a group")
  void delete(@PathVariable UUID id) {
    groups.delete(id);
  }
}
