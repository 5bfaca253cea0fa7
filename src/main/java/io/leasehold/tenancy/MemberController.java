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
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The doors to the roles of a tenant and of the installation. */
@RestController
@RequestMapping("/api/v1")
@Tag(name = "members")
final class MemberController {

  private final MemberService members;

  MemberController(MemberService members) {
    this.members = members;
  }

  @GetMapping("/tenants/{slug}/members")
  @Requires("member-read")
  @Operation(operationId = "listMembers", summary = "List who has which role in a tenant")
  Page<MemberResponse> list(@PathVariable String slug, PageRequest page) {
    return members.list(slug, page);
  }

  @PostMapping("/tenants/{slug}/members")
  @Requires("member-write")
  @Operation(operationId = "addMember", summary = "Give somebody a role in a tenant")
  @ApiResponse(responseCode = "201")
  ResponseEntity<MemberResponse> add(
      @PathVariable String slug,
      @Valid @RequestBody MemberRequest request,
      @Nullable IdempotencyKey key) {
    return created("/api/v1/tenants/" + slug + "/members", members.add(slug, request, key));
  }

  @DeleteMapping("/tenants/{slug}/members/{principal}")
  @Requires("member-write")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @Operation(operationId = "removeMember", summary = "Take a role, or all, in a tenant")
  void remove(
      @PathVariable String slug,
      @PathVariable UUID principal,
      @RequestParam(required = false) @Nullable String role) {
    members.remove(slug, principal, role);
  }

  @GetMapping("/platform/members")
  @Requires("platform-role-write")
  @Operation(operationId = "listPlatformMembers", summary = "List who runs the installation")
  Page<MemberResponse> listPlatform(PageRequest page) {
    return members.list(null, page);
  }

  @PostMapping("/platform/members")
  @Requires("platform-role-write")
  @Operation(
      operationId = "addPlatformMember",
      summary = "Give somebody a role in the installation")
  @ApiResponse(responseCode = "201")
  ResponseEntity<MemberResponse> addPlatform(
      @Valid @RequestBody MemberRequest request, @Nullable IdempotencyKey key) {
    return created("/api/v1/platform/members", members.add(null, request, key));
  }

  @DeleteMapping("/platform/members/{principal}")
  @Requires("platform-role-write")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @Operation(operationId = "removePlatformMember", summary = "Take a role in the installation")
  void removePlatform(
      @PathVariable UUID principal, @RequestParam(required = false) @Nullable String role) {
    members.remove(null, principal, role);
  }

  private static ResponseEntity<MemberResponse> created(String path, Done<MemberResponse> done) {
    return Replies.created(path + "/" + done.value().principal(), done).body(done.value());
  }
}
