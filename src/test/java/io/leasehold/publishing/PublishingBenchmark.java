package io.leasehold.publishing;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * How many orders one replica delivers and confirms with the real ledger. Arguments: leases, GPUs
 * of the pool. Run with {@code -Dleasehold.test.fsync=on} for a durable database.
 */
final class PublishingBenchmark {

  private PublishingBenchmark() {}

  public static void main(String[] args) throws InterruptedException {
    int leases = args.length > 0 ? Integer.parseInt(args[0]) : 4_000;
    try (Site site = new Site()) {
      Site.Replica decider = site.replica("leasehold.publishing.enabled=false");
      site.furnish(decider, leases / 8 + 1, 8);
      List<UUID> created = createAll(decider, leases);
      Instant start = Instant.now();
      site.replica("leasehold.publishing.poll=100ms", "leasehold.publishing.compare=60s");
      print("second replica started", 1, Duration.between(start, Instant.now()));
      site.awaitCount("select count(*) from delivery", 0);
      print("backlog confirmed, start included", leases, Duration.between(start, Instant.now()));
      start = Instant.now();
      created.forEach(decider::release);
      print("released one by one", leases, Duration.between(start, Instant.now()));
      start = Instant.now();
      site.awaitCount("select count(*) from delivery", 0);
      print("withdrawn after the last release", leases, Duration.between(start, Instant.now()));
    }
  }

  private static List<UUID> createAll(Site.Replica replica, int leases)
      throws InterruptedException {
    List<UUID> created = java.util.Collections.synchronizedList(new ArrayList<>());
    Instant start = Instant.now();
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      clients.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int k = 0; k < leases / 8; k++) {
                      created.add(replica.create(1, 3_600 * Site.SECOND));
                    }
                  }));
    }
    for (Thread client : clients) {
      client.join();
    }
    print("created by 8 clients", leases, Duration.between(start, Instant.now()));
    return created;
  }

  private static void print(String what, int count, Duration time) {
    System.out.printf(
        "%-34s %6d in %6d ms = %6.0f/s%n",
        what, count, time.toMillis(), count * 1000.0 / Math.max(1, time.toMillis()));
  }
}
