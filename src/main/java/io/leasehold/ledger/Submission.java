package io.leasehold.ledger;

import io.leasehold.engine.Command;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A command on its way into a batch.
 *
 * @param subject what the audit fact names beside leases: {@code node}, {@code contract}, ... and
 *     its id; null for lease commands
 * @param texts by lease id, for new leases and for {@code Annotate}
 * @param ifRevision the lease's revision the caller saw ({@code If-Match})
 * @param ifBook the pool's revision the caller saw ({@code ifBook})
 * @param urgent real-time: first in the batch, and the batch stays small
 */
public record Submission(
    Command command,
    Actor actor,
    String traceId,
    @Nullable String subject,
    Map<UUID, LeaseText> texts,
    @Nullable Long ifRevision,
    @Nullable Long ifBook,
    boolean urgent,
    @Nullable Rider rider) {

  /** A command that carries nothing else. */
  public static Submission of(Command command, Actor actor, String traceId) {
    return new Submission(command, actor, traceId, null, Map.of(), null, null, false, null);
  }
}
