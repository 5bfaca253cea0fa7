package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SpanTest {

  private final Span span = new Span(10, 20);

  @Test
  void isHalfOpenAndNeverEmpty() {
    assertThat(span.contains(10)).isTrue();
    assertThat(span.contains(20)).isFalse();
    assertThat(span.overlaps(new Span(19, 21))).isTrue();
    assertThat(span.overlaps(new Span(20, 21))).isFalse();
    assertThat(span.overlaps(new Span(9, 10))).isFalse();
    assertThatThrownBy(() -> new Span(10, 10)).isInstanceOf(IllegalArgumentException.class);
  }
}
