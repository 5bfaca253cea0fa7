package io.leasehold.contract;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;
import org.springframework.mock.env.MockEnvironment;

class ContractConfigurationTest {

  @Test
  void onlyTheSampleLetsAuthorsSign() {
    ContractProperties lax = new ContractProperties(true);
    MockEnvironment sample = new MockEnvironment();
    sample.setActiveProfiles("sample");

    assertThatIllegalStateException()
        .isThrownBy(() -> new ContractConfiguration(lax, new MockEnvironment()))
        .withMessageContaining("author-may-sign");
    assertThatCode(() -> new ContractConfiguration(lax, sample)).doesNotThrowAnyException();
    assertThatCode(
            () -> new ContractConfiguration(new ContractProperties(false), new MockEnvironment()))
        .doesNotThrowAnyException();
  }
}
