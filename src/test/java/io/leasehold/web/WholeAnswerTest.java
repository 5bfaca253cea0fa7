package io.leasehold.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletResponse;

class WholeAnswerTest {

  @ParameterizedTest
  @CsvSource({
    "application/json, false",
    "application/problem+json, false",
    "application/json;charset=UTF-8, false",
    "text/event-stream, true",
    "text/csv, true",
    ", true"
  })
  void onlyJsonIsKeptUntilItIsWhole(String type, boolean leavesAtOnce) throws IOException {
    MockHttpServletResponse response = new MockHttpServletResponse();
    response.setContentType(type);
    response.getOutputStream().write('x');

    new WholeAnswer(response).flushBuffer();

    assertThat(response.isCommitted()).isEqualTo(leavesAtOnce);
  }
}
