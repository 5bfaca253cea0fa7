package io.leasehold.replay;

/**
 * A gang that comes at an instant, takes some GPUs at once, any at all, and holds them for a time
 * that is known beforehand. Instants and times in seconds.
 *
 * @param id place in the order of arrival, from 0
 * @param vc virtual cluster: the team that asks
 */
record Job(int id, String vc, long arrival, int gpus, long duration) {

  boolean isGang() {
    return gpus > 1;
  }
}
