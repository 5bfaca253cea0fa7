package io.leasehold.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.FreshDatabase;
import io.leasehold.tenancy.Api;
import io.leasehold.tenancy.Api.Answer;
import io.leasehold.tenancy.TwoTenants;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.env.Environment;

/** Errors of every origin are problems of one shape, over a real port. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@FreshDatabase
class ProblemsIT {

  @LocalServerPort int port;
  @Autowired Environment environment;
  Api admin;
  Api nobody;

  @BeforeEach
  void callers() {
    nobody = new Api(port, null);
    admin = nobody.as(TwoTenants.bootstrap(environment));
  }

  private static void assertProblem(Answer answer, int status, String code) {
    assertThat(answer.status()).as(answer.raw().body()).isEqualTo(status);
    assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
    assertThat(answer.code()).isEqualTo(code);
    assertThat(answer.body().path("status").asInt()).isEqualTo(status);
    for (String member : new String[] {"type", "title", "detail", "instance", "traceId"}) {
      assertThat(answer.text(member)).as(member).isNotEmpty();
    }
    assertThat(answer.body().has("retryable")).isTrue();
    if (status == 400) {
      assertThat(answer.body().at("/errors/0/code").asString()).isNotEmpty();
    }
    assertThat(answer.raw().body())
        .doesNotContain("Exception", "io.leasehold", "springframework", "at java", "null");
  }

  @Test
  void nobodyIsAskedForACredential() {
    Answer answer = nobody.get("/api/v1/tenants");
    assertProblem(answer, 401, "unauthenticated");
    assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer");
    assertProblem(nobody.get("/api/v1/nothing"), 401, "unauthenticated");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lh_live_abc", "nonsense", "", "a.b.c", "lh_dev_x"})
  void aBadCredentialIsNoCredential(String key) {
    assertProblem(nobody.as(key).get("/api/v1/whoami"), 401, "unauthenticated");
  }

  @Test
  void basicIsNoBearer() {
    assertProblem(
        nobody.get("/api/v1/whoami", "Authorization", "Basic YTpi"), 401, "unauthenticated");
  }

  @Test
  void pathsAndMethodsThatAreNotThere() {
    assertProblem(admin.get("/api/v1/nothing"), 404, "not-found");
    assertProblem(admin.get("/api/v1/api-keys/not-a-uuid"), 404, "not-found");
    Answer method = admin.delete("/api/v1/tenants");
    assertProblem(method, 405, "method-not-allowed");
    assertThat(method.header("Allow")).contains("GET", "POST");
    assertProblem(admin.send("FROB", "/api/v1/tenants", null), 405, "method-not-allowed");
  }

  @Test
  void mediaTypes() {
    assertProblem(admin.get("/api/v1/tenants", "Accept", "application/xml"), 406, "not-acceptable");
    assertProblem(
        admin.post("/api/v1/tenants", "{}", "Content-Type", "text/plain"),
        415,
        "media-type-not-supported");
    assertProblem(
        admin.post("/api/v1/tenants", "{}", "Content-Type", "application/json;charset=utf-16"),
        415,
        "media-type-not-supported");
    assertProblem(
        admin.post("/api/v1/tenants", "{}", "Content-Type", "rubbish"),
        415,
        "media-type-not-supported");
    assertProblem(
        admin.post("/api/v1/tenants", "{}", "Content-Encoding", "gzip"),
        415,
        "media-type-not-supported");
  }

  @Test
  void bodies() {
    Answer unknown = admin.post("/api/v1/tenants", "{\"slug\":\"a\",\"colour\":1}");
    assertProblem(unknown, 400, "invalid-request");
    assertThat(unknown.body().at("/errors/0/pointer").asString()).isEqualTo("/colour");
    assertThat(unknown.body().at("/errors/0/code").asString()).isEqualTo("unknown-field");
    assertProblem(admin.post("/api/v1/tenants", "{\"slug\":"), 400, "invalid-request");
    assertProblem(admin.post("/api/v1/tenants", ""), 400, "invalid-request");
    assertProblem(admin.post("/api/v1/tenants", "[]"), 400, "invalid-request");
    Answer slug = admin.post("/api/v1/tenants", "{\"slug\":\"Not A Slug\"}");
    assertProblem(slug, 400, "invalid-request");
    assertThat(slug.body().at("/errors/0/pointer").asString()).isEqualTo("/slug");
    Answer deep =
        admin.post(
            "/api/v1/tenants",
            "{\"slug\":\"a\",\"identities\":" + "[".repeat(40) + "]".repeat(40) + "}");
    assertProblem(deep, 400, "invalid-request");
    Answer invalid = admin.post("/api/v1/tenants", "{\"slug\":\"a\\u0000b\"}");
    assertThat(invalid.body().at("/errors/0/code").asString()).isEqualTo("unsound-text");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"reason\":\"x\"}", "{", "[]", "\"x\"", "{} {}"})
  void aVerbWithoutFieldsTakesNone(String body) {
    String verb = "/api/v1/api-keys/0199f3a2-7c1e-7b52-9d0e-5a1f4c3b2e10/revoke";
    assertProblem(admin.post(verb, body), 400, "invalid-request");
    assertProblem(admin.post(verb, "{}"), 404, "not-found");
    assertProblem(admin.post(verb, " "), 404, "not-found");
  }

  @Test
  void parameters() {
    Answer unknown = admin.get("/api/v1/tenants?colour=blue");
    assertProblem(unknown, 400, "invalid-request");
    assertThat(unknown.body().at("/errors/0/parameter").asString()).isEqualTo("colour");
    assertProblem(admin.get("/api/v1/tenants?pageSize=-5"), 400, "invalid-request");
    assertThat(admin.get("/api/v1/tenants?pageSize=1000000000000").status()).isEqualTo(200);
    assertProblem(admin.get("/api/v1/tenants?pageToken=rubbish"), 400, "invalid-request");
    assertProblem(admin.get("/api/v1/tenants?parent=%00"), 400, "invalid-request");
    assertProblem(admin.get("/api/v1/tenants?=nameless"), 400, "invalid-request");
    assertProblem(admin.get("/api/v1/audit?startTime=yesterday"), 400, "invalid-request");
    assertProblem(admin.get("/api/v1/audit?actor=me"), 400, "invalid-request");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/v1/%2e%2e/x",
        "/api/v1//tenants",
        "/api/v1/a;b=c",
        "/api/v1/a%00",
        "/api/v1/a%2fb"
      })
  void theFirewallSpeaksTheSameLanguage(String path) {
    assertProblem(admin.get(path), 400, "invalid-request");
  }

  @Test
  void aLargeBodyIsRefusedCountedOrNot() {
    String large = "{\"slug\":\"" + "a".repeat(300_000) + "\"}";
    assertProblem(admin.post("/api/v1/tenants", large), 413, "body-too-large");
    byte[] bytes = large.getBytes(StandardCharsets.UTF_8);
    HttpRequest chunked =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/tenants"))
            .header("Authorization", "Bearer " + admin.key())
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes)))
            .build();
    assertProblem(admin.answer(chunked), 413, "body-too-large");
  }

  @Test
  void aChunkThatIsNoneIsAFaultOfTheCaller() throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(5_000);
      String sent =
          "POST /api/v1/tenants HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
              + "Authorization: Bearer %s\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
              + "ZZ\r\n";
      String key = TwoTenants.bootstrap(environment);
      socket.getOutputStream().write(sent.formatted(key).getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(answer).startsWith("HTTP/1.1 400").contains("request-rejected");
    }
  }

  @Test
  void nobodysLargeBodyIsNotRead() {
    assertProblem(
        nobody.post("/api/v1/tenants", "{\"slug\":\"" + "a".repeat(300_000) + "\"}"),
        401,
        "unauthenticated");
  }

  @Test
  void headersHaveABound() {
    assertProblem(
        admin.get("/api/v1/whoami", "X-Large", "x".repeat(17_000)), 431, "headers-too-large");
    assertThat(admin.get("/api/v1/whoami", "X-Large", "x".repeat(10_000)).status()).isEqualTo(200);
  }

  /** More than the container itself reads: no filter of ours sees it. */
  @Test
  void aHeadThatTheContainerDoesNotReadIsAnsweredWithAProblemToo() throws IOException {
    String large = "GET /api/v1/whoami HTTP/1.1\r\nHost: localhost\r\nX-Large: %s\r\n\r\n";
    assertRawProblem(large.formatted("x".repeat(70_000)), 431, "headers-too-large");
    assertRawProblem("GET /" + "x".repeat(70_000) + " HTTP/1.1\r\n\r\n", 431, "headers-too-large");
    assertRawProblem("GET /a b c\r\n\r\n", 400, "request-rejected");
    assertRawProblem("GET / HTTP/1.1\r\n\r\n", 400, "request-rejected");
    assertRawProblem(
        "GET / HTTP/1.1\r\nHost: localhost\r\nbad header: x\r\n\r\n", 400, "request-rejected");
  }

  private void assertRawProblem(String sent, int status, String code) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(5_000);
      socket.getOutputStream().write(sent.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(answer)
          .startsWith("HTTP/1.1 " + status)
          .contains("Content-Type: application/problem+json")
          .contains("\"code\":\"" + code + "\"", "\"status\":" + status)
          .contains("\"traceId\":\"")
          .doesNotContain("Exception", "Tomcat");
    }
  }

  @Test
  void theTraceOfTheCallerGoesOn() {
    String id = "4bf92f3577b34da6a3ce929d0e0e4736";
    Answer answer =
        admin.get("/api/v1/nothing", "traceparent", "00-" + id + "-00f067aa0ba902b7-01");
    assertThat(answer.text("traceId")).isEqualTo(id);
    assertThat(answer.header("traceparent")).startsWith("00-" + id).endsWith("-01");
    assertThat(admin.get("/api/v1/whoami").header("traceparent")).matches("00-[0-9a-f]{32}-.*");
  }

  @Test
  void forwardedHeadersCountForNothing() {
    Answer answer =
        admin.post(
            "/api/v1/tenants",
            "{\"slug\":\"forwarded-" + System.nanoTime() + "\"}",
            "X-Forwarded-Host",
            "evil.example",
            "X-Forwarded-Proto",
            "https",
            "Forwarded",
            "host=evil.example");
    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.header("Location")).startsWith("/api/v1/tenants/");
  }

  @Test
  void noCookiesNoSharingWithOtherOriginsNoStackTraces() {
    Answer answer = admin.get("/api/v1/whoami", "Origin", "https://evil.example");
    assertThat(answer.header("Set-Cookie")).isEmpty();
    assertThat(answer.header("Access-Control-Allow-Origin")).isEmpty();
    assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(answer.header("Content-Security-Policy"))
        .contains("default-src 'none'", "frame-ancestors 'none'");
    assertThat(answer.header("Cache-Control")).contains("no-store");
  }

  @Test
  void theContainersOwnErrorsHaveNoTrace() throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(5_000);
      socket.getOutputStream().write("GET /a b c\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(answer).startsWith("HTTP/1.1 400").doesNotContain("Exception", "Tomcat");
    }
  }

  @Test
  void aMethodThatTheContainerRefusesHasTheSameStatusInItsBody() throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(5_000);
      String sent =
          "CONNECT /api/v1/whoami HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(sent.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(answer).startsWith("HTTP/1.1 501").contains("\"status\":501");
    }
  }

  @Test
  void theDocumentIsOpenAndSaysWhatAllShare() {
    Answer document = nobody.get("/v3/api-docs");
    assertThat(document.status()).isEqualTo(200);
    assertThat(document.text("openapi")).startsWith("3.1");
    assertThat(document.body().at("/servers/0/url").asString()).isEqualTo("/");
    assertThat(document.body().at("/components/securitySchemes/bearer/scheme").asString())
        .isEqualTo("bearer");
    var state = document.body().at("/components/schemas/Tenant/properties/state");
    assertThat(state.path("type").asString()).isEqualTo("string");
    assertThat(state.path("x-extensible-enum").toString()).isEqualTo("[\"ACTIVE\",\"RETIRED\"]");
    assertThat(state.has("enum")).isFalse();
    var operation = document.body().at("/paths/~1api~1v1~1tenants/post");
    assertThat(operation.path("operationId").asString()).isEqualTo("createTenant");
    assertThat(operation.path("responses").propertyNames())
        .contains("201", "400", "401", "403", "404", "409", "413", "415", "422", "429", "503")
        .doesNotContain("200");
    assertThat(document.body().at("/components/responses/Problem404/content").propertyNames())
        .containsExactly("application/problem+json");
  }

  @Test
  void swaggerIsServedUnderItsPolicy() {
    Answer page = nobody.get("/swagger-ui/index.html");
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.header("Content-Security-Policy")).contains("script-src 'self'");
  }
}
