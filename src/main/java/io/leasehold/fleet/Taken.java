package io.leasehold.fleet;

import io.leasehold.web.Problem;

/** 409: the name belongs to something else, for ever. */
final class Taken {

  private Taken() {}

  static Problem slug(String slug) {
    return Problem.of(
        409, "id-taken", "Taken", "'" + slug + "' is taken; a slug is never used again.");
  }
}
