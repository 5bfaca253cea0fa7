package io.leasehold;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.core.env.Environment;
import org.springframework.core.env.Profiles;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Starts the service. Without a database's address it never starts on one of its own. */
@SpringBootApplication
@ConfigurationPropertiesScan
@EnableScheduling
public class Main {

  public static void main(String[] args) {
    SpringApplication service = new SpringApplication(Main.class);
    service.addListeners(Main::endWithoutDatabase);
    service.run(args);
  }

  private static void endWithoutDatabase(org.springframework.context.ApplicationEvent event) {
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
