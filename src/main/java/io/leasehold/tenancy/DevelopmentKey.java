package io.leasehold.tenancy;

import io.leasehold.ledger.Actor;
import io.leasehold.tenancy.Changes.Change;
import io.leasehold.web.Ids;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * The key of a sample: holds platform admin, operator and tenant admin at once, so that one key
 * shows everything; lives 7 days; made anew at each start, which ends the one before.
 */
@Service
public class DevelopmentKey {

  private static final Duration LIFE = Duration.ofDays(7);
  private static final String NAME = "sample";

  private final Changes changes;
  private final Installation installation;

  DevelopmentKey(Changes changes, Installation installation) {
    this.changes = changes;
    this.installation = installation;
  }

  /**
   * @param root the tenant whose admin it is
   * @return the key's text, kept nowhere else
   */
  public String issue(String root) {
    if (!installation.isSample()) {
      throw new IllegalStateException("Development keys are made in a sample only.");
    }
    KeyText text = KeyText.random(KeyText.DEV);
    changes.make(
        new Change(
            Actor.SYSTEM,
            Ids.next().toString().replace("-", ""),
            "installation",
            null,
            "key-created",
            List.of(),
            null),
        ApiKeyResponse.class,
        ApiKeyResponse::withoutSecret,
        rows -> write(rows, text, root));
    return text.text();
  }

  private static ApiKeyResponse write(JdbcClient rows, KeyText text, String root) {
    KeyRows keys = new KeyRows(rows);
    UUID owner = known(rows, "service").orElseGet(() -> keys.newPrincipal("service", NAME));
    rows.sql(
            """
            insert into member (tenant, principal, role)
            values (null, :owner, 'platform-admin'), (null, :owner, 'operator'),
                   (:root, :owner, 'tenant-admin')
            on conflict do nothing
            """)
        .param("owner", owner)
        .param("root", root)
        .update();
    rows.sql(
            """
            update api_key set revoke_time = clock_timestamp()
             where owner = :owner and name = :name and role is null and revoke_time is null
            """)
        .param("owner", owner)
        .param("name", NAME)
        .update();
    UUID principal = known(rows, "api-key").orElseGet(() -> keys.newPrincipal("api-key", NAME));
    return keys.insert(
        new KeyRows.NewKey(
            text, principal, owner, null, null, List.of(), NAME, keys.now().plus(LIFE)));
  }

  private static Optional<UUID> known(JdbcClient rows, String kind) {
    return rows.sql(
            "select id from principal where kind = :kind and name = :name order by id limit 1")
        .param("kind", kind)
        .param("name", NAME)
        .query(UUID.class)
        .optional();
  }
}
