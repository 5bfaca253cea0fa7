package io.leasehold.engine;

import java.util.List;

/**
 * What a pool has of a model over time, in GPUs; says nothing of who has them.
 *
 * @param model slug
 * @param gpus that are not retired: at each step the sum of all its numbers
 * @param steps in order, without gaps
 */
public record PoolCalendar(String model, long gpus, List<Step> steps) {

  public PoolCalendar {
    steps = List.copyOf(steps);
  }

  /**
   * One time over which nothing changes, or as it is when least is free in it.
   *
   * @param leased usable GPUs of which a lease holds at least a part, drawn ones included
   * @param reserved others that are set aside and that nobody has
   * @param lent others that are set aside and that who may be preempted has meanwhile
   * @param earmarked others that are held for who is next in line
   * @param unhealthy GPUs that nothing new is placed on: broken, doubtful, or on a draining node
   */
  public record Step(
      long start,
      long end,
      long free,
      long leased,
      long reserved,
      long lent,
      long earmarked,
      long unhealthy) {}
}
