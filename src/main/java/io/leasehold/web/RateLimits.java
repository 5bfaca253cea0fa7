package io.leasehold.web;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How often callers, tenants and addresses with bad credentials may come. In the memory of this
 * replica: two replicas let through twice as much.
 */
final class RateLimits {

  private final LoadingCache<UUID, Bucket> callers;
  private final LoadingCache<String, Bucket> tenants;
  private final LoadingCache<String, Bucket> failures;
  private final int permits;
  private final AtomicInteger serving = new AtomicInteger();
  private final ConcurrentHashMap<String, Integer> servingFor = new ConcurrentHashMap<>();

  RateLimits(WebProperties.Rate rate) {
    this.callers = buckets(rate.burst(), rate.caller());
    this.tenants = buckets(rate.tenant(), rate.tenant());
    this.failures = buckets(rate.failures(), rate.failures());
    this.permits = rate.permits();
  }

  private static <K> LoadingCache<K, Bucket> buckets(int capacity, int perSecond) {
    return Caffeine.newBuilder()
        .maximumSize(100_000)
        .expireAfterAccess(Duration.ofMinutes(1))
        .build(
            key ->
                Bucket.builder()
                    .addLimit(
                        limit ->
                            limit.capacity(capacity).refillGreedy(perSecond, Duration.ofSeconds(1)))
                    .build());
  }

  /** Counts a request of the caller and of the tenants it belongs to. */
  void admit(Caller caller) {
    take(callers.get(caller.principal()));
    tenants(caller).forEach(tenant -> take(tenants.get(tenant)));
  }

  private static List<String> tenants(Caller caller) {
    return caller.grants().stream()
        .map(Caller.Grant::tenant)
        .filter(tenant -> !tenant.isEmpty())
        .distinct()
        .toList();
  }

  /**
   * Takes a permit until it is closed, so that one tenant's slow requests leave room for others.
   */
  Permit enter(Caller caller) {
    if (serving.incrementAndGet() > permits) {
      serving.decrementAndGet();
      throw Problem.of(503, "unavailable", "Not able now", "This replica serves as much as it can.")
          .retryable(1);
    }
    List<String> counted = new ArrayList<>();
    for (String tenant : tenants(caller)) {
      counted.add(tenant);
      if (servingFor.merge(tenant, 1, Integer::sum) > permits / 2) {
        leave(counted);
        throw tooMany(1);
      }
    }
    return () -> leave(counted);
  }

  /** A request that is being served. */
  interface Permit extends AutoCloseable {
    @Override
    void close();
  }

  private void leave(List<String> counted) {
    serving.decrementAndGet();
    counted.forEach(tenant -> servingFor.computeIfPresent(tenant, (t, n) -> n > 1 ? n - 1 : null));
  }

  /** Refuses to look at a credential from an address with too many bad ones. */
  void admitAttempt(String address) {
    Bucket bucket = failures.getIfPresent(address);
    if (bucket != null && bucket.getAvailableTokens() < 1) {
      throw tooMany(1);
    }
  }

  void failed(String address) {
    failures.get(address).tryConsume(1);
  }

  private static void take(Bucket bucket) {
    ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
    if (!probe.isConsumed()) {
      throw tooMany((int) Math.max(1, probe.getNanosToWaitForRefill() / 1_000_000_000));
    }
  }

  private static Problem tooMany(int afterSeconds) {
    return Problem.of(
            429,
            "too-many-requests",
            "Too many requests",
            "More requests came than this caller, its tenant or its address may send; slow down.")
        .retryable(afterSeconds);
  }
}
