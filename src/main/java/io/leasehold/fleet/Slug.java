package io.leasehold.fleet;

/** How pools, clusters, GPU models and service classes are addressed. */
public final class Slug {

  public static final String PATTERN = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";
  public static final String RULE =
      "1 to 63 of a-z, 0-9 and '-', beginning and ending with a letter or digit";

  private Slug() {}
}
