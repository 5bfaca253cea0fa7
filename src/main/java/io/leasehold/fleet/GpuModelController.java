package io.leasehold.fleet;

import io.leasehold.engine.GpuModel;
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
import org.springframework.web.bind.annotation.RequestBody;
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
    Written<GpuModel> written = service.create(request.model(), origins.of(key));
    return Answers.created(
        written.map(GpuModelResponse::of), "/api/v1/gpu-models/" + request.slug());
  }

  @GetMapping("/{name}")
  @Requires("model-read")
  @Operation(
      operationId = "getGpuModel",
      summary = "Get a GPU model by slug, canonical name or alias")
  GpuModelResponse get(@PathVariable String name) {
    return GpuModelResponse.of(service.get(name));
  }

  @GetMapping
  @Requires("model-read")
  @Operation(operationId = "listGpuModels", summary = "List GPU models, by slug")
  Page<GpuModelResponse> list(PageRequest page) {
    return service.page(page);
  }
}
