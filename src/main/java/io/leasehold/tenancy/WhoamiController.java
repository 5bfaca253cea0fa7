package io.leasehold.tenancy;

import io.leasehold.web.Access;
import io.leasehold.web.Caller;
import io.leasehold.web.ExtensibleEnum;
import io.leasehold.web.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Tells a caller who it is. */
@RestController
@RequestMapping("/api/v1")
@Tag(name = "whoami")
final class WhoamiController {

  private final Access access;

  WhoamiController(Access access) {
    this.access = access;
  }

  /**
   * Who calls.
   *
   * @param roles in the installation
   * @param scopes operations that the key is narrowed to; absent = all of its roles
   */
  @Schema(name = "Whoami")
  record WhoamiResponse(
      UUID principal,
      @ExtensibleEnum({"api-key", "user"}) String kind,
      String name,
      List<String> roles,
      List<Membership> tenants,
      @org.jspecify.annotations.Nullable List<String> scopes) {}

  /** Roles in a tenant and all below it. */
  record Membership(String tenant, List<String> roles) {}

  @GetMapping("/whoami")
  @Requires("whoami")
  @Operation(operationId = "getWhoami", summary = "Who you are, in which tenants, with which roles")
  WhoamiResponse whoami() {
    Caller caller = access.caller();
    Map<String, List<String>> roles =
        caller.grants().stream()
            .collect(
                Collectors.groupingBy(
                    Caller.Grant::tenant,
                    TreeMap::new,
                    Collectors.mapping(
                        Caller.Grant::role,
                        Collectors.collectingAndThen(
                            Collectors.toList(), r -> r.stream().sorted().toList()))));
    List<String> platform = roles.getOrDefault("", List.of());
    List<Membership> tenants =
        roles.entrySet().stream()
            .filter(e -> !e.getKey().isEmpty())
            .map(e -> new Membership(e.getKey(), e.getValue()))
            .toList();
    return new WhoamiResponse(
        caller.principal(),
        caller.kind(),
        caller.name(),
        platform,
        tenants,
        caller.only().isEmpty() ? null : caller.only().stream().sorted().toList());
  }
}
