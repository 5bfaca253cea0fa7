package io.leasehold;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfiguration;

/**
 * Beside {@code @SpringBootTest}: the application runs on a fresh database. Test classes with the
 * same settings share one application and so one database.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ContextConfiguration(initializers = FreshDatabase.Initializer.class)
public @interface FreshDatabase {

  /** Puts the database's address into the environment. */
  final class Initializer implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    @Override
    public void initialize(ConfigurableApplicationContext context) {
      TestDatabase database = TestDatabase.fresh();
      TestPropertyValues.of(
              "spring.datasource.url=" + database.url(),
              "spring.datasource.username=" + database.user(),
              "spring.datasource.password=" + database.password(),
              "spring.flyway.url=" + database.owner().url(),
              "spring.flyway.user=" + database.owner().user(),
              "spring.flyway.password=" + database.owner().password(),
              "spring.flyway.locations=filesystem:db/migration",
              // Applications of several test classes live side by side.
              "spring.datasource.hikari.minimum-idle=1")
          .applyTo(context);
    }
  }
}
