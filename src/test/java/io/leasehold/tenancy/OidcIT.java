package io.leasehold.tenancy;

import static io.leasehold.tenancy.TwoTenants.created;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import io.leasehold.FreshDatabase;
import io.leasehold.tenancy.Api.Answer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.env.Environment;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Tokens of a real small issuer, good and forged. */
@SpringBootTest(
    webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
    properties = "leasehold.web.rate.failures=100000")
@FreshDatabase
class OidcIT {

  static final TestIssuer ISSUER = new TestIssuer();
  static final TestIssuer AWAY = new TestIssuer();
  static final TestIssuer STRANGER = new TestIssuer();
  static final TestIssuer ROTATING = new TestIssuer();

  @LocalServerPort int port;
  @Autowired Environment environment;
  TwoTenants two;

  @DynamicPropertySource
  static void issuers(DynamicPropertyRegistry properties) {
    AWAY.away = true;
    properties.add("leasehold.web.issuers[0].issuer", ISSUER::name);
    properties.add("leasehold.web.issuers[0].audience", () -> "leasehold");
    properties.add("leasehold.web.issuers[1].issuer", AWAY::name);
    properties.add("leasehold.web.issuers[1].audience", () -> "leasehold");
    properties.add("leasehold.web.issuers[2].issuer", ROTATING::name);
    properties.add("leasehold.web.issuers[2].audience", () -> "leasehold");
    properties.add("leasehold.web.issuers[2].keys", () -> ROTATING.name() + "/keys");
    properties.add("leasehold.tenancy.platform-admins[0].issuer", ISSUER::name);
    properties.add("leasehold.tenancy.platform-admins[0].group", () -> "platform");
  }

  @AfterAll
  static void stop() {
    ISSUER.close();
    AWAY.close();
    STRANGER.close();
    ROTATING.close();
  }

  @BeforeEach
  void mapped() {
    two = new TwoTenants(port, environment);
    created(
        two.admin.post(
            "/api/v1/platform/oidc-groups",
            "{\"issuer\":\"%s\",\"group\":\"ml-blue\",\"tenant\":\"%s\",\"role\":\"member\"}"
                .formatted(ISSUER.name(), two.team)));
  }

  private Answer whoami(String token) {
    return new Api(port, token).get("/api/v1/whoami");
  }

  @Test
  void aGroupGivesItsRoleAndNothingElseDoes() {
    // Another test may have called as alice just now: what she may is known for a few seconds.
    Awaitility.await()
        .untilAsserted(
            () -> {
              Answer alice = whoami(ISSUER.token());
              assertThat(alice.status()).as(alice.raw().body()).isEqualTo(200);
              assertThat(alice.text("kind")).isEqualTo("user");
              assertThat(alice.text("name")).isEqualTo("alice");
              assertThat(alice.body().path("tenants").findValuesAsString("tenant"))
                  .contains(two.team);
            });
    Answer stranger = whoami(ISSUER.token(c -> c.subject("bob").claim("groups", List.of("x"))));
    assertThat(stranger.status()).isEqualTo(200);
    assertThat(stranger.body().path("tenants")).isEmpty();
    assertThat(
            new Api(port, ISSUER.token(c -> c.subject("bob").claim("groups", List.of())))
                .get("/api/v1/tenants")
                .status())
        .isEqualTo(403);
  }

  @Test
  void identityIsIssuerAndSubject() {
    String one = whoami(ISSUER.token(c -> c.claim("preferred_username", "a"))).text("principal");
    String other = whoami(ISSUER.token(c -> c.claim("preferred_username", "b"))).text("principal");
    String third = whoami(ISSUER.token(c -> c.subject("carol"))).text("principal");
    assertThat(other).isEqualTo(one);
    assertThat(third).isNotEqualTo(one);
  }

  @Test
  void configurationMapsPlatformAdminsAndTheApiNeverDoes() {
    Answer admin = whoami(ISSUER.token(c -> c.claim("groups", List.of("platform"))));
    assertThat(admin.body().path("roles").toString()).isEqualTo("[\"platform-admin\"]");
    assertThat(
            two.admin
                .post(
                    "/api/v1/platform/oidc-groups",
                    "{\"issuer\":\"%s\",\"group\":\"x\",\"role\":\"platform-admin\"}"
                        .formatted(ISSUER.name()))
                .status())
        .isEqualTo(400);
    Api user =
        new Api(port, ISSUER.token(c -> c.claim("groups", List.of("platform")).subject("root")));
    assertThat(
            user.post(
                    "/api/v1/platform/oidc-groups",
                    "{\"issuer\":\"%s\",\"group\":\"platform\",\"role\":\"operator\"}"
                        .formatted(ISSUER.name()))
                .code())
        .isEqualTo("not-oneself");
  }

  @Test
  void bothTypesOfTokenAreTaken() {
    assertThat(whoami(ISSUER.sign(c -> c, ISSUER.key, "at+jwt")).status()).isEqualTo(200);
    assertThat(whoami(ISSUER.sign(c -> c, ISSUER.key, "logout+jwt")).status()).isEqualTo(401);
  }

  @Test
  void forgedAndStrayTokensAreNot() throws JOSEException {
    Instant now = Instant.now();
    List<UnaryOperator<JWTClaimsSet.Builder>> wrong =
        List.of(
            c -> c.audience("another-service"),
            c -> c.audience(List.of()),
            c -> c.issuer(ISSUER.name() + "/"),
            c -> c.issuer(STRANGER.name()),
            c -> c.subject(null),
            c -> c.expirationTime(null),
            c -> c.expirationTime(Date.from(now.minusSeconds(90))),
            c -> c.expirationTime(Date.from(now.plus(Duration.ofHours(25)))),
            c -> c.notBeforeTime(Date.from(now.plusSeconds(120))),
            c -> c.issueTime(Date.from(now.plusSeconds(120))));
    for (int i = 0; i < wrong.size(); i++) {
      assertThat(whoami(ISSUER.token(wrong.get(i))).status()).as("forgery " + i).isEqualTo(401);
    }
    assertThat(whoami(STRANGER.token()).status()).isEqualTo(401);
    assertThat(whoami(new PlainJWT(ISSUER.claims().build()).serialize()).status()).isEqualTo(401);
    byte[] publicKey = ISSUER.key.toRSAPublicKey().getEncoded();
    JWSHeader hs256 =
        new JWSHeader.Builder(JWSAlgorithm.HS256).keyID(ISSUER.key.getKeyID()).build();
    assertThat(whoami(ISSUER.sign(hs256, c -> c, new MACSigner(publicKey))).status())
        .isEqualTo(401);
    assertThat(
            whoami(ISSUER.sign(c -> c, TestIssuer.generated(ISSUER.key.getKeyID()), "JWT"))
                .status())
        .isEqualTo(401);
    String[] parts = ISSUER.token().split("\\.");
    String tampered =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(
                new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8)
                    .replace("ml-blue", "platform")
                    .getBytes(StandardCharsets.UTF_8));
    assertThat(whoami(parts[0] + "." + tampered + "." + parts[2]).status()).isEqualTo(401);
  }

  @Test
  void aRotatedKeyIsFoundAtOnceAndTheOldOneStillCounts() {
    String old = ROTATING.token();
    assertThat(whoami(old).status()).isEqualTo(200);
    ROTATING.rotate();
    assertThat(whoami(ROTATING.token(c -> c.subject("after"))).status()).isEqualTo(200);
    assertThat(whoami(old).status()).isEqualTo(200);
  }

  @Test
  void aLittleSkewIsForgiven() {
    Instant now = Instant.now();
    assertThat(
            whoami(ISSUER.token(c -> c.expirationTime(Date.from(now.minusSeconds(30))))).status())
        .isEqualTo(200);
  }

  @Test
  void manyUnknownKeysDoNotFloodTheIssuer() {
    whoami(ISSUER.token());
    int before = ISSUER.fetches.get();
    for (int i = 0; i < 50; i++) {
      var unknown = new com.nimbusds.jose.jwk.RSAKey.Builder(STRANGER.key).keyID("u" + i).build();
      assertThat(whoami(ISSUER.sign(c -> c, unknown, "JWT")).status()).isEqualTo(401);
    }
    assertThat(ISSUER.fetches.get() - before).isLessThanOrEqualTo(2);
  }

  @Test
  void anIssuerThatIsAwayIsNotTheCallersFault() {
    for (int i = 0; i < 4; i++) {
      Answer away = whoami(AWAY.token(c -> c.subject("s" + System.nanoTime())));
      assertThat(away.status()).as(away.raw().body()).isEqualTo(503);
      assertThat(away.header("Retry-After")).isNotEmpty();
      assertThat(away.code()).isEqualTo("issuer-away");
    }
    assertThat(two.admin.get("/api/v1/whoami").status()).isEqualTo(200);
  }

  @Test
  void knownKeysOutliveTheIssuersAbsence() {
    whoami(ISSUER.token());
    ISSUER.away = true;
    try {
      assertThat(whoami(ISSUER.token(c -> c.subject("while-away"))).status()).isEqualTo(200);
    } finally {
      ISSUER.away = false;
    }
  }
}
