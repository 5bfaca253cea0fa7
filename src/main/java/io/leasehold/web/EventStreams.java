package io.leasehold.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Server-sent events, pulled by the stream's own (virtual) thread: nothing is kept in memory for a
 * slow reader, who simply reads later from the log; one who does not read at all is cut off by the
 * container's write time-out. At each heartbeat the caller is asked for again, so that a revoked
 * key or a lost role ends the stream.
 */
@Component
public final class EventStreams implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(EventStreams.class);
  private static final int BUFFER = 1_000;
  private static final Duration SLICE = Duration.ofSeconds(1);

  private final WebProperties.Streams limits;
  private final Credentials credentials;
  private final Rights rights;
  private final JsonMapper json;
  private final AtomicInteger open = new AtomicInteger();
  private final ConcurrentHashMap<String, Integer> openBy = new ConcurrentHashMap<>();
  private volatile boolean running;

  EventStreams(WebProperties properties, Credentials credentials, Rights rights, JsonMapper json) {
    this.limits = properties.streams();
    this.credentials = credentials;
    this.rights = rights;
    this.json = json;
  }

  /** What a stream is made of. */
  @FunctionalInterface
  public interface Feed {

    /**
     * The events behind a position that lie in the scope, oldest first.
     *
     * @param after opaque; null = from now on
     * @param scope asked for again at each heartbeat
     * @param limit at most so many
     * @param atMost how long to wait for the first; then empty
     */
    Batch next(@Nullable String after, Scope scope, int limit, Duration atMost)
        throws InterruptedException;
  }

  /**
   * A part of a feed.
   *
   * @param position where the next part begins, also when there are no events
   */
  public record Batch(List<Event> events, String position) {}

  /**
   * One event.
   *
   * @param id the position behind it, sent back as {@code Last-Event-ID}
   * @param name what happened
   * @param data written as JSON
   */
  public record Event(String id, String name, Object data) {}

  /** Serves a stream on this thread until its life is over, the reader goes or loses access. */
  public void serve(
      HttpServletRequest request,
      HttpServletResponse response,
      Access access,
      @Nullable String after,
      Feed feed) {
    Caller caller = access.caller();
    String operation = String.valueOf(OperationGate.operation(request));
    Scope scope = access.scope();
    List<String> counted = enter(caller);
    try {
      response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
      response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
      response.setHeader("X-Accel-Buffering", "no");
      write(response, "retry: 2000\n\n");
      String bearer = String.valueOf(request.getHeader(HttpHeaders.AUTHORIZATION));
      Reader reader = new Reader(bearer.substring(Math.min(7, bearer.length())).trim(), operation);
      run(response, reader, scope, after, feed);
    } catch (IOException gone) {
      LOG.debug("The reader of a stream is gone", gone);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException failed) { // Begun, so no problem can be told: the reader comes again.
      if (!response.isCommitted()) {
        throw failed;
      }
      if (Absence.isBehind(failed)) {
        LOG.debug("A stream ends, the database is away", failed);
      } else {
        LOG.error("A stream ended in an error nobody expected", failed);
      }
    } finally {
      leave(counted);
    }
  }

  /** Whose access is asked for again. */
  private record Reader(String bearer, String operation) {}

  private void run(
      HttpServletResponse response, Reader reader, Scope first, @Nullable String after, Feed feed)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + limits.life().toNanos();
    long beat = System.nanoTime() + limits.heartbeat().toNanos();
    Scope scope = first;
    String position = after;
    while (running && System.nanoTime() < end) {
      long left = Math.max(1, beat - System.nanoTime());
      Duration wait = Duration.ofNanos(Math.min(left, SLICE.toNanos()));
      Batch batch = feed.next(position, scope, BUFFER, wait);
      position = batch.position();
      for (Event event : batch.events()) {
        write(
            response,
            "id: "
                + event.id()
                + "\nevent: "
                + event.name()
                + "\ndata: "
                + json.writeValueAsString(event.data())
                + "\n\n");
      }
      if (System.nanoTime() >= beat) {
        Optional<Scope> present = scopeNow(reader);
        if (present.isEmpty()) {
          return;
        }
        scope = present.get();
        write(response, ": alive\n\n");
        beat = System.nanoTime() + limits.heartbeat().toNanos();
      }
    }
  }

  private Optional<Scope> scopeNow(Reader reader) {
    return credentials
        .known(reader.bearer())
        .or(() -> credentials.check(reader.bearer()))
        .map(caller -> rights.scope(caller, reader.operation()))
        .filter(scope -> !scope.isEmpty());
  }

  private static void write(HttpServletResponse response, String text) throws IOException {
    response.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    response.flushBuffer();
  }

  /** Counts the stream for its caller and each of its tenants, or refuses it. */
  private List<String> enter(Caller caller) {
    List<String> names =
        java.util.stream.Stream.concat(
                java.util.stream.Stream.of("caller " + caller.principal()),
                caller.grants().stream()
                    .map(Caller.Grant::tenant)
                    .filter(t -> !t.isEmpty())
                    .distinct()
                    .map(t -> "tenant " + t))
            .toList();
    if (open.incrementAndGet() > limits.replica()) {
      open.decrementAndGet();
      throw tooMany("this replica holds");
    }
    for (int i = 0; i < names.size(); i++) {
      int most = i == 0 ? limits.caller() : limits.tenant();
      if (openBy.merge(names.get(i), 1, Integer::sum) > most) {
        leave(names.subList(0, i + 1));
        throw tooMany(i == 0 ? "a caller has" : "a tenant has");
      }
    }
    return names;
  }

  private void leave(List<String> names) {
    open.decrementAndGet();
    names.forEach(
        name -> openBy.computeIfPresent(name, (n, count) -> count > 1 ? count - 1 : null));
  }

  private static Problem tooMany(String who) {
    return Problem.of(
            429,
            "too-many-streams",
            "Too many streams",
            "There are as many event streams open as " + who + "; close one, or poll.")
        .retryable(30);
  }

  /** How many streams are open here. */
  public int open() {
    return open.get();
  }

  @Override
  public void start() {
    running = true;
  }

  /** Ends all streams within a second, before the web server waits for its requests. */
  @Override
  public void stop() {
    running = false;
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    return Integer.MAX_VALUE;
  }
}
