package io.leasehold.engine;

import org.jspecify.annotations.Nullable;

/** A team; tenants form a tree. A retired one gets nothing new. */
public record Tenant(String slug, @Nullable String parent, boolean retired) {}
