package io.leasehold.web;

import tools.jackson.core.JsonParser;
import tools.jackson.databind.exc.MismatchedInputException;

/** A value of the right JSON type that a rule of the wire refuses. */
final class UnsoundValue extends MismatchedInputException {

  private final String code;

  UnsoundValue(JsonParser parser, String code, String detail) {
    super(parser, detail);
    this.code = code;
  }

  String code() {
    return code;
  }
}
