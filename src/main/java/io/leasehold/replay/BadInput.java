package io.leasehold.replay;

/** An option or a file is not as it must be; the message is all that the caller is shown. */
final class BadInput extends RuntimeException {

  BadInput(String message) {
    super(message);
  }
}
