package io.leasehold.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.tenancy.Api.Answer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.core.env.Environment;

/**
 * Two roots that know nothing of each other, each with a team below and a key for each role; and a
 * key for each role of the installation. Made over the API alone, from the bootstrap key on.
 */
public final class TwoTenants {

  private static final AtomicInteger COUNT = new AtomicInteger();

  public final Api admin;
  public final Api operator;
  public final Api auditor;
  public final String root;
  public final String team;
  public final Api rootAdmin;
  public final Api teamAdmin;
  public final Api member;
  public final Api viewer;
  public final String otherRoot;
  public final Api otherAdmin;
  public final Api otherMember;

  public TwoTenants(int port, Environment environment) {
    int n = COUNT.incrementAndGet();
    this.admin = new Api(port, bootstrap(environment));
    this.operator = platform("operator");
    this.auditor = platform("auditor");
    this.root = "blue-" + n;
    this.team = "blue-team-" + n;
    this.otherRoot = "green-" + n;
    tenant(root, null);
    tenant(team, root);
    tenant(otherRoot, null);
    this.rootAdmin = service(root, "tenant-admin");
    this.teamAdmin = service(team, "tenant-admin");
    this.member = service(team, "member");
    this.viewer = service(team, "viewer");
    this.otherAdmin = service(otherRoot, "tenant-admin");
    this.otherMember = service(otherRoot, "member");
  }

  public static String bootstrap(Environment environment) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    int code =
        BootstrapAdmin.run(
            List.of("--name", "first admin", "--break-glass"),
            Map.of(
                "SPRING_DATASOURCE_URL", environment.getRequiredProperty("spring.datasource.url"),
                "SPRING_DATASOURCE_USERNAME",
                    environment.getRequiredProperty("spring.datasource.username"),
                "SPRING_DATASOURCE_PASSWORD",
                    environment.getRequiredProperty("spring.datasource.password")),
            new PrintStream(out),
            new PrintStream(errors));
    assertThat(code).as(errors.toString()).isZero();
    return out.toString().strip();
  }

  private void tenant(String slug, String parent) {
    String body =
        parent == null
            ? "{\"slug\":\"%s\"}".formatted(slug)
            : "{\"slug\":\"%s\",\"parent\":\"%s\"}".formatted(slug, parent);
    created(admin.post("/api/v1/tenants", body));
  }

  /** A service with a role in a tenant, and its key. */
  public Api service(String tenant, String role) {
    Answer member =
        created(
            admin.post(
                "/api/v1/tenants/" + tenant + "/members",
                "{\"name\":\"%s of %s\",\"role\":\"%s\"}".formatted(role, tenant, role)));
    return key("/api/v1/tenants/" + tenant + "/api-keys", member, role);
  }

  private Api platform(String role) {
    Answer member =
        created(
            admin.post(
                "/api/v1/platform/members",
                "{\"name\":\"%s\",\"role\":\"%s\"}".formatted(role, role)));
    return key("/api/v1/platform/api-keys", member, role);
  }

  private Api key(String path, Answer member, String role) {
    Answer key =
        created(
            admin.post(
                path,
                "{\"name\":\"key of %s\",\"role\":\"%s\",\"owner\":\"%s\"}"
                    .formatted(role, role, member.text("principal"))));
    return admin.as(key.text("key"));
  }

  public static Answer created(Answer answer) {
    assertThat(answer.status()).as(answer.raw().body()).isEqualTo(201);
    return answer;
  }
}
