package io.leasehold.sample;

import io.leasehold.sample.EmbeddedPostgres.Login;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.flyway.autoconfigure.FlywayConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/**
 * The sample start runs on a database of its own, which stops after the last connection is closed:
 * the pool depends on the address, and the address on the server. Where an address is given, as
 * tests do, there is no server.
 */
@Configuration(proxyBeanMethods = false)
@Profile("sample")
@ConditionalOnProperty(name = "spring.datasource.url", matchIfMissing = true, havingValue = "none")
class SampleDatabase {

  @Bean(destroyMethod = "close")
  EmbeddedPostgres embeddedPostgres(SampleProperties properties) {
    return EmbeddedPostgres.start(properties.directory());
  }

  @Bean
  JdbcConnectionDetails serviceLogin(EmbeddedPostgres server) {
    return new ServiceLogin(server.app());
  }

  @Bean
  FlywayConnectionDetails migrationLogin(EmbeddedPostgres server) {
    return new MigrationLogin(server.owner());
  }

  private record ServiceLogin(Login login) implements JdbcConnectionDetails {

    @Override
    public String getJdbcUrl() {
      return login.url();
    }

    @Override
    public String getUsername() {
      return login.user();
    }

    @Override
    public String getPassword() {
      return login.password();
    }
  }

  private record MigrationLogin(Login login) implements FlywayConnectionDetails {

    @Override
    public String getJdbcUrl() {
      return login.url();
    }

    @Override
    public String getUsername() {
      return login.user();
    }

    @Override
    public String getPassword() {
      return login.password();
    }
  }
}
