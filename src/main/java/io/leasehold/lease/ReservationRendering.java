package io.leasehold.lease;

import io.leasehold.engine.Answer;
import io.leasehold.engine.Ask;
import io.leasehold.engine.Booking;
import io.leasehold.engine.GpuModel;
import io.leasehold.engine.Occurrence;
import io.leasehold.engine.Shape;
import io.leasehold.engine.Span;
import io.leasehold.fleet.GpuModels;
import io.leasehold.lease.ReservationProblem.ReservationAlternative;
import io.leasehold.lease.ReservationProblem.ReservationDecision;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Shows reservations, their times, and why there are none, to the present caller. */
@Component
class ReservationRendering {

  /** So many times are shown in the answer to a creation. */
  static final int SHOWN = 50;

  private final LeaseRendering leases;
  private final GpuModels models;
  private final Viewer viewer;
  private final JsonMapper json;

  ReservationRendering(LeaseRendering leases, GpuModels models, Viewer viewer, JsonMapper json) {
    this.leases = leases;
    this.models = models;
    this.viewer = viewer;
    this.json = json;
  }

  /** A request with every default and canonical names, as it is kept. */
  ReservationRequest effective(ReservationRequest sent, ReservationReader.Read read) {
    Shape shape = read.shape();
    Requests requests = new Requests(this::canonical);
    return new ReservationRequest(
        read.tenant(),
        read.pool(),
        requests.gpu(shape),
        shape.topology().isEmpty() ? null : requests.topology(shape),
        read.start().toString(),
        sent.duration(),
        sent.recurrence(),
        sent.lend() == null || sent.lend(),
        sent.noShowAfter());
  }

  ReservationResponse of(ReservationRecord record, @Nullable List<Occurrence> made) {
    ReservationRequest request = request(record);
    return new ReservationResponse(
        record.id(),
        record.pool(),
        record.tenant(),
        request.gpu(),
        request.topology(),
        gpuCount(request.gpu()),
        Wire.instant(request.startTime()).map(Wire::instant).orElseThrow(),
        request.duration(),
        request.recurrence(),
        Boolean.TRUE.equals(request.lend()),
        request.noShowAfter(),
        record.cancelTime() == null ? "OPEN" : "CANCELLED",
        record.recurring() ? record.madeUntil() : null,
        new LeaseResponse.Creator(record.createdByKind(), record.createdByName()),
        record.revision(),
        record.createTime(),
        record.updateTime(),
        made == null ? null : occurrences(made));
  }

  /** As it would be: no id, no revision, nothing that was not stored. */
  ReservationResponse dryRun(ReservationRequest request, List<Occurrence> made) {
    return new ReservationResponse(
        null,
        request.pool(),
        request.tenant(),
        request.gpu(),
        request.topology(),
        gpuCount(request.gpu()),
        Wire.instant(request.startTime()).map(Wire::instant).orElseThrow(),
        request.duration(),
        request.recurrence(),
        Boolean.TRUE.equals(request.lend()),
        request.noShowAfter(),
        null,
        null,
        null,
        null,
        null,
        null,
        occurrences(made));
  }

  ReservationRequest request(ReservationRecord record) {
    return json.readValue(record.request(), ReservationRequest.class);
  }

  String text(ReservationRequest request) {
    return json.writeValueAsString(request);
  }

  private List<OccurrenceResponse> occurrences(List<Occurrence> made) {
    return made.stream().limit(SHOWN).map(this::of).toList();
  }

  OccurrenceResponse of(Occurrence occurrence) {
    Booking booking = occurrence.isLive() ? occurrence.booking() : null;
    return new OccurrenceResponse(
        occurrence.reservation(),
        Wire.instant(occurrence.originalStart()),
        Wire.instant(occurrence.window().start()),
        Wire.instant(occurrence.window().end()),
        occurrence.state().name(),
        occurrence.endCause(),
        occurrence.shape().pieces(),
        occurrence.degraded(),
        occurrence.lent(),
        booking == null ? null : booking.cluster(),
        booking == null ? null : canonical(booking.model()),
        booking == null ? null : leases.allocations(booking, "TENTATIVE"),
        occurrence.revision());
  }

  private static int gpuCount(LeaseRequest.Gpu gpu) {
    return gpu.count() != null
        ? gpu.count().intValue()
        : (int) (gpu.groups().longValue() * gpu.perGroup().longValue());
  }

  /**
   * @param base where the rule of alternatives comes from
   */
  ReservationDecision decision(
      Answer answer, String pool, long bookRevision, ReservationRequest base) {
    DecisionRendering decisions =
        new DecisionRendering(new Requests(this::canonical), viewer.sight());
    return new ReservationDecision(
        answer.refusal() == null ? "shortage" : answer.refusal().name().toLowerCase(Locale.ROOT),
        Wire.instant(answer.decidedAt()),
        pool + ":" + bookRevision,
        answer.reasons().stream().map(each -> DecisionRendering.reason(each, pool)).toList(),
        answer.blockedBy().stream().map(decisions::blocker).toList(),
        answer.alternatives().stream().map(each -> alternative(each, base)).toList());
  }

  private ReservationAlternative alternative(Answer.Alternative each, ReservationRequest base) {
    Requests requests = new Requests(this::canonical);
    Span window = ((Ask.When.At) each.ask().when()).span();
    return new ReservationAlternative(
        each.kind(),
        new ReservationRequest(
            base.tenant(),
            base.pool(),
            requests.gpu(each.ask().shape()),
            base.topology(),
            Wire.instant(window.start()).toString(),
            base.duration(),
            base.recurrence(),
            base.lend(),
            base.noShowAfter()));
  }

  private String canonical(String model) {
    return Optional.ofNullable(models.find(model).orElse(null))
        .map(GpuModel::canonical)
        .orElse(model);
  }

  static UUID reservation(List<Occurrence> made) {
    return made.getFirst().reservation();
  }
}
