package io.leasehold.lease;

import static io.leasehold.lease.Fleet.NOON;
import static io.leasehold.lease.Fleet.micros;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.leasehold.engine.Answer;
import io.leasehold.engine.Decision.Declined;
import io.leasehold.engine.Decision.Declined.Why;
import io.leasehold.engine.Verdict;
import io.leasehold.ledger.LeaseText;
import io.leasehold.ledger.Outcome;
import io.leasehold.web.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every no has its status and its stable code. */
class OutcomesTest {

  private static final LeaseText TEXT =
      new LeaseText(null, null, Map.of(), Map.of(), List.of(), "{}", "{}");
  private static final Answer ANSWER =
      new Answer(
          Verdict.REFUSED,
          Answer.Refusal.SHORTAGE,
          micros(NOON),
          null,
          false,
          List.of(),
          List.of(),
          List.of());

  private final Outcomes outcomes =
      new Outcomes(
          new LeaseRendering(
              id -> Optional.empty(), Fleet::model, id -> Optional.empty(), Fleet.JSON),
          Sight.EVERYTHING);

  @ParameterizedTest
  @EnumSource(Why.class)
  void sayWhyNothingChanged(Why why) {
    String expected =
        switch (why) {
          case NOT_FOUND -> "404 not-found false";
          case ILLEGAL_MOVE -> "409 illegal-move false";
          case SHORTAGE -> "409 refused-shortage true";
          case LIMIT -> "409 refused-limit false";
          case NEVER -> "409 refused-never false";
          case ID_TAKEN -> "409 id-taken false";
          case TOO_MANY -> "429 too-many-leases true";
          case IN_USE -> "409 in-use false";
        };
    Problem problem = outcomes.declined(new Declined(why, "because", null), "main", 7, TEXT, null);
    assertThat(told(problem)).isEqualTo(expected);
    assertThat(problem.members()).isEmpty();
  }

  @Test
  void carryTheDecisionAndTheLeaseWhereThereIsOne() {
    UUID lease = UUID.randomUUID();
    Problem problem =
        outcomes.declined(new Declined(Why.SHORTAGE, "because", ANSWER), "main", 7, TEXT, lease);
    assertThat(problem.members()).containsEntry("leaseId", lease);
    assertThat(problem.members().get("decision"))
        .isInstanceOfSatisfying(
            DecisionResponse.class, decision -> assertThat(decision.book()).isEqualTo("main:7"));
  }

  static Stream<org.junit.jupiter.params.provider.Arguments> noCommits() {
    return Stream.of(
        row(new Outcome.Stale(null), "404 not-found false"),
        row(
            new Outcome.BookChanged(new Declined(Why.SHORTAGE, "x", ANSWER), List.of(), 9),
            "412 book-changed true"),
        row(new Outcome.KeyReused(), "422 key-reused false"),
        row(new Outcome.KeyInFlight(), "409 key-in-flight true"),
        row(new Outcome.Undone("x"), "409 changed-meanwhile true"),
        row(new Outcome.Unavailable("x", 3), "503 unavailable true"),
        row(new Outcome.Broken("secret detail"), "500 internal-error false"));
  }

  private static org.junit.jupiter.params.provider.Arguments row(Outcome outcome, String told) {
    return org.junit.jupiter.params.provider.Arguments.of(outcome, told);
  }

  @ParameterizedTest
  @MethodSource("noCommits")
  void sayWhatWasNotCommitted(Outcome outcome, String told) {
    Problem problem =
        catchThrowableOfType(Problem.class, () -> outcomes.committed(outcome, "main", TEXT));
    assertThat(told(problem)).isEqualTo(told);
    assertThat(problem.getMessage()).doesNotContain("secret");
  }

  @Test
  void aMovedBookComesWithTheFreshDecision() {
    Problem problem =
        catchThrowableOfType(
            Problem.class,
            () ->
                outcomes.committed(
                    new Outcome.BookChanged(new Declined(Why.SHORTAGE, "x", ANSWER), List.of(), 9),
                    "main",
                    TEXT));
    assertThat(((DecisionResponse) problem.members().get("decision")).book()).isEqualTo("main:9");
  }

  @ParameterizedTest
  @CsvSource({"ADMITTED, 201", "PLANNED, 201", "WAITING, 202", "UNDECIDED, 202", "REFUSED, 409"})
  void haveAStatusForEachVerdict(Verdict verdict, int status) {
    assertThat(Outcomes.status(verdict)).isEqualTo(status);
  }

  private static String told(Problem problem) {
    return problem.status() + " " + problem.code() + " " + problem.isRetryable();
  }
}
