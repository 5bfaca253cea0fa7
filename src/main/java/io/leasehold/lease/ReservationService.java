package io.leasehold.lease;

import io.leasehold.engine.Command;
import io.leasehold.engine.Decision;
import io.leasehold.engine.Decision.Declined;
import io.leasehold.engine.Occurrence;
import io.leasehold.fleet.Written;
import io.leasehold.ledger.LeaseText;
import io.leasehold.ledger.Ledger;
import io.leasehold.ledger.Outcome;
import io.leasehold.ledger.Rider;
import io.leasehold.ledger.Submission;
import io.leasehold.web.Access;
import io.leasehold.web.Ids;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/**
 * Sets capacity aside, and releases it. A series is set aside as a whole or not at all; later one
 * of its times can be changed without the others.
 */
@Service
class ReservationService {

  private static final LeaseText NO_TEXT =
      new LeaseText(null, null, Map.of(), Map.of(), List.of(), "{}", "{}");

  private final Ledger ledger;
  private final ReservationReader reader;
  private final ReservationRendering rendering;
  private final Reservations reservations;
  private final FirstAnswers first;
  private final Presentation presentation;
  private final Access access;

  ReservationService(
      Ledger ledger,
      ReservationReader reader,
      ReservationRendering rendering,
      Reservations reservations,
      FirstAnswers first,
      Presentation presentation,
      Access access) {
    this.ledger = ledger;
    this.reader = reader;
    this.rendering = rendering;
    this.reservations = reservations;
    this.first = first;
    this.presentation = presentation;
    this.access = access;
  }

  /** What a command came to. */
  private record Result(List<Occurrence> occurrences, boolean replayed) {}

  Written<ReservationResponse> create(ReservationRequest sent, String tenant, Call call) {
    UUID id = Ids.next();
    try {
      return create(sent, id, reader.read(sent, tenant, id), call);
    } catch (Problem fault) {
      if (fault.status() != 400) {
        throw fault;
      }
      return answeredBefore(sent, tenant, call).orElseThrow(() -> fault);
    }
  }

  /** A retry may come when the start it names has passed: the first answer still stands. */
  private Optional<Written<ReservationResponse>> answeredBefore(
      ReservationRequest sent, String tenant, Call call) {
    Optional<Outcome.Committed> before = first.to(call.key());
    if (before.isPresent() && before.get().decision() instanceof Declined declined) {
      String pool = reader.pool(sent, tenant);
      throw declined(declined, pool, before.get().bookRevision(), sent);
    }
    return before.flatMap(ReservationService::result).map(this::made);
  }

  private Optional<Result> before(Call call) {
    return first.to(call.key()).flatMap(ReservationService::result);
  }

  private static Optional<Result> result(Outcome.Committed committed) {
    return committed.decision() instanceof Decision.Reserved reserved
        ? Optional.of(new Result(reserved.occurrences(), true))
        : Optional.empty();
  }

  private Written<ReservationResponse> create(
      ReservationRequest sent, UUID id, ReservationReader.Read read, Call call) {
    ReservationRequest effective = rendering.effective(sent, read);
    Result result =
        submit(
            read.pool(),
            new Command.Reserve(read.asks(), Command.Reserve.Misfit.REFUSE_ALL),
            connection ->
                reservations.add(
                    connection,
                    id,
                    read,
                    rendering.text(effective),
                    sent.recurrence() != null,
                    call.actor()),
            call,
            effective);
    if (call.dryRun()) {
      return new Written<>(
          rendering.dryRun(effective, result.occurrences()), Written.How.UNCHANGED);
    }
    return made(result);
  }

  private Written<ReservationResponse> made(Result result) {
    UUID made = ReservationRendering.reservation(result.occurrences());
    ReservationRecord record = reservations.find(made).orElseThrow(Problem::notFound);
    return new Written<>(
        rendering.of(record, result.occurrences()),
        result.replayed() ? Written.How.REPLAYED : Written.How.CREATED);
  }

  ReservationResponse get(UUID id) {
    return rendering.of(visible(id), null);
  }

  Page<ReservationResponse> list(List<String> tenants, List<String> pools, PageRequest page) {
    Page<ReservationRecord> records = reservations.list(tenants, pools, access.scope(), page);
    return new Page<>(
        records.items().stream().map(each -> rendering.of(each, null)).toList(),
        records.nextPageToken());
  }

  /** Takes back all that is not over. */
  Written<ReservationResponse> cancel(UUID id, Call call) {
    ReservationRecord seen = visible(id);
    if (before(call).isPresent()) {
      return new Written<>(rendering.of(seen, null), Written.How.REPLAYED);
    }
    requireRevision(seen.revision(), call);
    if (seen.cancelTime() != null) {
      return new Written<>(rendering.of(seen, null), Written.How.UNCHANGED);
    }
    Result result =
        submit(
            seen.pool(),
            new Command.CancelOccurrences(reservations.live(id)),
            connection -> {
              if (!reservations.cancel(connection, id, seen.revision())) {
                throw new Rider.Refused("the reservation was changed meanwhile");
              }
            },
            call,
            rendering.request(seen));
    return new Written<>(rendering.of(call.dryRun() ? seen : visible(id), null), how(result));
  }

  Page<OccurrenceResponse> occurrences(
      UUID id, List<String> states, @Nullable Long endAfter, PageRequest page) {
    visible(id);
    Page<Occurrence> found = reservations.occurrences(id, states, endAfter, page);
    return new Page<>(found.items().stream().map(rendering::of).toList(), found.nextPageToken());
  }

  OccurrenceResponse occurrence(UUID id, String start) {
    return rendering.of(seen(visible(id), start));
  }

  Written<OccurrenceResponse> changeOccurrence(
      UUID id, String start, OccurrencePatch patch, Call call) {
    ReservationRecord reservation = visible(id);
    Occurrence seen = seen(reservation, start);
    requireRevision(seen.revision(), call);
    Command command = patch.on(seen, reservation, reader);
    return one(reservation, seen, command, call);
  }

  Written<OccurrenceResponse> cancelOccurrence(UUID id, String start, Call call) {
    ReservationRecord reservation = visible(id);
    Occurrence seen = seen(reservation, start);
    Optional<Result> before = before(call);
    if (before.isPresent()) {
      return new Written<>(
          rendering.of(before.get().occurrences().getFirst()), Written.How.REPLAYED);
    }
    requireRevision(seen.revision(), call);
    if (seen.state() == Occurrence.State.CANCELLED) {
      return new Written<>(rendering.of(seen), Written.How.UNCHANGED);
    }
    return one(reservation, seen, new Command.CancelOccurrences(List.of(seen.id())), call);
  }

  private Written<OccurrenceResponse> one(
      ReservationRecord reservation, Occurrence seen, Command command, Call call) {
    if (!seen.isLive()) {
      throw Outcomes.illegalMove("The occurrence is " + seen.state() + ".");
    }
    Result result =
        submit(
            reservation.pool(),
            command,
            connection -> {
              if (call.ifRevision() != null
                  && !reservations.isAt(connection, seen.id(), call.ifRevision())) {
                throw new Rider.Refused("the occurrence was changed meanwhile");
              }
            },
            call,
            rendering.request(reservation));
    return new Written<>(rendering.of(result.occurrences().getFirst()), how(result));
  }

  private static Written.How how(Result result) {
    return result.replayed() ? Written.How.REPLAYED : Written.How.CHANGED;
  }

  private Result submit(
      String pool, Command command, Rider rider, Call call, ReservationRequest base) {
    Submission submission =
        new Submission(
            command, call.actor(), call.traceId(), null, Map.of(), null, null, false, rider);
    Outcome outcome =
        call.dryRun()
            ? ledger.rehearse(pool, submission)
            : ledger.submit(pool, submission, call.key());
    if (outcome instanceof Outcome.Undone undone) {
      throw Problem.changedMeanwhile(undone.reason() + "; read it again.");
    }
    Outcome.Committed committed = presentation.outcomes().committed(outcome, pool, NO_TEXT);
    return switch (committed.decision()) {
      case Decision.Reserved reserved -> new Result(reserved.occurrences(), committed.replayed());
      case Declined declined -> throw declined(declined, pool, committed.bookRevision(), base);
      default -> throw LeaseService.unexpected(committed.decision());
    };
  }

  private Problem declined(
      Declined declined, String pool, long bookRevision, ReservationRequest base) {
    Problem problem = Outcomes.problem(declined);
    return declined.answer() == null
        ? problem
        : problem.with("decision", rendering.decision(declined.answer(), pool, bookRevision, base));
  }

  /** A reservation that the caller may see; otherwise there is none. */
  private ReservationRecord visible(UUID id) {
    ReservationRecord record = reservations.find(id).orElseThrow(Problem::notFound);
    access.require(record.tenant());
    return record;
  }

  private Occurrence seen(ReservationRecord reservation, String start) {
    return Wire.instant(start)
        .flatMap(at -> reservations.occurrence(reservation.id(), at))
        .orElseThrow(Problem::notFound);
  }

  private static void requireRevision(long revision, Call call) {
    if (call.ifRevision() != null && call.ifRevision() != revision) {
      throw Problem.changedMeanwhile("It is at revision " + revision + "; read it again.");
    }
  }
}
