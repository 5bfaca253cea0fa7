package io.leasehold.tenancy;

import io.leasehold.engine.Move;
import io.leasehold.ledger.Actor;
import io.leasehold.ledger.Key;
import io.leasehold.ledger.Ledger;
import io.leasehold.web.Access;
import io.leasehold.web.Caller;
import io.leasehold.web.IdempotencyKey;
import io.leasehold.web.Problem;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes a change of tenancy in the ledger's transaction: the rows, the audit fact and the
 * idempotency key commit together. The administration's lock makes such changes one at a time, so
 * what a change reads there stays true until it commits.
 */
@Component
final class Changes {

  private final Ledger ledger;
  private final Tenants tenants;
  private final JsonMapper json;

  Changes(Ledger ledger, Tenants tenants, JsonMapper json) {
    this.ledger = ledger;
    this.tenants = tenants;
    this.json = json;
  }

  /** What is written, and what is answered. */
  @FunctionalInterface
  interface Work<T> {
    T write(JdbcClient jdbc);
  }

  /** The answer, fresh or of the first request with the same key. */
  record Done<T>(T value, boolean replayed) {}

  /**
   * A change that nothing yet says what to do with.
   *
   * @param subject what the audit fact names: {@code tenant:vision}
   * @param tenant whose fact it is; null = the installation's
   * @param cause kebab-case
   */
  record Change(
      Actor actor,
      String traceId,
      String subject,
      @Nullable String tenant,
      String cause,
      List<Move> moves,
      @Nullable IdempotencyKey key) {

    static Change by(Access access, String subject, @Nullable String tenant, String cause) {
      return new Change(
          Changes.actor(access.caller()),
          access.traceId(),
          subject,
          tenant,
          cause,
          List.of(),
          null);
    }

    Change with(Move move) {
      return new Change(actor, traceId, subject, tenant, cause, List.of(move), key);
    }

    Change under(@Nullable IdempotencyKey once) {
      return new Change(actor, traceId, subject, tenant, cause, moves, once);
    }
  }

  static Actor actor(Caller caller) {
    return new Actor(caller.principal(), caller.kind(), caller.name());
  }

  <T> Done<T> make(Change change, Class<T> type, Work<T> work) {
    return make(change, type, UnaryOperator.identity(), work);
  }

  /**
   * @param kept what may be stored for a replay: never a secret
   */
  <T> Done<T> make(Change change, Class<T> type, UnaryOperator<T> kept, Work<T> work) {
    AtomicReference<T> answer = new AtomicReference<>();
    Ledger.Imposed imposed =
        ledger.impose(
            change.actor(),
            change.traceId(),
            change.subject(),
            change.tenant(),
            change.cause(),
            change.moves(),
            ledgerKey(change.key()),
            connection -> {
              JdbcClient jdbc = JdbcClient.create(new SingleConnectionDataSource(connection, true));
              T written = work.write(jdbc);
              answer.set(written);
              return json.writeValueAsString(kept.apply(written));
            });
    tenants.forget();
    return switch (imposed) {
      case Ledger.Imposed.Written written when written.replayed() ->
          new Done<>(json.readValue(written.reply(), type), true);
      case Ledger.Imposed.Written written -> new Done<>(answer.get(), false);
      case Ledger.Imposed.KeyReused reused ->
          throw Problem.of(
              422,
              "key-reused",
              "Idempotency key reused",
              "This Idempotency-Key was sent before with another body; use a new one.");
    };
  }

  private static @Nullable Key ledgerKey(@Nullable IdempotencyKey key) {
    return key == null ? null : new Key(key.scope(), key.value(), key.fingerprint());
  }
}
