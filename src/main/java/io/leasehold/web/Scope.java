package io.leasehold.web;

import java.util.SortedSet;

/**
 * Which tenants' things an operation may touch: everything, or the subtrees below some tenants.
 * Repositories join it with the tenant closure; what lies outside does not exist for the caller.
 *
 * @param everything true = no filter; {@code roots} is empty then
 * @param masked true = foreign things are shown as amounts only
 */
public record Scope(boolean everything, SortedSet<String> roots, boolean masked) {}
