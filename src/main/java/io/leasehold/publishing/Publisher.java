package io.leasehold.publishing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Polls for due orders and lets each cluster have a thread of its own, one at a time, so that a
 * slow cluster holds up no other. Whatever fails in a round, the next poll comes.
 */
final class Publisher implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);
  private static final Duration COUNT_EVERY = Duration.ofSeconds(10);
  private static final Duration STOP_AT_MOST = Duration.ofSeconds(15);

  private final PublishingSettings settings;
  private final Clusters clusters;
  private final Deliveries deliveries;
  private final Reconciler reconciler;
  private final DeliveryMetrics metrics;
  private final InstantSource clock;
  private final Function<String, Lane> newLane;
  private final Map<String, Lane> lanes = new ConcurrentHashMap<>();
  private final Set<String> busy = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Threads threads;

  Publisher(
      PublishingSettings settings,
      Clusters clusters,
      Deliveries deliveries,
      Reconciler reconciler,
      DeliveryMetrics metrics,
      InstantSource clock,
      Function<String, Lane> newLane) {
    this.settings = settings;
    this.clusters = clusters;
    this.deliveries = deliveries;
    this.reconciler = reconciler;
    this.metrics = metrics;
    this.clock = clock;
    this.newLane = newLane;
  }

  /** The timer and the rounds it starts. */
  private record Threads(ScheduledExecutorService timer, ExecutorService rounds) {}

  @Override
  public synchronized void start() {
    if (!settings.enabled() || isRunning()) {
      return;
    }
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("publisher").factory());
    threads =
        new Threads(
            timer,
            Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("round-", 0).factory()));
    every(timer, settings.poll(), this::deliverWhatIsDue);
    every(
        timer,
        shorter(settings.compare(), settings.steady()).dividedBy(10),
        this::compareWhatIsDue);
    every(timer, COUNT_EVERY, () -> metrics.show(deliveries.backlogs(clock.instant())));
  }

  @Override
  public synchronized void stop() {
    Threads stopping = threads;
    if (stopping == null) {
      return;
    }
    threads = null;
    stopping.timer().shutdownNow();
    stopping.rounds().shutdown();
    try {
      if (!stopping.rounds().awaitTermination(STOP_AT_MOST.toSeconds(), TimeUnit.SECONDS)) {
        stopping.rounds().shutdownNow();
      }
    } catch (InterruptedException hurried) {
      stopping.rounds().shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean isRunning() {
    return threads != null;
  }

  private static void every(ScheduledExecutorService timer, Duration pause, Runnable work) {
    timer.scheduleWithFixedDelay(
        () -> guarded("poll", work), 0, pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private void deliverWhatIsDue() {
    for (String cluster : deliveries.dueClusters(clock.instant())) {
      alone("deliver " + cluster, () -> deliver(cluster));
    }
  }

  private void compareWhatIsDue() {
    Instant now = clock.instant();
    for (Clusters.Registered cluster : clusters.all()) {
      alone("compare " + cluster.slug(), () -> reconciler.compareIfDue(cluster, now));
    }
  }

  /** Rounds until one was not full. */
  private void deliver(String cluster) {
    Clusters.Registered registered = clusters.find(cluster).orElseThrow();
    Lane lane = lanes.computeIfAbsent(cluster, newLane);
    int claimed;
    do {
      claimed = lane.round(() -> clusters.port(registered));
    } while (claimed == settings.batch() && isRunning());
  }

  private void alone(String name, Runnable work) {
    Threads current = threads;
    if (current == null || !busy.add(name)) {
      return;
    }
    try {
      current
          .rounds()
          .execute(
              () -> {
                try {
                  guarded(name, work);
                } finally {
                  busy.remove(name);
                }
              });
    } catch (RuntimeException stopping) {
      busy.remove(name);
    }
  }

  private static void guarded(String name, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException fault) {
      LOG.warn("Publishing could not {}; it is tried again", name, fault);
    }
  }
}
