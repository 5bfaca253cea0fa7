package io.leasehold.lease;

import io.leasehold.Doors;
import java.util.Set;
import java.util.UUID;
import org.springframework.test.web.servlet.MockMvc;

/**
 * A pool of its own with a simulated cluster of nodes with 8 H100 each, a root tenant with two
 * teams whose contracts share it, and a stranger; made through the doors alone.
 */
final class Scene {

  final Doors operator;
  final Doors vision;
  final Doors viewer;
  final Doors nlp;
  final Doors stranger;
  final String pool;
  final String cluster;
  final String root;
  final String visionTeam;
  final String nlpTeam;

  private final Doors admin;
  private final java.util.ArrayDeque<Doors.Answer> contracts = new java.util.ArrayDeque<>();

  Scene(MockMvc mvc, int nodes) {
    String unique = UUID.randomUUID().toString().substring(24);
    pool = "p-" + unique;
    cluster = "c-" + unique;
    root = "acme-" + unique;
    visionTeam = "vision-" + unique;
    nlpTeam = "nlp-" + unique;
    String strange = "strange-" + unique;
    admin = Doors.of(mvc, "platform-admin");
    operator = Doors.operator(mvc);
    tenant(root, null);
    tenant(visionTeam, root);
    tenant(nlpTeam, root);
    tenant(strange, null);
    vision = Doors.of(mvc, "", visionTeam);
    nlp = Doors.of(mvc, "", nlpTeam);
    stranger = Doors.of(mvc, "", strange);
    viewer =
        new Doors(
            mvc,
            new io.leasehold.web.Caller(
                UUID.randomUUID(),
                "user",
                "viewer",
                Set.of(new io.leasehold.web.Caller.Grant("viewer", visionTeam))));
    operator.post("/pools", "{\"slug\": \"%s\"}".formatted(pool)).hasStatus(201);
    operator
        .post(
            "/clusters",
            "{\"slug\": \"%s\", \"pool\": \"%s\", \"adapter\": \"simulated\"}"
                .formatted(cluster, pool))
        .hasStatus(201);
    for (int i = 0; i < nodes; i++) {
      operator
          .post(
              "/clusters/" + cluster + "/nodes",
              """
              {"name": "n%s", "model": "h100", "gpuCount": 8,
               "topology": {"region": "eu-1", "zone": "eu-1a", "block": "b1", "rack": "r%s"}}\
              """
                  .formatted(i, i / 2))
          .hasStatus(201);
    }
    contract(mvc, root, 8 * nodes);
    contract(mvc, visionTeam, 4 * nodes);
    contract(mvc, nlpTeam, 4 * nodes);
  }

  private void tenant(String slug, String parent) {
    admin
        .post(
            "/tenants",
            parent == null
                ? "{\"slug\": \"%s\"}".formatted(slug)
                : "{\"slug\": \"%s\", \"parent\": \"%s\"}".formatted(slug, parent))
        .hasStatus(201);
  }

  private void contract(MockMvc mvc, String tenant, int guaranteed) {
    Doors.Answer draft =
        operator
            .post(
                "/contracts",
                """
                {"pool": "%s", "tenant": "%s", "startTime": "2026-01-01T00:00:00Z",
                 "endTime": "2190-01-01T00:00:00Z",
                 "entitlements": [{"model": "h100", "guaranteed": %s}]}\
                """
                    .formatted(pool, tenant, guaranteed))
            .hasStatus(201);
    Doors.Answer signed =
        Doors.operator(mvc)
            .post("/contracts/" + draft.at("/id") + "/sign", "", "If-Match", draft.header("ETag"))
            .hasStatus(200);
    contracts.addFirst(signed);
  }

  /** Ends all contracts, the teams' first: nobody may use the pool any more. */
  void endContracts(MockMvc mvc) {
    for (Doors.Answer contract : contracts) {
      Doors.operator(mvc)
          .post(
              "/contracts/" + contract.at("/id") + "/terminate",
              "",
              "If-Match",
              contract.header("ETag"))
          .hasStatus(200);
    }
  }

  /** What the platform answers when the team shall be no more. */
  Doors.Answer retireVision() {
    return admin.post("/tenants/" + visionTeam + "/retire", "");
  }

  /** The text of a new API key of a member of the team. */
  String visionKey() {
    Doors.Answer member =
        admin
            .post("/tenants/" + visionTeam + "/members", "{\"name\": \"ci\", \"role\": \"member\"}")
            .hasStatus(201);
    return admin
        .post(
            "/tenants/" + visionTeam + "/api-keys",
            "{\"name\": \"ci-train\", \"role\": \"member\", \"owner\": \"%s\"}"
                .formatted(member.at("/principal")))
        .hasStatus(201)
        .at("/key");
  }

  /** A request for so many GPUs for so long, and more. */
  String request(int count, String duration, String more) {
    return """
    {"gpu": {"models": ["h100"], "count": %s}, "duration": "%s"%s}\
    """
        .formatted(count, duration, more.isEmpty() ? "" : ", " + more);
  }
}
