package io.leasehold.tenancy;

import io.leasehold.tenancy.Changes.Change;
import io.leasehold.tenancy.Changes.Done;
import io.leasehold.tenancy.KeyRows.NewKey;
import io.leasehold.web.Access;
import io.leasehold.web.Caller;
import io.leasehold.web.IdempotencyKey;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Problem;
import io.leasehold.web.Problem.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Makes, changes and ends API keys. A key never does more than who made it could do at that moment,
 * nor more than its owner may do at the moment it is used.
 */
@Service
class ApiKeyService {

  private static final Duration USUAL_LIFE = Duration.ofDays(90);
  private static final Duration LONGEST_LIFE = Duration.ofDays(365);
  private static final Duration USUAL_OVERLAP = Duration.ofHours(24);
  private static final Duration LONGEST_OVERLAP = Duration.ofDays(7);
  private static final int MOST = 50;
  private static final String ADMINISTER = "member-write";
  private static final String PLATFORM = "platform-role-write";

  private final JdbcClient jdbc;
  private final Changes changes;
  private final Access access;
  private final People people;
  private final Grants grants;
  private final Installation installation;

  ApiKeyService(
      JdbcClient jdbc,
      Changes changes,
      Access access,
      People people,
      Grants grants,
      Installation installation) {
    this.jdbc = jdbc;
    this.changes = changes;
    this.access = access;
    this.people = people;
    this.grants = grants;
    this.installation = installation;
  }

  Page<ApiKeyResponse> list(@Nullable String tenant, PageRequest page) {
    if (tenant != null) {
      access.require(tenant);
    }
    return new KeyRows(jdbc).list(tenant, seesAll(tenant) ? null : self(), page);
  }

  ApiKeyResponse get(UUID id) {
    return visible(id);
  }

  Done<ApiKeyResponse> create(
      @Nullable String tenant, ApiKeyRequest request, @Nullable IdempotencyKey once) {
    if (tenant != null) {
      access.require(tenant);
    }
    Role role = role(tenant, request.role());
    UUID owner = owner(tenant, request, role);
    requireNoWider(request);
    KeyText text = KeyText.random(installation.isSample() ? KeyText.DEV : KeyText.LIVE);
    return changes.make(
        change(tenant, "key-created").under(once),
        ApiKeyResponse.class,
        ApiKeyResponse::withoutSecret,
        rows -> {
          KeyRows keys = new KeyRows(rows);
          Instant expire = expiry(request.expireTime(), keys.now());
          if (tenant != null && keys.live(tenant) >= MOST) {
            throw Problem.of(
                409,
                "refused-limit",
                "Too many keys",
                "There are " + MOST + " live keys here, the most there may be; revoke one.");
          }
          return keys.insert(
              new NewKey(
                  text,
                  null,
                  owner,
                  tenant,
                  role.slug(),
                  request.scopes(),
                  request.name(),
                  expire));
        });
  }

  Done<ApiKeyResponse> rotate(UUID id, RotateRequest request, @Nullable IdempotencyKey once) {
    ApiKeyResponse old = writable(id);
    requireOwnOrService(old.owner());
    Duration overlap = request.overlap() == null ? USUAL_OVERLAP : request.overlap();
    if (overlap.compareTo(LONGEST_OVERLAP) > 0) {
      throw Problem.invalid(
          Fault.at("/overlap", "out-of-range", "The old key works on for at most P7D."));
    }
    KeyText text = KeyText.random(installation.isSample() ? KeyText.DEV : KeyText.LIVE);
    return changes.make(
        change(old.tenant(), "key-rotated").under(once),
        ApiKeyResponse.class,
        ApiKeyResponse::withoutSecret,
        rows -> {
          KeyRows keys = new KeyRows(rows);
          ApiKeyResponse known = keys.find(id).orElseThrow(Problem::notFound);
          Instant now = keys.now();
          if (known.revokeTime() != null || !known.expireTime().isAfter(now)) {
            throw Problem.of(
                409, "illegal-move", "Not in this state", "A key that has ended is not rotated.");
          }
          keys.endAt(id, now.plus(overlap));
          return keys.insert(
              new NewKey(
                  text,
                  keys.principalOf(id),
                  known.owner(),
                  known.tenant(),
                  known.role(),
                  known.scopes(),
                  known.name(),
                  now.plus(Duration.between(old.createTime(), old.expireTime()))));
        });
  }

  Done<ApiKeyResponse> revoke(UUID id, @Nullable IdempotencyKey once) {
    ApiKeyResponse key = writable(id);
    return changes.make(
        change(key.tenant(), "key-revoked").under(once),
        ApiKeyResponse.class,
        rows -> {
          KeyRows keys = new KeyRows(rows);
          keys.revoke(id);
          return keys.find(id).orElseThrow(Problem::notFound);
        });
  }

  private static Role role(@Nullable String tenant, @Nullable String slug) {
    String wanted = slug == null && tenant != null ? Role.MEMBER.slug() : String.valueOf(slug);
    return Role.of(wanted)
        .filter(role -> role.isPlatform() == (tenant == null))
        .orElseThrow(
            () ->
                Problem.invalid(
                    Fault.at(
                        "/role",
                        "unknown-role",
                        tenant == null
                            ? "Say a role of the installation: platform-admin, operator, auditor."
                            : "Roles of a tenant: tenant-admin, member, viewer.")));
  }

  /**
   * One's own key is bounded by one's own roles. For somebody else a key is made only if that is a
   * service, and only by an admin, who then bounds it by what an admin may hand out.
   */
  private UUID owner(@Nullable String tenant, ApiKeyRequest request, Role role) {
    UUID self = self();
    Caller caller = access.caller();
    if (request.owner() == null || request.owner().equals(self)) {
      if (!grants.include(caller.grants(), role, tenant)) {
        throw Problem.of(
            403,
            "forbidden",
            "Forbidden",
            "You do not hold "
                + role.slug()
                + " here, so your key can not; name a service as owner.");
      }
      return self;
    }
    if (!seesAll(tenant)) {
      throw Problem.of(403, "forbidden", "Forbidden", "Members make keys for themselves only.");
    }
    requireService(request.owner());
    return request.owner();
  }

  private void requireOwnOrService(UUID owner) {
    if (!owner.equals(self())) {
      requireService(owner);
    }
  }

  /** Else an admin would hold a secret that acts in another person's name. */
  private void requireService(UUID owner) {
    boolean service =
        jdbc.sql("select exists (select from principal where id = :id and kind = 'service')")
            .param("id", owner)
            .query(Boolean.class)
            .single();
    if (!service) {
      throw Problem.of(
          403,
          "forbidden",
          "Forbidden",
          "A key is made for oneself or for a service, not in another person's name.");
    }
  }

  /** A narrowed key makes only keys that are narrowed at least as much. */
  private void requireNoWider(ApiKeyRequest request) {
    for (String scope : request.scopes()) {
      if (!RoleMatrix.operations().contains(scope)) {
        throw Problem.invalid(
            Fault.at(
                "/scopes",
                "unknown-operation",
                "There is no operation " + scope + "; known: " + RoleMatrix.operations() + "."));
      }
    }
    var only = access.caller().only();
    if (!only.isEmpty() && (request.scopes().isEmpty() || !only.containsAll(request.scopes()))) {
      throw Problem.of(
          403, "forbidden", "Forbidden", "A key makes only keys with scopes that it has itself.");
    }
  }

  private static Instant expiry(@Nullable Instant asked, Instant now) {
    Instant expire = asked == null ? now.plus(USUAL_LIFE) : asked;
    if (!expire.isAfter(now) || expire.isAfter(now.plus(LONGEST_LIFE))) {
      throw Problem.invalid(
          Fault.at("/expireTime", "out-of-range", "A key expires in the future, within 365 days."));
    }
    return expire;
  }

  private ApiKeyResponse writable(UUID id) {
    return visible(id);
  }

  /** An admin's view of the tenant, or one's own; anything else is not there. */
  private ApiKeyResponse visible(UUID id) {
    ApiKeyResponse key = new KeyRows(jdbc).find(id).orElseThrow(Problem::notFound);
    boolean own = key.owner().equals(self());
    boolean inScope = key.tenant() == null ? seesAll(null) : access.covers(key.tenant());
    if (!(own || inScope && seesAll(key.tenant()))) {
      throw Problem.notFound();
    }
    return key;
  }

  private boolean seesAll(@Nullable String tenant) {
    if (tenant == null) {
      return !access.scope(PLATFORM).isEmpty();
    }
    io.leasehold.web.Scope admin = access.scope(ADMINISTER);
    io.leasehold.web.Scope reader = access.scope("audit-read");
    return admin.everything() || reader.everything() || grants.covers(admin, tenant);
  }

  private UUID self() {
    return people.behind(access.caller());
  }

  private Change change(@Nullable String tenant, String cause) {
    return Change.by(access, tenant == null ? "installation" : "tenant:" + tenant, tenant, cause);
  }
}
