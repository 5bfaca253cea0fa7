package io.leasehold.contract;

import io.leasehold.fleet.Answers;
import io.leasehold.fleet.Origins;
import io.leasehold.fleet.Slug;
import io.leasehold.fleet.Written;
import io.leasehold.web.ETag;
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
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The doors to service classes. */
@RestController
@RequestMapping("/api/v1/service-classes")
@Tag(name = "contracts")
class ServiceClassController {

  private final ServiceClassService service;
  private final Origins origins;

  ServiceClassController(ServiceClassService service, Origins origins) {
    this.service = service;
    this.origins = origins;
  }

  @PutMapping("/{slug}")
  @Requires("class-write")
  @Operation(
      operationId = "putServiceClass",
      summary = "Create a service class or replace it",
      description =
          "What it says holds from then on, for leases that run or wait too; their windows stay.")
  @ApiResponse(responseCode = "200", description = "Replaced, or so already.")
  @ApiResponse(responseCode = "201", description = "Created.")
  ResponseEntity<ServiceClassResponse> put(
      @PathVariable String slug,
      @RequestBody @Valid ServiceClassRequest request,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    Written<ServiceClassResponse> written =
        service.put(Slug.require(slug), request, ETag.ifMatch(ifMatch), origins.of(null));
    return Answers.put(written, written.value().revision(), "/api/v1/service-classes/" + slug);
  }

  @GetMapping("/{slug}")
  @Requires("class-read")
  @Operation(operationId = "getServiceClass", summary = "Get a service class")
  ResponseEntity<ServiceClassResponse> get(@PathVariable String slug) {
    ServiceClassResponse found = service.get(slug);
    return Answers.found(found, found.revision());
  }

  @GetMapping
  @Requires("class-read")
  @Operation(operationId = "listServiceClasses", summary = "List service classes, newest first")
  Page<ServiceClassResponse> list(PageRequest page) {
    return service.page(page);
  }
}
