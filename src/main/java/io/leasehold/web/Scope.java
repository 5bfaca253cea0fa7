package io.leasehold.web;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which tenants' things an operation may touch: everything, or the subtrees below some tenants.
 * Repositories join it with the tenant closure; what lies outside does not exist for the caller.
 *
 * @param everything true = no filter; {@code roots} is empty then
 * @param masked true = foreign things are shown as amounts only
 */
public record Scope(boolean everything, SortedSet<String> roots, boolean masked) {

  public static final Scope NOTHING = new Scope(false, new TreeSet<>(), false);
  public static final Scope EVERYTHING = new Scope(true, new TreeSet<>(), false);

  public Scope {
    roots = Collections.unmodifiableSortedSet(new TreeSet<>(roots));
  }

  /** Whether there is nothing at all that the operation may touch. */
  public boolean isEmpty() {
    return !everything && roots.isEmpty() && !masked;
  }
}
