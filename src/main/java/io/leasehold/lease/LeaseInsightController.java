package io.leasehold.lease;

import io.leasehold.web.PageRequest;
import io.leasehold.web.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.UUID;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Why a lease is where it is, what happened to it, and how to use it. */
@RestController
@RequestMapping("/api/v1/leases/{id}")
@Tag(name = "leases")
class LeaseInsightController {

  private final LeaseReading reading;
  private final LeaseInsight insight;
  private final History history;
  private final Presentation presentation;

  LeaseInsightController(
      LeaseReading reading, LeaseInsight insight, History history, Presentation presentation) {
    this.reading = reading;
    this.insight = insight;
    this.history = history;
    this.presentation = presentation;
  }

  @GetMapping(path = "/explanation", produces = MediaType.APPLICATION_JSON_VALUE)
  @Requires(Operations.READ)
  @Operation(operationId = "explainLease", summary = "Position, expected start and reasons, live")
  @ApiResponse(responseCode = "200", description = "As of now.")
  ExplanationResponse explanation(@PathVariable UUID id) {
    return insight.explain(reading.visible(id));
  }

  @GetMapping(path = "/history", produces = MediaType.APPLICATION_JSON_VALUE)
  @Requires(Operations.READ)
  @Operation(operationId = "getLeaseHistory", summary = "Its moves, newest first")
  @ApiResponse(responseCode = "200", description = "A page of moves.")
  HistoryResponse history(@PathVariable UUID id, PageRequest page) {
    return history.of(reading.visible(id), page);
  }

  @GetMapping(path = "/manifest", produces = MediaType.TEXT_PLAIN_VALUE)
  @Requires(Operations.READ)
  @Operation(operationId = "getLeaseManifest", summary = "What to take along to the cluster")
  @ApiResponse(responseCode = "200", description = "YAML with comments.")
  String manifest(@PathVariable UUID id) {
    return Manifest.of(presentation.full(reading.visible(id)));
  }
}
