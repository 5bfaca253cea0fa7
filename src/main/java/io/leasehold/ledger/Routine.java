package io.leasehold.ledger;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * What is done from time to time without being asked, on one thread of its own: from after the
 * ledger has started until before it stops.
 */
public abstract class Routine implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(Routine.class);

  private final String name;
  private @Nullable ScheduledExecutorService executor;

  /**
   * @param name of the thread
   */
  protected Routine(String name) {
    this.name = name;
  }

  /** Says what is done, and when. */
  protected abstract void plan(ScheduledExecutorService executor);

  /** One failure must not end what is done from time to time. */
  protected static Runnable safely(String what, Runnable work) {
    return () -> {
      try {
        work.run();
      } catch (RuntimeException e) {
        LOG.warn("{} did not work: {}", what, e.toString());
      }
    };
  }

  @Override
  public final void start() {
    executor =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name(name).daemon().factory());
    plan(executor);
  }

  @Override
  public final void stop() {
    if (executor != null) {
      executor.shutdownNow();
      executor = null;
    }
  }

  @Override
  public final boolean isRunning() {
    return executor != null;
  }

  @Override
  public final int getPhase() {
    return 1;
  }
}
