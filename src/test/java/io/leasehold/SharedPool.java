package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.tenancy.Api;
import io.leasehold.tenancy.Api.Answer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.IntStream;

/**
 * A pool {@code shared} of nodes with 8 GPUs each, all guaranteed to the tenant {@code team}; made
 * through the doors of a running service.
 */
final class SharedPool {

  private SharedPool() {}

  /** Makes it, and answers the key of a member of the team. */
  static String furnish(Api admin, int gpus) {
    String author = platformKey(admin);
    String signer = platformKey(admin);
    made(admin.post("/api/v1/tenants", "{\"slug\": \"team\"}"));
    String team = key(admin, "/api/v1/tenants/team", "tenant-admin", "member");
    Api operator = admin.as(author);
    made(operator.post("/api/v1/pools", "{\"slug\": \"shared\"}"));
    made(
        operator.post(
            "/api/v1/clusters",
            "{\"slug\": \"sim\", \"pool\": \"shared\", \"adapter\": \"simulated\"}"));
    String nodes =
        String.join(
            ",",
            IntStream.range(0, gpus / 8)
                .mapToObj(i -> "{\"name\": \"n" + i + "\", \"model\": \"h100\", \"gpuCount\": 8}")
                .toList());
    made(operator.post("/api/v1/fleet/imports?cluster=sim", "{\"nodes\": [" + nodes + "]}"));
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    Answer draft =
        made(
            operator.post(
                "/api/v1/contracts",
                """
                {"pool": "shared", "tenant": "team", "startTime": "%s", "endTime": "%s",
                 "entitlements": [{"model": "h100", "guaranteed": %d}]}"""
                    .formatted(now.minusSeconds(60), now.plus(30, ChronoUnit.DAYS), gpus)));
    made(
        operator
            .as(signer)
            .post(
                "/api/v1/contracts/" + draft.text("id") + "/sign",
                null,
                "If-Match",
                draft.header("ETag")));
    return team;
  }

  private static String platformKey(Api admin) {
    return key(admin, "/api/v1/platform", "operator", "operator");
  }

  private static String key(Api admin, String at, String role, String keyRole) {
    String owner =
        made(admin.post(at + "/members", "{\"name\": \"n\", \"role\": \"%s\"}".formatted(role)))
            .text("principal");
    return made(admin.post(
            at + "/api-keys",
            "{\"name\": \"n\", \"role\": \"%s\", \"owner\": \"%s\"}".formatted(keyRole, owner)))
        .text("key");
  }

  static Answer made(Answer answer) {
    assertThat(answer.status()).as(answer.raw().body()).isBetween(200, 201);
    return answer;
  }
}
