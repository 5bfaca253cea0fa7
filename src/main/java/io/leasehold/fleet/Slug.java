package io.leasehold.fleet;

import io.leasehold.web.Problem;
import io.leasehold.web.Problem.Fault;
import io.leasehold.web.Text;

/** How pools, clusters, GPU models and service classes are addressed. */
public final class Slug {

  public static final String PATTERN = "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$";
  public static final String RULE =
      "1 to 63 of a-z, 0-9 and '-', beginning and ending with a letter or digit";

  private Slug() {}

  /** A slug from the path under which something may be created. */
  public static String require(String slug) {
    if (!Text.isSlug(slug)) {
      throw Problem.invalid(Fault.in("slug", "pattern", "a slug is " + RULE));
    }
    return slug;
  }
}
