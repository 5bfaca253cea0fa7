package io.leasehold.tenancy;

import io.leasehold.web.Caller;
import io.leasehold.web.Caller.Grant;
import io.leasehold.web.Callers;
import io.leasehold.web.Ids;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Finds who is behind a key or a token, with the roles of this moment. */
@Component
final class KnownCallers implements Callers {

  private static final int MOST_GROUPS = 500;

  private final JdbcClient jdbc;
  private final Grants grants;
  private final Tenants tenants;
  private final Installation installation;
  private final LastUse lastUse;

  KnownCallers(
      JdbcClient jdbc, Grants grants, Tenants tenants, Installation installation, LastUse lastUse) {
    this.jdbc = jdbc;
    this.grants = grants;
    this.tenants = tenants;
    this.installation = installation;
    this.lastUse = lastUse;
  }

  private record KeyRow(
      UUID id,
      byte[] digest,
      UUID principal,
      String name,
      @Nullable String tenant,
      @Nullable String role,
      Set<String> scopes,
      UUID owner,
      @Nullable String issuer,
      List<String> groups) {}

  @Override
  public Optional<Caller> ofKey(String text) {
    return KeyText.parse(text)
        .filter(key -> key.kind().equals(KeyText.LIVE) || installation.isSample())
        .flatMap(key -> row(key.mark()).filter(r -> isSame(key.digest(), r.digest())))
        .map(this::caller);
  }

  private static boolean isSame(byte[] one, byte[] other) {
    return MessageDigest.isEqual(one, other);
  }

  private Caller caller(KeyRow key) {
    lastUse.note(key.id());
    Set<Grant> present = ofKey(key, grants.of(key.owner(), key.issuer(), key.groups()));
    return new Caller(key.principal(), "api-key", key.name(), present, key.scopes());
  }

  /** What the owner may do now, narrowed by what the key was made for. */
  private Set<Grant> ofKey(KeyRow key, Set<Grant> owned) {
    if (key.role() == null) {
      return owned.stream()
          .filter(g -> key.tenant() == null || isBelow(g.tenant(), key.tenant()))
          .collect(Collectors.toSet());
    }
    Role role = Role.of(key.role()).orElseThrow();
    boolean mayStill = grants.include(owned, role, key.tenant());
    boolean lives = key.tenant() == null || !tenants.isRetired(key.tenant());
    return mayStill && lives
        ? Set.of(new Grant(key.role(), key.tenant() == null ? "" : key.tenant()))
        : Set.of();
  }

  private boolean isBelow(String tenant, String root) {
    return tenants.selfAndAncestors(tenant).contains(root);
  }

  private Optional<KeyRow> row(String mark) {
    return jdbc.sql(
            """
            select k.id, k.digest, k.principal, k.name, k.tenant, k.role, k.scopes, k.owner,
                   o.issuer, o.groups
              from api_key k join principal o on o.id = k.owner
             where k.mark = :mark and k.revoke_time is null and k.expire_time > clock_timestamp()
            """)
        .param("mark", mark)
        .query(
            (row, i) ->
                new KeyRow(
                    row.getObject("id", UUID.class),
                    row.getBytes("digest"),
                    row.getObject("principal", UUID.class),
                    row.getString("name"),
                    row.getString("tenant"),
                    row.getString("role"),
                    Set.of((String[]) row.getArray("scopes").getArray()),
                    row.getObject("owner", UUID.class),
                    row.getString("issuer"),
                    List.of((String[]) row.getArray("groups").getArray())))
        .optional();
  }

  private record Person(UUID id, String name, List<String> groups, boolean lately) {}

  @Override
  public Caller ofToken(String issuer, String subject, String name, Collection<String> groups) {
    List<String> kept = groups.stream().distinct().sorted().limit(MOST_GROUPS).toList();
    UUID id =
        find(issuer, subject)
            .filter(p -> p.lately() && p.name().equals(name) && p.groups().equals(kept))
            .map(Person::id)
            .orElseGet(() -> see(issuer, subject, name, kept));
    return new Caller(id, "user", name, grants.of(id, issuer, kept));
  }

  private Optional<Person> find(String issuer, String subject) {
    return jdbc.sql(
            """
            select id, name, groups,
                   coalesce(seen_time > clock_timestamp() - interval '1 hour', false) as lately
              from principal where issuer = :issuer and subject = :subject
            """)
        .param("issuer", issuer)
        .param("subject", subject)
        .query(
            (row, i) ->
                new Person(
                    row.getObject("id", UUID.class),
                    row.getString("name"),
                    Arrays.asList((String[]) row.getArray("groups").getArray()),
                    row.getBoolean("lately")))
        .optional();
  }

  /** Keeps the groups, since keys of this person count on them while it is away. */
  private UUID see(String issuer, String subject, String name, List<String> groups) {
    return jdbc.sql(
            """
            insert into principal (id, kind, name, issuer, subject, groups, seen_time)
            values (:id, 'user', :name, :issuer, :subject, :groups, clock_timestamp())
            on conflict (issuer, subject) do update
               set name = excluded.name, groups = excluded.groups, seen_time = excluded.seen_time
            returning id
            """)
        .param("id", Ids.next())
        .param("name", name)
        .param("issuer", issuer)
        .param("subject", subject)
        .param("groups", groups.toArray(String[]::new))
        .query(UUID.class)
        .single();
  }
}
