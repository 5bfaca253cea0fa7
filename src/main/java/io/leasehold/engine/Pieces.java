package io.leasehold.engine;

import java.util.List;

/**
 * What a node has free over a hold, counted in pieces of one kind: GPUs, MIG instances or
 * fractions. What an open GPU still has is used before a new one is opened.
 */
interface Pieces {

  /** How many more fit. Taking n leaves n fewer. */
  int count();

  /** How many there would be if neither the sharing mode nor the MIG layout mattered. */
  int loose();

  /** GPUs that nothing lies on. */
  int wholeFree();

  /** GPUs that nothing would lie on after n pieces were taken. */
  int wholeFreeAfter(int n);

  /** Takes n of them. */
  Taken take(int n);

  /** Where pieces lie. */
  record Taken(Units units, List<Booking.Instance> instances) {}
}
