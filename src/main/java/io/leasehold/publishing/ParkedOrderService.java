package io.leasehold.publishing;

import io.leasehold.engine.Command;
import io.leasehold.engine.Command.Report.News;
import io.leasehold.engine.Decision.Declined;
import io.leasehold.ledger.Actor;
import io.leasehold.ledger.Key;
import io.leasehold.ledger.Ledger;
import io.leasehold.ledger.Ledger.Imposed;
import io.leasehold.ledger.Outcome;
import io.leasehold.ledger.Rider;
import io.leasehold.ledger.Submission;
import io.leasehold.publishing.ClusterOrder.Kind;
import io.leasehold.web.Access;
import io.leasehold.web.Caller;
import io.leasehold.web.IdempotencyKey;
import io.leasehold.web.Problem;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.stereotype.Service;
import tools.jackson.databind.json.JsonMapper;

/** What an operator decides about parked orders; the row and the audit fact commit together. */
@Service
class ParkedOrderService {

  private final Ledger ledger;
  private final Access access;
  private final JsonMapper json;
  private final ParkedOrders orders;

  ParkedOrderService(Ledger ledger, Access access, JsonMapper json, ParkedOrders orders) {
    this.ledger = ledger;
    this.orders = orders;
    this.access = access;
    this.json = json;
  }

  ResponseEntity<ParkedOrder> retry(
      UUID lease, int generation, Kind kind, @Nullable IdempotencyKey key) {
    Imposed imposed =
        ledger.impose(
            actor(),
            access.traceId(),
            "order:%s/%d/%s".formatted(lease, generation, kind),
            null,
            "order-retried",
            List.of(),
            kept(key),
            connection ->
                json.writeValueAsString(
                    ParkedOrders.retry(on(connection), lease, generation, kind)
                        .orElseThrow(Problem::notFound)));
    return switch (imposed) {
      case Imposed.Written written ->
          answer(ResponseEntity.ok(), written.replayed())
              .body(json.readValue(written.reply(), ParkedOrder.class));
      case Imposed.KeyReused _ -> throw keyReused();
    };
  }

  /** A publication is given up by revoking; a withdrawal is taken as confirmed by the caller. */
  ResponseEntity<Void> abandon(
      UUID lease, int generation, Kind kind, @Nullable IdempotencyKey key) {
    String pool = orders.pool(lease, generation, kind).orElseThrow(Problem::notFound);
    Command command =
        switch (kind) {
          case PUBLISH -> new Command.Revoke(lease, "The publication was given up");
          case WITHDRAW -> new Command.Report(lease, generation, News.WITHDRAWN);
        };
    Rider rider =
        connection -> {
          if (!ParkedOrders.abandon(on(connection), lease, generation, kind)) {
            throw new Rider.Refused("the order is not parked");
          }
        };
    Submission submission =
        new Submission(
            command, actor(), access.traceId(), null, Map.of(), null, null, false, rider);
    return switch (ledger.submit(pool, submission, kept(key))) {
      case Outcome.Committed committed when committed.decision() instanceof Declined declined ->
          throw declined.why() == Declined.Why.NOT_FOUND
              ? Problem.notFound()
              : Problem.of(409, "illegal-move", "Not possible in this state", declined.detail());
      case Outcome.Committed committed ->
          answer(ResponseEntity.noContent(), committed.replayed()).build();
      case Outcome.Undone(String reason) ->
          throw Problem.of(409, "not-parked", "Not parked", "Nothing was changed: " + reason + ".");
      case Outcome.KeyReused _ -> throw keyReused();
      case Outcome.KeyInFlight _ ->
          throw Problem.of(
                  409,
                  "key-in-flight",
                  "Still being answered",
                  "The first request with this Idempotency-Key is still being answered.")
              .retryable(1);
      case Outcome.Unavailable(String reason, int retryAfterSeconds) ->
          throw Problem.of(503, "unavailable", "Not able now", reason).retryable(retryAfterSeconds);
      case Outcome.Stale _, Outcome.BookChanged _, Outcome.Broken _ ->
          throw new IllegalStateException("order of lease " + lease + " could not be abandoned");
    };
  }

  private Actor actor() {
    Caller caller = access.caller();
    return new Actor(caller.principal(), caller.kind(), caller.name());
  }

  private static @Nullable Key kept(@Nullable IdempotencyKey key) {
    return key == null ? null : new Key(key.scope(), key.value(), key.fingerprint());
  }

  private static JdbcClient on(Connection connection) {
    return JdbcClient.create(new SingleConnectionDataSource(connection, true));
  }

  private static <B extends ResponseEntity.HeadersBuilder<?>> B answer(B answer, boolean replayed) {
    if (replayed) {
      answer.header("Idempotency-Replayed", "true");
    }
    return answer;
  }

  private static Problem keyReused() {
    return Problem.of(
        422,
        "key-reused",
        "Idempotency key reused",
        "This Idempotency-Key was sent before with another body; use a new one.");
  }
}
