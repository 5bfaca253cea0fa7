package io.leasehold.web;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.NoArgGenerator;
import java.util.UUID;

/** Ids made here are UUIDv7: ordered by the time they were made. */
public final class Ids {

  private static final NoArgGenerator NEXT = Generators.timeBasedEpochGenerator();

  private Ids() {}

  public static UUID next() {
    return NEXT.generate();
  }
}
