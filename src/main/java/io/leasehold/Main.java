package io.leasehold;

import io.leasehold.tenancy.BootstrapAdmin;
import java.util.Arrays;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.ApplicationEvent;
import org.springframework.core.env.Environment;
import org.springframework.core.env.Profiles;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * Starts the service, or makes the first key ({@code bootstrap-admin}). Without a database's
 * address it never starts on one of its own.
 */
@SpringBootApplication
@ConfigurationPropertiesScan
@EnableScheduling
public class Main {

  public static void main(String[] args) {
    if (args.length > 0 && args[0].equals("bootstrap-admin")) {
      System.exit(BootstrapAdmin.run(Arrays.copyOfRange(args, 1, args.length)));
    }
    SpringApplication service = new SpringApplication(Main.class);
    service.addListeners(Main::endWithoutDatabase);
    service.run(args);
  }

  private static void endWithoutDatabase(ApplicationEvent event) {
    if (event instanceof ApplicationEnvironmentPreparedEvent prepared
        && isWithoutDatabase(prepared.getEnvironment())) {
      System.err.println(
          "Leasehold needs a PostgreSQL database: set SPRING_DATASOURCE_URL"
              + " (jdbc:postgresql://host/database), SPRING_DATASOURCE_USERNAME and"
              + " SPRING_DATASOURCE_PASSWORD.");
      System.exit(1);
    }
  }

  private static boolean isWithoutDatabase(Environment environment) {
    return !environment.acceptsProfiles(Profiles.of("sample"))
        && environment.getProperty("spring.datasource.url", "").isBlank();
  }
}
