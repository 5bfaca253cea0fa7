package io.leasehold;

import io.leasehold.replay.Replay;
import io.leasehold.tenancy.BootstrapAdmin;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.ApplicationEvent;
import org.springframework.core.env.Environment;
import org.springframework.core.env.Profiles;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.util.ClassUtils;

/**
 * Starts the service, or makes the first key ({@code bootstrap-admin}), or replays a workload
 * ({@code replay}). Without a database's address the service never starts on one of its own.
 */
@SpringBootApplication
@ConfigurationPropertiesScan
@EnableScheduling
public class Main {

  /** Not in the shipped jar. */
  private static final String SAMPLE = "io.leasehold.sample.EmbeddedPostgres";

  public static void main(String[] args) {
    if (args.length > 0 && args[0].equals("bootstrap-admin")) {
      System.exit(BootstrapAdmin.run(Arrays.copyOfRange(args, 1, args.length)));
    }
    if (args.length > 0 && args[0].equals("replay")) {
      System.exit(Replay.run(Arrays.copyOfRange(args, 1, args.length)));
    }
    SpringApplication service = new SpringApplication(Main.class);
    service.addListeners(Main::endWithoutDatabase);
    service.run(args);
  }

  private static void endWithoutDatabase(ApplicationEvent event) {
    if (event instanceof ApplicationEnvironmentPreparedEvent prepared) {
      String fault = fault(prepared.getEnvironment());
      if (fault != null) {
        System.err.println(fault);
        System.exit(1);
      }
    }
  }

  /** Why this environment can not start; null = it can. */
  static @Nullable String fault(Environment environment) {
    boolean hasDatabase = !environment.getProperty("spring.datasource.url", "").isBlank();
    if (environment.acceptsProfiles(Profiles.of("sample"))) {
      return hasDatabase || !ClassUtils.isPresent(SAMPLE, null)
          ? "The profile sample is for `mvn spring-boot:run` only and brings its own database:"
              + " start without the profile, or unset SPRING_DATASOURCE_URL."
          : null;
    }
    return hasDatabase
        ? null
        : "Leasehold needs a PostgreSQL database: set SPRING_DATASOURCE_URL"
            + " (jdbc:postgresql://host/database), SPRING_DATASOURCE_USERNAME and"
            + " SPRING_DATASOURCE_PASSWORD.";
  }
}
