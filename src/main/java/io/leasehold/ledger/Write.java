package io.leasehold.ledger;

import io.leasehold.engine.Booking;
import io.leasehold.engine.Lease;
import io.leasehold.engine.LeaseState;
import io.leasehold.engine.Move;
import io.leasehold.engine.Occurrence;
import io.leasehold.engine.ServiceClass;
import io.leasehold.engine.Span;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The fourth step as one round trip: everything a batch changes, deletes before inserts (an
 * exclusion constraint is checked row by row), ending in the commit. The tables get what the batch
 * comes to; the log, the audit and the orders get every move.
 */
final class Write {

  private final Draft draft;
  private final PoolState pool;
  private final long revision;
  private final long stamp;
  private final Texts texts = new Texts();

  private final Columns endedPromises =
      new Columns("t", "delete from allocation where lease in (select l::uuid from %s as u(l))");
  private final Columns endedPossessions =
      new Columns("t", "delete from occupancy where lease in (select l::uuid from %s as u(l))");
  private final LeaseWrites leases;
  private final Columns promises =
      new Columns(
          "tntnnt",
          """
          insert into allocation (pool, lease, slot, node, during, units)
          select ?, lease::uuid, slot, node::uuid,
            tstzrange(instant(starts), nullif(instant(ends), 'infinity')), units::int4multirange
            from %s as u(lease, slot, node, starts, ends, units)\
          """);
  private final Columns possessions =
      new Columns(
          "tntnt",
          """
          insert into occupancy (pool, fence_epoch, lease, slot, node, fence_generation, units)
          select ?, ?, lease::uuid, slot, node::uuid, generation, units::int4multirange
            from %s as u(lease, slot, node, generation, units)\
          """);
  private final Columns history =
      new Columns(
          "tntntt",
          """
          insert into allocation_history (pool, ended_at, lease, slot, node, during, units, cause)
          select ?, instant(?), lease::uuid, slot, node::uuid,
            tstzrange(instant(starts), instant(?)), units::int4multirange, cause
            from %s as u(lease, slot, node, starts, units, cause)\
          """);
  private final Columns occurrences =
      new Columns(
          "tttnnntnt",
          """
          insert into occurrence (pool, create_time, update_time, id, reservation, tenant,
            original_start, start_time, end_time, state, revision, body)
          select ?, instant(?), instant(?), id::uuid, reservation::uuid, tenant, instant(original),
            instant(starts), instant(ends), state, revision, body::json
            from %s as u(id, reservation, tenant, original, starts, ends, state, revision, body)
          on conflict (id) do update
             set start_time = excluded.start_time, end_time = excluded.end_time,
                 state = excluded.state, revision = excluded.revision, body = excluded.body,
                 update_time = excluded.update_time\
          """);
  private final Columns facts =
      new Columns(
          "ttt",
          """
          insert into fact (pool, revision, kind, key, body)
          select ?, ?, kind, key, body::json from %s as u(kind, key, body)
          on conflict (pool, kind, key) do update
             set body = excluded.body, revision = excluded.revision\
          """);
  private final Columns log =
      new Columns(
          "nt",
          """
          insert into move (pool, revision, at, ord, payload)
          select ?, ?, instant(?), ord, payload::json from %s as u(ord, payload)\
          """);
  private final Columns audit =
      new Columns(
          "nttttntttt",
          """
          insert into audit_fact (pool, revision, at, ord, actor, subject, tenant, lease,
            lease_revision, from_state, to_state, cause, trace_id)
          select ?, ?, instant(?), ord, actor::uuid, subject, tenant, lease::uuid, lease_revision,
            from_state, to_state, cause, trace_id
            from %s as u(ord, actor, subject, tenant, lease, lease_revision, from_state, to_state,
              cause, trace_id)\
          """);
  private final Columns orders =
      new Columns(
          "tnttt",
          """
          insert into cluster_order (pool, epoch, create_time, lease, generation, kind, cluster,
            wanted)
          select ?, ?, instant(?), lease::uuid, generation, kind, cluster, wanted::json
            from %s as u(lease, generation, kind, cluster, wanted)\
          """);

  Write(Draft draft, PoolState pool, long stamp) {
    this.draft = draft;
    this.pool = pool;
    this.revision = pool.revision() + 1;
    this.stamp = stamp;
    this.leases = new LeaseWrites(draft, texts);
  }

  long revision() {
    return revision;
  }

  long stamp() {
    return stamp;
  }

  /** Everything but what the keys need, which comes in between, and the commit. */
  Script script() {
    Map<String, Move> lastFacts = new LinkedHashMap<>();
    Map<UUID, Occurrence> lastOccurrences = new LinkedHashMap<>();
    long ord = 0;
    for (Draft.Authored authored : draft.moves()) {
      log.row(ord, payload(authored.move()));
      audit(ord, authored);
      if (authored.move() instanceof Move.LeaseMoved moved) {
        order(moved);
      } else if (authored.move() instanceof Move.OccurrenceMoved moved) {
        lastOccurrences.put(moved.after().id(), moved.after());
      } else {
        lastFacts.put(Fact.of(authored.move()).subject(), authored.move());
      }
      ord++;
    }
    lastFacts.values().forEach(this::fact);
    lastOccurrences.values().forEach(this::occurrence);
    draft.book().touchedOccurrences().forEach(this::undrawn);
    draft.leases().values().forEach(this::lease);

    String slug = draft.pool();
    long now = draft.now();
    Script script = new Script();
    endedPromises.addTo(script);
    endedPossessions.addTo(script);
    leases.addTo(script, revision);
    promises.addTo(script, slug);
    possessions.addTo(script, slug, pool.epoch());
    history.addTo(script, slug, now, now);
    occurrences.addTo(script, slug, now, now);
    facts.addTo(script, slug, revision);
    script.add(
        """
        insert into batch (pool, revision, stamp, epoch, at, commands)
        values (?, ?, ?, ?, instant(?), ?::json)\
        """,
        slug,
        revision,
        stamp,
        pool.epoch(),
        now,
        CommandLog.write(draft));
    log.addTo(script, slug, revision, now);
    audit.addTo(script, slug, revision, now);
    orders.addTo(script, slug, pool.epoch(), now);
    script.add(
        "update pool set revision = ?, stamp = ?, decided_at = instant(?) where slug = ?",
        revision,
        stamp,
        now,
        slug);
    return script;
  }

  private String payload(Move move) {
    return move instanceof Move.LeaseMoved moved
        ? Payload.of(
            moved,
            texts.status(moved.after()),
            Payload.isNewAsk(moved) ? texts.ask(moved.after().ask()) : null)
        : Payload.of(move);
  }

  private void fact(Move move) {
    Fact fact = Fact.of(move);
    facts.row(fact.kind(), fact.key(), Json.write(move));
  }

  private void audit(long ord, Draft.Authored authored) {
    Submission author = authored.author();
    Actor actor = author == null ? Actor.CLOCK : author.actor();
    String trace = author == null ? "" : author.traceId();
    if (authored.move() instanceof Move.LeaseMoved moved) {
      Lease before = moved.before();
      Lease after = moved.after();
      audit.row(
          ord,
          actor.principal(),
          "lease:" + after.id(),
          after.ask().tenant(),
          after.id(),
          after.revision(),
          before == null ? null : before.state(),
          after.state(),
          moved.cause(),
          trace);
    } else {
      Fact fact = Fact.of(authored.move());
      String subject =
          author == null || author.subject() == null ? fact.subject() : author.subject();
      audit.row(
          ord,
          actor.principal(),
          subject,
          Fact.tenant(authored.move()),
          null,
          null,
          null,
          authored.move() instanceof Move.OccurrenceMoved moved ? moved.after().state() : null,
          cause(authored, fact),
          trace);
    }
  }

  private static String cause(Draft.Authored authored, Fact fact) {
    return authored.move() instanceof Move.OccurrenceMoved moved
        ? moved.cause()
        : Subjects.cause(authored.author() == null ? null : authored.author().command(), fact);
  }

  private void occurrence(Occurrence occurrence) {
    occurrences.row(
        occurrence.id(),
        occurrence.reservation(),
        occurrence.tenant(),
        occurrence.originalStart(),
        occurrence.window().start(),
        occurrence.window().end(),
        occurrence.state(),
        occurrence.revision(),
        Json.write(occurrence));
  }

  /** What no lease has of an occurrence, in place of what it was. */
  private void undrawn(UUID occurrence) {
    endedPromises.row(occurrence);
    int slot = 0;
    for (Booking piece : draft.book().undrawn(occurrence)) {
      for (Booking.Slot each : piece.slots()) {
        Span during = piece.hold();
        promises.row(occurrence, slot++, each.node(), during.start(), during.end(), each.units());
      }
    }
  }

  private void order(Move.LeaseMoved moved) {
    Lease before = moved.before();
    Lease after = moved.after();
    if (!after.state().hasPossession() || after.booking() == null) {
      return;
    }
    boolean first = before == null || !before.state().hasPossession();
    boolean ends = after.state() == LeaseState.ENDING && before.state() != LeaseState.ENDING;
    if (!first && !ends && before.generation() == after.generation()) {
      return;
    }
    String kind = after.state() == LeaseState.ENDING ? "WITHDRAW" : "PUBLISH";
    ServiceClass serviceClass = draft.book().serviceClass(after.ask().serviceClass());
    long grace = serviceClass == null ? 0 : serviceClass.grace() / 1_000_000;
    orders.row(
        after.id(),
        after.generation(),
        kind,
        after.booking().cluster(),
        new Wanted(after.booking(), grace).json());
  }

  private void lease(Draft.Net net) {
    leases.row(net);
    promise(net);
    possession(net);
  }

  private void promise(Draft.Net net) {
    Booking before =
        net.before != null && net.before.state().hasPromise() ? net.before.booking() : null;
    Booking after = net.after.state().hasPromise() ? net.after.booking() : null;
    if (before != null && !before.equals(after)) {
      endedPromises.row(net.after.id());
      history(net.after, before, after);
    }
    if (after != null && !after.equals(before)) {
      for (int slot = 0; slot < after.slots().size(); slot++) {
        Booking.Slot each = after.slots().get(slot);
        long ends = after.hold().end();
        promises.row(net.after.id(), slot, each.node(), starts(after, each), ends, each.units());
      }
    }
  }

  private static long starts(Booking booking, Booking.Slot slot) {
    return Math.max(booking.hold().start(), slot.since());
  }

  /** Of what is promised no more; what ended before it began was never had. */
  private void history(Lease lease, Booking booking, @Nullable Booking left) {
    String cause = lease.endCause() == null ? lease.state().name() : lease.endCause();
    for (int slot = 0; slot < booking.slots().size(); slot++) {
      Booking.Slot each = booking.slots().get(slot);
      long starts = starts(booking, each);
      if (starts < draft.now() && (left == null || !left.slots().contains(each))) {
        history.row(lease.id(), slot, each.node(), starts, each.units(), cause);
      }
    }
  }

  private void possession(Draft.Net net) {
    List<Booking.Slot> before = net.before == null ? List.of() : possessed(net.before);
    List<Booking.Slot> after = possessed(net.after);
    if (before.equals(after)) {
      return;
    }
    if (!before.isEmpty()) {
      endedPossessions.row(net.after.id());
    }
    for (int slot = 0; slot < after.size(); slot++) {
      Booking.Slot each = after.get(slot);
      possessions.row(net.after.id(), slot, each.node(), net.after.generation(), each.units());
    }
  }

  /** What the cluster has in its hands, that which is on its way out included. */
  private static List<Booking.Slot> possessed(Lease lease) {
    Booking booking = lease.state().hasPossession() ? lease.booking() : null;
    Booking leaving = lease.leaving();
    if (leaving == null) {
      return booking == null ? List.of() : booking.slots();
    }
    List<Booking.Slot> both = new ArrayList<>(booking == null ? List.of() : booking.slots());
    both.addAll(leaving.slots());
    return both;
  }
}
