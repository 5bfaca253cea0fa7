package io.leasehold.ledger;

import io.leasehold.engine.Booking;
import io.leasehold.engine.Lease;
import io.leasehold.engine.Span;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the leases that a batch creates and moves. A row is written whole when it comes into
 * being; afterwards only what a move can have changed.
 */
final class LeaseWrites {

  private final Draft draft;
  private final Texts texts;

  private final Columns created =
      new Columns(
          "ttttttnnnntttttttttt",
          """
          insert into lease (pool, id, tenant, service_class, state, cluster, model, gpu_milli,
            start_time, end_time, revision, degraded, owner, labels, created_by, created_by_kind,
            created_by_name, ask, status, text, answer, create_time, update_time, book_revision)
          select ?, id::uuid, tenant, class, state, cluster, model, milli, instant(starts),
            instant(ends), revision, degraded::boolean, owner, labels::jsonb, creator::uuid, kind,
            name, ask::json, status::json, text::json, answer::json, instant(?), instant(?), ?
            from %s as u(id, tenant, class, state, cluster, model, milli, starts, ends, revision,
              degraded, owner, labels, creator, kind, name, ask, status, text, answer)\
          """);
  private final Columns moved =
      new Columns(
          "ttttnnnntttttttt",
          """
          update lease l
             set tenant = coalesce(u.tenant, l.tenant), ask = coalesce(u.ask::json, l.ask),
                 state = u.state, cluster = coalesce(u.cluster, l.cluster),
                 model = coalesce(u.model, l.model), gpu_milli = u.milli,
                 start_time = instant(u.starts), end_time = instant(u.ends), revision = u.revision,
                 degraded = u.degraded::boolean, status = u.status::json,
                 answer = coalesce(u.answer::json, l.answer),
                 book_revision = case when u.answer is null then l.book_revision else ? end,
                 text = coalesce(u.text::json, l.text),
                 owner = case when u.text is null then l.owner else u.owner end,
                 labels = coalesce(u.labels::jsonb, l.labels), update_time = instant(?)
            from %s as u(id, state, cluster, model, milli, starts, ends, revision, degraded, status,
              answer, text, owner, labels, tenant, ask)
           where l.id = u.id::uuid\
          """);

  /** What most moves come to; the others' statement would write every column to say the same. */
  private final Columns stepped =
      new Columns(
          "ttntt",
          """
          update lease l
             set state = u.state, revision = u.revision, degraded = u.degraded::boolean,
                 status = u.status::json, update_time = instant(?)
            from %s as u(id, state, revision, degraded, status)
           where l.id = u.id::uuid\
          """);

  LeaseWrites(Draft draft, Texts texts) {
    this.draft = draft;
    this.texts = texts;
  }

  void row(Draft.Net net) {
    if (net.before == null) {
      create(net);
    } else if (isStep(net.before, net)) {
      step(net.after);
    } else {
      move(net.before, net);
    }
  }

  void addTo(Script script, long revision) {
    long now = draft.now();
    created.addTo(script, draft.pool(), now, now, revision);
    moved.addTo(script, revision, now);
    stepped.addTo(script, now);
  }

  /** The same devices over the same window, with nothing new to say: another state. */
  private boolean isStep(Lease before, Draft.Net net) {
    return net.answer == null
        && Objects.equals(before.window(), net.after.window())
        && Objects.equals(before.booking(), net.after.booking())
        && before.ask().sameAs(net.after.ask())
        && draft.text(net.after.id()) == null;
  }

  private void step(Lease after) {
    stepped.row(after.id(), after.state(), after.revision(), after.degraded(), texts.status(after));
  }

  private void create(Draft.Net net) {
    Lease after = net.after;
    LeaseText text = LeaseRow.text(net);
    Actor creator = net.creator == null ? Actor.SYSTEM : net.creator.actor();
    created.row(
        after.id(),
        after.ask().tenant(),
        after.ask().serviceClass(),
        after.state(),
        cluster(after),
        model(after),
        LeaseRow.gpuMilli(after, draft.book()),
        starts(after),
        ends(after),
        after.revision(),
        after.degraded(),
        text.owner(),
        Json.write(text.labels()),
        creator.principal(),
        creator.kind(),
        creator.name(),
        texts.ask(after.ask()),
        texts.status(after),
        Json.write(text),
        Json.write(LeaseRow.answer(net, draft.now())));
  }

  private void move(Lease before, Draft.Net net) {
    Lease after = net.after;
    boolean asksAnew = !before.ask().sameAs(after.ask());
    LeaseText text = draft.text(after.id());
    moved.row(
        after.id(),
        after.state(),
        cluster(after),
        model(after),
        LeaseRow.gpuMilli(after, draft.book()),
        starts(after),
        ends(after),
        after.revision(),
        after.degraded(),
        texts.status(after),
        net.answer == null ? null : Json.write(net.answer),
        text == null ? null : Json.write(text),
        text == null ? null : text.owner(),
        text == null ? null : Json.write(text.labels()),
        asksAnew ? after.ask().tenant() : null,
        asksAnew ? texts.ask(after.ask()) : null);
  }

  private static @Nullable String cluster(Lease lease) {
    Booking booking = lease.booking();
    return booking == null ? null : booking.cluster();
  }

  private static @Nullable String model(Lease lease) {
    Booking booking = lease.booking();
    return booking == null ? null : booking.model();
  }

  private static @Nullable Long starts(Lease lease) {
    Span window = lease.window();
    return window == null ? null : window.start();
  }

  private static @Nullable Long ends(Lease lease) {
    Span window = lease.window();
    return window == null ? null : window.end();
  }
}
