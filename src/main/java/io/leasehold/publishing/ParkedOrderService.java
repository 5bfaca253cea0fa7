package io.leasehold.publishing;

import io.leasehold.ledger.Actor;
import io.leasehold.ledger.Key;
import io.leasehold.ledger.Ledger;
import io.leasehold.ledger.Ledger.Imposed;
import io.leasehold.publishing.ClusterOrder.Kind;
import io.leasehold.web.Access;
import io.leasehold.web.Caller;
import io.leasehold.web.IdempotencyKey;
import io.leasehold.web.Problem;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.stereotype.Service;
import tools.jackson.databind.json.JsonMapper;

/** Makes parked orders due again; the row and the audit fact commit together. */
@Service
class ParkedOrderService {

  private final Ledger ledger;
  private final Access access;
  private final JsonMapper json;

  ParkedOrderService(Ledger ledger, Access access, JsonMapper json) {
    this.ledger = ledger;
    this.access = access;
    this.json = json;
  }

  ResponseEntity<ParkedOrder> retry(
      UUID lease, int generation, Kind kind, @Nullable IdempotencyKey key) {
    Caller caller = access.caller();
    Imposed imposed =
        ledger.impose(
            new Actor(caller.principal(), caller.kind(), caller.name()),
            access.traceId(),
            "order:%s/%d/%s".formatted(lease, generation, kind),
            null,
            "order-retried",
            List.of(),
            key == null ? null : new Key(key.scope(), key.value(), key.fingerprint()),
            connection ->
                json.writeValueAsString(
                    ParkedOrders.retry(
                            JdbcClient.create(new SingleConnectionDataSource(connection, true)),
                            lease,
                            generation,
                            kind)
                        .orElseThrow(Problem::notFound)));
    return switch (imposed) {
      case Imposed.Written written -> {
        ResponseEntity.BodyBuilder answer = ResponseEntity.ok();
        if (written.replayed()) {
          answer.header("Idempotency-Replayed", "true");
        }
        yield answer.body(json.readValue(written.reply(), ParkedOrder.class));
      }
      case Imposed.KeyReused _ ->
          throw Problem.of(
              422,
              "key-reused",
              "Idempotency key reused",
              "This Idempotency-Key was sent before with another body; use a new one.");
    };
  }
}
