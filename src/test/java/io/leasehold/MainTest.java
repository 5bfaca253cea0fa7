package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.mock.env.MockEnvironment;

class MainTest {

  @Test
  void startsOnADatabaseThatIsNamed() {
    assertThat(Main.fault(production().withProperty("spring.datasource.url", "jdbc:x"))).isNull();
  }

  @Test
  void doesNotStartWithoutADatabase() {
    assertThat(Main.fault(production())).startsWith("Leasehold needs a PostgreSQL database");
    assertThat(Main.fault(production().withProperty("spring.datasource.url", " "))).isNotNull();
  }

  @Test
  void theSampleStartsOnItsOwnDatabaseOnly() {
    MockEnvironment sample = production();
    sample.setActiveProfiles("sample");
    assertThat(Main.fault(sample)).isNull();
    sample.setProperty("spring.datasource.url", "jdbc:x");
    assertThat(Main.fault(sample)).startsWith("The profile sample is for `mvn spring-boot:run`");
  }

  private static MockEnvironment production() {
    return new MockEnvironment();
  }
}
