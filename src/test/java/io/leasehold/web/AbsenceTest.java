package io.leasehold.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AbsenceTest {

  @ParameterizedTest
  @ValueSource(strings = {"08006", "40P01", "53300", "55P03", "57P01", "57014", "58030", "25006"})
  void aDatabaseThatIsAwayIsWorthAnotherTry(String state) {
    assertThat(Absence.isBehind(new IllegalStateException(new SQLException("", state)))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"23P01", "42601", "22021", "25001"})
  void ourOwnMistakesAreNot(String state) {
    assertThat(Absence.isBehind(new IllegalStateException(new SQLException("", state)))).isFalse();
  }

  @Test
  void whatThePoolOfConnectionsClosedIsAway() {
    assertThat(Absence.isBehind(new SQLException("Connection is closed"))).isTrue();
  }

  @Test
  void neitherIsAnythingElse() {
    assertThat(Absence.isBehind(new IllegalStateException("no"))).isFalse();
  }
}
