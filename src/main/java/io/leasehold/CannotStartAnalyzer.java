package io.leasehold;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says a {@link CannotStart} in its own words, without a stack trace. */
class CannotStartAnalyzer extends AbstractFailureAnalyzer<CannotStart> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, CannotStart cause) {
    return new FailureAnalysis(cause.getMessage(), null, rootFailure);
  }
}
