package io.leasehold.tenancy;

import io.leasehold.engine.Move;
import io.leasehold.engine.Tenant;
import io.leasehold.ledger.Actor;
import io.leasehold.tenancy.Changes.Change;
import io.leasehold.tenancy.Changes.Done;
import io.leasehold.web.Access;
import io.leasehold.web.ETag;
import io.leasehold.web.IdempotencyKey;
import io.leasehold.web.JsonMergePatch;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Problem;
import io.leasehold.web.Problem.Fault;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import tools.jackson.databind.JsonNode;

/** Grows and prunes the tree of tenants. A slug is never used again for something else. */
@Service
public class TenantService {

  private static final String ROOT_WRITE = "tenant-root-write";

  private final JdbcClient jdbc;
  private final Changes changes;
  private final Access access;
  private final JsonMergePatch patches;

  TenantService(JdbcClient jdbc, Changes changes, Access access, JsonMergePatch patches) {
    this.jdbc = jdbc;
    this.changes = changes;
    this.access = access;
    this.patches = patches;
  }

  /** Creates a tenant for the installation itself (a sample's data), unless it is there. */
  public void plant(Actor actor, String traceId, String slug, @Nullable String parent) {
    TenantRequest request = new TenantRequest(slug, parent, null, List.of());
    if (new TenantRows(jdbc).find(slug).isEmpty()) {
      changes.make(
          new Change(actor, traceId, subject(slug), slug, "tenant-created", List.of(), null)
              .with(set(slug, parent, false)),
          TenantResponse.class,
          rows -> insert(new TenantRows(rows), request));
    }
  }

  Done<TenantResponse> create(TenantRequest request, @Nullable IdempotencyKey key) {
    requireParent(request.parent());
    String slug = request.slug();
    if (slug == null) {
      throw Problem.invalid(Fault.at("/slug", "required", "A tenant needs a slug."));
    }
    requireOneOfEach(request.identities());
    return changes.make(
        change(slug, "tenant-created").with(set(slug, request.parent(), false)).under(key),
        TenantResponse.class,
        rows -> insert(new TenantRows(rows), request));
  }

  TenantResponse get(String slug) {
    access.require(slug);
    return found(new TenantRows(jdbc), slug);
  }

  Page<TenantResponse> list(@Nullable String parent, PageRequest page) {
    return new TenantRows(jdbc).list(access.scope(), parent, page);
  }

  /** What a PUT came to. */
  record Put(TenantResponse tenant, boolean created) {}

  /** Creates; or says what is there already, word for word the same; or replaces, with If-Match. */
  Put put(String slug, TenantRequest request, @Nullable String ifMatch) {
    Optional<TenantResponse> present = new TenantRows(jdbc).find(slug);
    if (present.isEmpty()) {
      return new Put(create(request, null).value(), true);
    }
    if (!access.covers(slug)) {
      throw taken();
    }
    return says(present.get(), request)
        ? new Put(present.get(), false)
        : new Put(replace(slug, request, ETag.required(ifMatch)), false);
  }

  private static boolean says(TenantResponse tenant, TenantRequest request) {
    return java.util.Objects.equals(tenant.parent(), request.parent())
        && java.util.Objects.equals(tenant.name(), request.name())
        && java.util.Set.copyOf(tenant.identities())
            .equals(java.util.Set.copyOf(request.identities()));
  }

  private TenantResponse replace(String slug, TenantRequest request, @Nullable Long revision) {
    TenantResponse seen = writable(slug);
    boolean moves = !java.util.Objects.equals(seen.parent(), request.parent());
    requireOneOfEach(request.identities());
    if (moves) {
      requireMove(request.parent());
    }
    Change change = change(slug, moves ? "tenant-moved" : "tenant-changed");
    return changes
        .make(
            moves ? change.with(set(slug, request.parent(), seen.isRetired())) : change,
            TenantResponse.class,
            jdbc -> {
              TenantRows rows = new TenantRows(jdbc);
              requireUnchanged(rows, seen, revision);
              if (moves) {
                move(rows, slug, request.parent());
              }
              rows.update(slug, request.name(), request.identities());
              return found(rows, slug);
            })
        .value();
  }

  TenantResponse patch(String slug, JsonNode patch, @Nullable Long revision) {
    TenantResponse seen = writable(slug);
    return changes
        .make(
            change(slug, "tenant-changed"),
            TenantResponse.class,
            jdbc -> {
              TenantRows rows = new TenantRows(jdbc);
              TenantResponse now = requireUnchanged(rows, seen, revision);
              TenantPatch after =
                  patches.apply(
                      new TenantPatch(now.name(), now.identities()), patch, TenantPatch.class);
              requireOneOfEach(after.identities());
              rows.update(slug, after.name(), after.identities());
              return found(rows, slug);
            })
        .value();
  }

  Done<TenantResponse> retire(String slug, @Nullable Long revision, @Nullable IdempotencyKey key) {
    TenantResponse seen = writable(slug);
    if (seen.isRetired()) {
      return new Done<>(seen, false);
    }
    return changes.make(
        change(slug, "tenant-retired").with(set(slug, seen.parent(), true)).under(key),
        TenantResponse.class,
        jdbc -> {
          TenantRows rows = new TenantRows(jdbc);
          requireUnchanged(rows, seen, revision);
          if (rows.hasLiveChildren(slug)) {
            throw illegal("Retire the tenants below " + slug + " first.");
          }
          if (rows.hasLiveLeases(slug)) {
            throw illegal("Release the leases of " + slug + " first: nobody could afterwards.");
          }
          rows.retire(slug);
          return found(rows, slug);
        });
  }

  private static TenantResponse insert(TenantRows rows, TenantRequest request) {
    if (rows.find(request.slug()).isPresent()) {
      throw taken();
    }
    if (request.parent() != null) {
      requireLiveParent(rows, request.parent());
    }
    rows.insert(request);
    return found(rows, request.slug());
  }

  /** The same whether the caller may know of that tenant or not. */
  private static Problem taken() {
    return Problem.of(
        409, "id-taken", "Slug taken", "There is, or was, a tenant with this slug already.");
  }

  private static void move(TenantRows rows, String slug, @Nullable String parent) {
    if (parent != null) {
      requireLiveParent(rows, parent);
      if (rows.isAncestor(slug, parent)) {
        throw Problem.invalid(
            Fault.at("/parent", "cycle", parent + " is " + slug + " itself or lies below it."));
      }
    }
    if (rows.hasLiveLeases(slug)) {
      throw illegal("Tenants with live leases do not move; wait for them to end.");
    }
    rows.move(slug, parent);
  }

  private static void requireLiveParent(TenantRows rows, String parent) {
    boolean lives = rows.find(parent).map(p -> !p.isRetired()).orElse(false);
    if (!lives) {
      throw Problem.invalid(
          Fault.at("/parent", "unknown-tenant", "There is no active tenant " + parent + "."));
    }
  }

  /** Who may hang something below the parent; a root is the platform's. */
  private void requireParent(@Nullable String parent) {
    if (parent != null) {
      access.require(parent);
    } else if (access.scope(ROOT_WRITE).isEmpty()) {
      throw platformOnly("Only a platform admin creates a tenant without parent.");
    }
  }

  private void requireMove(@Nullable String parent) {
    if (access.scope(ROOT_WRITE).isEmpty()) {
      throw platformOnly("Only a platform admin moves tenants.");
    }
    if (parent != null) {
      access.require(parent);
    }
  }

  private static Problem platformOnly(String detail) {
    return Problem.of(403, "platform-only", "Forbidden", detail);
  }

  private TenantResponse writable(String slug) {
    access.require(slug);
    return found(new TenantRows(jdbc), slug);
  }

  /** What was judged before the lock must be what is there under it. */
  private static TenantResponse requireUnchanged(
      TenantRows rows, TenantResponse seen, @Nullable Long revision) {
    TenantResponse now = found(rows, seen.slug());
    if (revision != null && now.revision() != revision) {
      throw Problem.changedMeanwhile(
          "The tenant is at revision " + now.revision() + "; read it again.");
    }
    if (now.revision() != seen.revision()) {
      throw Problem.changedMeanwhile("The tenant changed at this moment; try again.").retryable(1);
    }
    return now;
  }

  private static void requireOneOfEach(List<TenantIdentity> identities) {
    long distinct = identities.stream().map(i -> i.cluster() + "/" + i.kind()).distinct().count();
    if (distinct < identities.size()) {
      throw Problem.invalid(
          Fault.at("/identities", "duplicate", "A tenant has one identity per cluster and kind."));
    }
  }

  private Change change(String slug, String cause) {
    return Change.by(access, subject(slug), slug, cause);
  }

  private static String subject(String slug) {
    return "tenant:" + slug;
  }

  private static Move set(String slug, @Nullable String parent, boolean retired) {
    return new Move.TenantSet(new Tenant(slug, parent, retired));
  }

  private static TenantResponse found(TenantRows rows, @Nullable String slug) {
    return rows.find(slug).orElseThrow(Problem::notFound);
  }

  private static Problem illegal(String detail) {
    return Problem.of(409, "illegal-move", "Not in this state", detail);
  }
}
