package io.leasehold.lease;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.leasehold.web.EventStreams.Batch;
import io.leasehold.web.EventStreams.Event;
import io.leasehold.web.EventStreams.Feed;
import io.leasehold.web.Scope;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Events as streams pull them. However many streams there are, how far the logs have come is read
 * once in a while for all of them.
 */
@Component
class EventFeed {

  private static final Duration PACE = Duration.ofMillis(100);

  private final Events events;
  private final LoadingCache<Boolean, Map<String, Long>> heads;

  EventFeed(Events events) {
    this.events = events;
    this.heads = Caffeine.newBuilder().expireAfterWrite(PACE).build(any -> events.heads());
  }

  Feed of(Events.Wanted wanted) {
    return (after, scope, limit, atMost) -> next(after, wanted, scope, limit, atMost);
  }

  private Batch next(
      @Nullable String after, Events.Wanted wanted, Scope scope, int limit, Duration atMost)
      throws InterruptedException {
    if (after == null) {
      return new Batch(java.util.List.of(), events.head());
    }
    EventPosition position = EventPosition.decoded(after, "Last-Event-ID");
    long deadline = System.nanoTime() + atMost.toNanos();
    while (true) {
      Map<String, Long> now = heads.get(Boolean.TRUE);
      EventPage page = events.after(position, now, wanted, scope, limit);
      if (!page.items().isEmpty() || System.nanoTime() >= deadline) {
        return new Batch(
            page.items().stream()
                .map(item -> new Event(item.position(), item.name(), item))
                .toList(),
            page.eventPosition());
      }
      position = EventPosition.decoded(page.eventPosition(), "Last-Event-ID");
      Thread.sleep(PACE);
    }
  }
}
