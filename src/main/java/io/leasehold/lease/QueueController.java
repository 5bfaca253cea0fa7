package io.leasehold.lease;

import io.leasehold.engine.Engine;
import io.leasehold.engine.Place;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.PageRequest.Position;
import io.leasehold.web.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The queue of a pool. */
@RestController
@Tag(name = "queue")
class QueueController {

  private final BookQuestions book;
  private final Viewer viewer;

  QueueController(BookQuestions book, Viewer viewer) {
    this.book = book;
    this.viewer = viewer;
  }

  @GetMapping(path = "/api/v1/queue", produces = MediaType.APPLICATION_JSON_VALUE)
  @Requires(Operations.QUEUE)
  @Operation(
      operationId = "getQueue",
      summary = "What waits, in order",
      description = "Live: positions move between pages.")
  @ApiResponse(responseCode = "200", description = "A page of the queue.")
  QueueResponse queue(@Parameter(example = "main") @RequestParam String pool, PageRequest page) {
    List<Place> places = book.ask(pool, Engine::queue);
    long last = page.after() == null ? 0 : page.after().order();
    Sight sight = viewer.sight();
    Page<Place> shown =
        page.page(
            places.stream().filter(place -> place.position() > last).limit(page.limit()).toList(),
            place -> new Position(place.position(), pool));
    return new QueueResponse(
        pool,
        shown.items().stream().map(place -> entry(place, pool, sight)).toList(),
        shown.nextPageToken());
  }

  static QueueResponse.Entry entry(Place place, String pool, Sight sight) {
    long gpus = DecisionRendering.gpus(place.gpuMilli());
    return sight.sees(place.tenant())
        ? new QueueResponse.Entry(
            place.position(),
            true,
            place.lease(),
            place.tenant(),
            gpus,
            Wire.instant(place.expectedStart()),
            place.earmarked(),
            place.reasons().stream().map(each -> DecisionRendering.reason(each, pool)).toList())
        : new QueueResponse.Entry(
            place.position(),
            false,
            null,
            null,
            gpus,
            Wire.instant(DecisionRendering.quarterAfter(place.expectedStart())),
            null,
            null);
  }
}
