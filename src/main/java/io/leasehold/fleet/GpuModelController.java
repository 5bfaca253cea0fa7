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
import org.springframework.web.bind.annotation.RestController;

/** The doors to GPU models. */
@RestController
@RequestMapping("/api/v1/gpu-models")
@Tag(name = "fleet")
class GpuModelController {

  private final GpuModelService service;
  private final Origins origins;

  GpuModelController(GpuModelService service, Origins origins) {
    this.service = service;
    this.origins = origins;
  }

  @PostMapping
  @Requires("fleet-write")
  @Operation(operationId = "createGpuModel", summary = "Add a GPU model")
  @ApiResponse(responseCode = "201", description = "Created.")
  ResponseEntity<GpuModelResponse> create(
      @RequestBody @Valid CreateGpuModelRequest request, @Nullable IdempotencyKey key) {
    Written<GpuModelResponse> written =
        service.create(request.request().model(request.slug()), origins.of(key));
    return Answers.created(written, written.value().revision(), path(request.slug()));
  }

  @PutMapping("/{slug}")
  @Requires("fleet-write")
  @Operation(
      operationId = "putGpuModel",
      summary = "Add a GPU model or change it",
      description =
          "The canonical name stays. 409 `in-use` while a live lease lies on, or waits for, a MIG"
              + " profile that would change.")
  @ApiResponse(responseCode = "200", description = "Replaced, or so already.")
  @ApiResponse(responseCode = "201", description = "Created.")
  ResponseEntity<GpuModelResponse> put(
      @PathVariable String slug,
      @RequestBody @Valid GpuModelRequest request,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    Written<GpuModelResponse> written =
        service.put(request.model(Slug.require(slug)), ETag.ifMatch(ifMatch), origins.of(null));
    return Answers.put(written, written.value().revision(), path(slug));
  }

  @GetMapping("/{slug}")
  @Requires("model-read")
  @Operation(
      operationId = "getGpuModel",
      summary = "Get a GPU model by slug, canonical name or alias")
  ResponseEntity<GpuModelResponse> get(@PathVariable String slug) {
    GpuModelResponse model = service.get(slug);
    return Answers.found(model, model.revision());
  }

  @GetMapping
  @Requires("model-read")
  @Operation(operationId = "listGpuModels", summary = "List GPU models, by slug")
  Page<GpuModelResponse> list(PageRequest page) {
    return service.page(page);
  }

  private static String path(String slug) {
    return "/api/v1/gpu-models/" + slug;
  }
}
