package io.leasehold.audit;

import io.leasehold.web.Access;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The door to the record. */
@RestController
@RequestMapping("/api/v1/audit")
@Tag(name = "audit")
final class AuditController {

  private final AuditFacts facts;
  private final Access access;

  AuditController(AuditFacts facts, Access access) {
    this.facts = facts;
    this.access = access;
  }

  @GetMapping
  @Requires("audit-read")
  @Operation(
      operationId = "listAuditFacts",
      summary = "Who did what and why, newest first; tenant covers its subtree")
  Page<AuditFactResponse> list(
      @RequestParam(required = false) @Nullable List<UUID> actor,
      @RequestParam(required = false) @Nullable List<String> tenant,
      @RequestParam(required = false) @Nullable List<UUID> lease,
      @RequestParam(required = false) @Nullable Instant startTime,
      @RequestParam(required = false) @Nullable Instant endTime,
      PageRequest page) {
    return facts.list(
        access.scope(),
        new AuditFacts.Filter(orEmpty(actor), orEmpty(tenant), orEmpty(lease), startTime, endTime),
        page);
  }

  @GetMapping("/refusals")
  @Requires("audit-read")
  @Operation(
      operationId = "listRefusals",
      summary = "Refused calls and noted reads, counted by caller, operation and minute")
  Page<RefusalResponse> refusals(PageRequest page) {
    return facts.refusals(access.scope(), page);
  }

  private static <T> List<T> orEmpty(@Nullable List<T> values) {
    return values == null ? List.of() : values;
  }
}
