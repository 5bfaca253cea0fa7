package io.leasehold.engine;

import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one pool: fleet, tenants, contracts, leases. Changed by moves only. Not safe for
 * several threads: it belongs to one decider.
 *
 * <p>A book that was rebuilt from the facts and leases of a snapshot, and one that followed every
 * move, decide alike (engine rule 21).
 */
public final class Book {

  public Book() {}

  /** Applies moves that were decided at an instant: a log followed, or a snapshot loaded. */
  public void apply(long at, List<Move> moves) {
    throw new UnsupportedOperationException();
  }

  /** The instant of the last decision, microseconds. */
  public long now() {
    throw new UnsupportedOperationException();
  }

  /** A point to go back to. */
  public int mark() {
    throw new UnsupportedOperationException();
  }

  /** Takes back everything since the mark. */
  public void undo(int mark) {
    throw new UnsupportedOperationException();
  }

  /** What was done is committed: nothing before can be taken back any more. */
  public void settle() {
    throw new UnsupportedOperationException();
  }

  /** Live leases only: final ones leave the book. */
  public @Nullable Lease lease(UUID id) {
    throw new UnsupportedOperationException();
  }

  public Collection<Lease> leases() {
    throw new UnsupportedOperationException();
  }

  public @Nullable Node node(UUID id) {
    throw new UnsupportedOperationException();
  }

  /** By ordinal. */
  public Collection<Node> nodes() {
    throw new UnsupportedOperationException();
  }

  public @Nullable Tenant tenant(String slug) {
    throw new UnsupportedOperationException();
  }

  public @Nullable ServiceClass serviceClass(String slug) {
    throw new UnsupportedOperationException();
  }

  public @Nullable GpuModel model(String slug) {
    throw new UnsupportedOperationException();
  }

  public Collection<Contract> contracts() {
    throw new UnsupportedOperationException();
  }

  /** The next instant at which something is due by itself; {@link Span#FOREVER} if nothing is. */
  public long nextDue() {
    throw new UnsupportedOperationException();
  }
}
