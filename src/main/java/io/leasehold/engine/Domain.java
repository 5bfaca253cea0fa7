package io.leasehold.engine;

import org.jspecify.annotations.Nullable;

/**
 * Where a node stands. A level that is missing is null; the identity of a domain is the whole path
 * down to it, so two racks named {@code r1} in different blocks are two domains.
 */
public record Domain(
    @Nullable String region,
    @Nullable String zone,
    @Nullable String block,
    @Nullable String rack,
    @Nullable String nvlink) {

  public static final Domain NOWHERE = new Domain(null, null, null, null, null);

  /** The name at a level above the node, or null where the level is missing. */
  public @Nullable String at(Level level) {
    return switch (level) {
      case REGION -> region;
      case ZONE -> zone;
      case BLOCK -> block;
      case RACK -> rack;
      case NVLINK -> nvlink;
      case NODE -> throw new IllegalArgumentException("the node's name is not part of its domain");
    };
  }

  /**
   * The path down to a level, {@code region/zone/block/rack/nvlink}, with an empty part for each
   * missing level above; null where the level itself is missing.
   */
  public @Nullable String path(Level level) {
    if (at(level) == null) {
      return null;
    }
    StringBuilder path = new StringBuilder();
    for (Level each : Level.values()) {
      String name = at(each);
      path.append(name == null ? "" : name);
      if (each == level) {
        return path.toString();
      }
      path.append('/');
    }
    throw new IllegalStateException("unreachable");
  }

  /** The full path of a node that stands here: {@code eu-1/eu-1a/b3/r7//e-014}. */
  public String pathOf(String node) {
    StringBuilder path = new StringBuilder();
    for (Level each : Level.values()) {
      if (each == Level.NODE) {
        return path.append(node).toString();
      }
      String name = at(each);
      path.append(name == null ? "" : name).append('/');
    }
    throw new IllegalStateException("unreachable");
  }
}
