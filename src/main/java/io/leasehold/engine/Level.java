package io.leasehold.engine;

/** The levels of the topology tree, widest first. */
public enum Level {
  REGION,
  ZONE,
  BLOCK,
  RACK,
  NVLINK,
  NODE
}
