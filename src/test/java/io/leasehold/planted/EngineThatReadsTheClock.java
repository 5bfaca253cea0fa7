package io.leasehold.planted;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.springframework.util.StringUtils;

/** As if it were in the engine. */
class EngineThatReadsTheClock {

  private final Clock clock = Clock.systemUTC();
  private final LongSupplier millis = System::currentTimeMillis;
  private final Supplier<Date> date = Date::new;

  boolean decide() {
    return StringUtils.hasText(Instant.now().toString()) && Files.exists(Path.of("/"));
  }
}
