package io.leasehold.planted;

/** Names this package for the architecture test. */
public final class Planted {

  private Planted() {}
}
