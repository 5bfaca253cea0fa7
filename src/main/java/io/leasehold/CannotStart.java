package io.leasehold;

/** The start ends here; the message is all that the operator is shown. */
public final class CannotStart extends RuntimeException {

  public CannotStart(String message) {
    super(message);
  }

  public CannotStart(String message, Throwable cause) {
    super(message, cause);
  }
}
