package io.leasehold.replay;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Four weeks of every virtual cluster laid over each other on one fleet, which is as large as makes
 * what they ask for a given part of what it could give in that time. Nobody runs for longer than a
 * week. Whose jobs come at the same instant are drawn by lot.
 *
 * @param jobs by arrival
 * @param gpus size of the fleet
 */
record Overlay(List<Job> jobs, int gpus) {

  private static final long DAY = 86_400;
  static final long LENGTH = 28 * DAY;
  static final long LONGEST = 7 * DAY;

  /** Which four weeks of a virtual cluster: they share no clock, so any will do. */
  enum Weeks {
    /** From its first job. */
    FIRST,
    /** From an instant of its record that is drawn by lot. */
    DRAWN
  }

  static Overlay of(List<Job> recorded, Weeks weeks, double load, long seed) {
    Random random = new Random(seed);
    List<Job> jobs = new ArrayList<>();
    byVc(recorded)
        .forEach(
            (_, all) -> {
              long from = weeks == Weeks.FIRST ? 0 : drawn(all, random);
              all.stream()
                  .filter(job -> job.arrival() >= from && job.arrival() < from + LENGTH)
                  .map(job -> moved(job, from))
                  .forEach(jobs::add);
            });
    Collections.shuffle(jobs, random);
    jobs.sort(Comparator.comparingLong(Job::arrival));
    return new Overlay(numbered(jobs), gpus(jobs, load));
  }

  private static Map<String, List<Job>> byVc(List<Job> jobs) {
    Map<String, List<Job>> byVc = new TreeMap<>();
    jobs.forEach(job -> byVc.computeIfAbsent(job.vc(), _ -> new ArrayList<>()).add(job));
    return byVc;
  }

  private static long drawn(List<Job> jobs, Random random) {
    long last = jobs.stream().mapToLong(Job::arrival).max().orElse(0);
    return random.nextLong(Math.max(0, last - LENGTH) + 1);
  }

  private static Job moved(Job job, long from) {
    long duration = Math.min(job.duration(), LONGEST);
    return new Job(0, job.vc(), job.arrival() - from, job.gpus(), duration);
  }

  private static List<Job> numbered(List<Job> jobs) {
    List<Job> numbered = new ArrayList<>();
    for (Job job : jobs) {
      numbered.add(new Job(numbered.size(), job.vc(), job.arrival(), job.gpus(), job.duration()));
    }
    return List.copyOf(numbered);
  }

  /** No fewer than the largest gang needs. */
  private static int gpus(List<Job> jobs, double load) {
    double asked = jobs.stream().mapToDouble(job -> (double) job.gpus() * job.duration()).sum();
    int largest = jobs.stream().mapToInt(Job::gpus).max().orElse(1);
    return Math.max(largest, (int) Math.ceil(asked / LENGTH / load));
  }
}
