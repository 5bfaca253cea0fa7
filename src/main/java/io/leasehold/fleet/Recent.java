package io.leasehold.fleet;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * A value that is at most a second old. While it is asked for, it is renewed in the background, so
 * that a busy caller never waits for the database.
 */
public final class Recent<T> {

  private static final Duration RENEWED_AFTER = Duration.ofMillis(500);
  private static final Duration OLDEST = Duration.ofSeconds(1);
  private static final Boolean ONLY = Boolean.TRUE;

  private final LoadingCache<Boolean, T> cache;

  public Recent(Supplier<T> source) {
    this.cache =
        Caffeine.newBuilder()
            .refreshAfterWrite(RENEWED_AFTER)
            .expireAfterWrite(OLDEST)
            .executor(Thread::startVirtualThread)
            .build(only -> source.get());
  }

  public T get() {
    return cache.get(ONLY);
  }

  /** The next {@link #get} reads anew: after a change made here. */
  public void forget() {
    cache.invalidateAll();
  }
}
