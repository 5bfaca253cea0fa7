package io.leasehold.planted;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.springframework.util.StringUtils;

/** As if it were in the engine. */
class EngineThatReadsTheClock {

  boolean decide() {
    return StringUtils.hasText(Instant.now().toString()) && Files.exists(Path.of("/"));
  }
}
