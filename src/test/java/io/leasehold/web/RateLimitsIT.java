package io.leasehold.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.FreshDatabase;
import io.leasehold.tenancy.Api;
import io.leasehold.tenancy.Api.Answer;
import io.leasehold.tenancy.TwoTenants;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.env.Environment;

/** Limits as a caller meets them. */
@SpringBootTest(
    webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
    properties = {
      "leasehold.web.rate.failures=1",
      "leasehold.web.rate.caller=1",
      "leasehold.web.rate.burst=20"
    })
@FreshDatabase
class RateLimitsIT {

  @LocalServerPort int port;
  @Autowired Environment environment;

  @Test
  void aFloodIsSlowedDownWithAProblemAndATime() {
    Api admin = new Api(port, TwoTenants.bootstrap(environment));
    await().until(() -> admin.get("/api/v1/whoami").status() == 200);
    List<Answer> answers =
        IntStream.range(0, 60).mapToObj(i -> admin.get("/api/v1/whoami")).toList();
    Answer slowed = answers.stream().filter(a -> a.status() == 429).findFirst().orElseThrow();
    assertThat(slowed.code()).isEqualTo("too-many-requests");
    assertThat(slowed.header("Retry-After")).isNotEmpty();
    assertThat(slowed.body().path("retryable").asBoolean()).isTrue();
  }

  @Test
  void badCredentialsFillTheirAddressAndAKnownKeyStillPasses() {
    Api admin = new Api(port, TwoTenants.bootstrap(environment));
    await().until(() -> admin.get("/api/v1/whoami").status() == 200);
    List<Integer> answers =
        IntStream.range(0, 60)
            .mapToObj(i -> admin.as("bad" + i).get("/api/v1/whoami").status())
            .toList();
    assertThat(answers).contains(401, 429);
    assertThat(admin.get("/api/v1/whoami").status()).isEqualTo(200);
  }
}
