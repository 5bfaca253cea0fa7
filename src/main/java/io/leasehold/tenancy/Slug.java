package io.leasehold.tenancy;

/** The form of a slug, for the annotations of requests. */
final class Slug {

  static final String FORM = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";
  static final String RULE = "is 1 to 63 of a-z, 0-9 and -, not beginning or ending with -";

  private Slug() {}
}
