package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tenants that all want more than there is, over days: what each has had comes to its weight, at
 * every moment close to what a fluid that is shared by weight would have given it.
 */
class ConvergenceTest {

  private static final int GPUS = 64;
  private static final long RUN = 4 * Time.DAY;

  private final Story story = Story.of("h100", 8, 8, 8, 8, 8, 8, 8, 8);
  private final Map<String, Integer> weights = new HashMap<>();
  private final Map<String, Double> had = new HashMap<>();
  private final Map<UUID, String> owners = new HashMap<>();
  private Random random = new Random(1);

  /** More with {@code -Dseeds=10}. */
  static LongStream seeds() {
    return LongStream.rangeClosed(1, Long.getLong("seeds", 2));
  }

  private void tenant(String slug, int weight) {
    weights.put(slug, weight);
    story.facts(
        new Move.TenantSet(new Tenant(slug, "acme", false)),
        new Move.ContractSet(
            new Contract(
                new UUID(4, slug.hashCode()),
                slug,
                new Span(0, Span.FOREVER),
                List.of(new Contract.Entitlement("h100", 0, null, null, weight)))));
  }

  /** So many requests of a tenant wait at any time. */
  private void keepAsking(String tenant, String serviceClass, int largest, long longest) {
    int waiting = story.book.register().counts(tenant).waiting();
    List<Command> commands = new ArrayList<>();
    for (int i = waiting; i < 20; i++) {
      Ask ask =
          story
              .asks(tenant, 1 + random.nextInt(largest))
              .of(serviceClass)
              .lasting(Time.MINUTE + random.nextLong(longest))
              .waitingUntil(Span.FOREVER)
              .ask();
      owners.put(ask.lease(), tenant);
      commands.add(new Command.Create(ask));
    }
    story.decide(commands.toArray(Command[]::new));
  }

  private void passTo(long instant) {
    double hours = (instant - story.now) / (double) Time.HOUR;
    for (Lease lease : story.book.leases()) {
      if (lease.state().hasPromise()) {
        double gpuHours = hours * lease.booking().gpuMilli() / Units.PER_GPU;
        had.merge(lease.ask().tenant(), gpuHours, Double::sum);
      }
    }
    story.now = instant;
    story.clusterObeys();
  }

  private double total() {
    return had.values().stream().mapToDouble(each -> each).sum();
  }

  /** GPU-hours of a tenant more or less than its part by weight of what all have had. */
  private double distance(String tenant) {
    int all = weights.values().stream().mapToInt(each -> each).sum();
    return had.getOrDefault(tenant, 0.0) - total() * weights.get(tenant) / all;
  }

  /** Nobody waits long enough to age, which would put arrival before shares. */
  private void nobodyAges() {
    ServiceClass batch = story.book.serviceClass("batch");
    story.facts(
        new Move.ClassSet(
            new ServiceClass(
                batch.slug(),
                batch.priority(),
                batch.mayPreempt(),
                batch.mayBePreempted(),
                batch.mayBeOpenEnded(),
                batch.minimumRun(),
                batch.prepare(),
                batch.grace(),
                batch.withdrawAllowance(),
                RUN,
                batch.longestDuration(),
                batch.horizon())));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void sharesConvergeToWeights(long seed) {
    random = new Random(seed);
    nobodyAges();
    tenant("one", 1);
    tenant("two", 2);
    tenant("three", 3);
    double worst = 0;
    while (story.now < Story.T + RUN) {
      keepAsking("one", "batch", 8, 2 * Time.HOUR);
      keepAsking("two", "batch", 2, 6 * Time.HOUR);
      keepAsking("three", "batch", 4, 4 * Time.HOUR);
      passTo(Math.clamp(story.book.nextDue(), story.now + Time.MINUTE, story.now + Time.HOUR));
      for (String tenant : weights.keySet()) {
        worst = Math.max(worst, Math.abs(distance(tenant)));
      }
    }
    double whole = GPUS * (double) RUN / Time.HOUR;
    assertThat(total()).as("used, seed " + seed).isGreaterThan(0.9 * whole);
    assertThat(worst)
        .as("GPU-hours from the fluid, seed " + seed + ": " + had)
        .isLessThan(0.04 * whole);
  }
}
