package io.leasehold.tenancy;

import io.leasehold.web.WallClock;
import jakarta.annotation.PreDestroy;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Notes when keys were used, and writes it down every five minutes: no write for each request. */
@Component
final class LastUse {

  private final JdbcTemplate jdbc;
  private final WallClock clock;
  private final Map<UUID, Instant> noted = new ConcurrentHashMap<>();

  LastUse(JdbcTemplate jdbc, WallClock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  void note(UUID key) {
    noted.put(key, clock.instant());
  }

  @Scheduled(fixedDelayString = "PT5M", initialDelayString = "PT5M")
  @PreDestroy
  void write() {
    List<Map.Entry<UUID, Instant>> uses = List.copyOf(noted.entrySet());
    jdbc.batchUpdate(
        """
        update api_key set last_used_time = greatest(last_used_time, ?) where id = ?
        """,
        uses.stream()
            .map(use -> new Object[] {Timestamp.from(use.getValue()), use.getKey()})
            .toList());
    uses.forEach(use -> noted.remove(use.getKey(), use.getValue()));
  }
}
