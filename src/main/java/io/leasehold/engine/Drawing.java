package io.leasehold.engine;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a start and devices for a request that draws on a reservation: on the devices that are
 * set aside and nowhere else, inside the window of one occurrence. It is inside its guarantee,
 * since the occurrence is. Changes nothing.
 */
final class Drawing {

  private final Book book;
  private final long now;

  Drawing(Book book, long now) {
    this.book = book;
    this.now = now;
  }

  /** At the start asked for, or the earliest of those asked for. */
  Attempt attempt(Terms terms) {
    return terms.ask().when() instanceof Ask.When.Within
        ? earliest(terms, terms.latestStart())
        : at(terms, terms.earliestStart(now));
  }

  private Attempt at(Terms terms, long start) {
    Search.Misses misses = new Search.Misses(book);
    long end = terms.endFrom(start);
    Occurrence open = book.reserved().openAt(reservation(terms), start);
    if (end <= start || open == null) {
      misses.add(closed(terms, start));
    } else if (end > open.window().end()) {
      misses.add(tooShort(terms, open, end - start));
    } else {
      Span window = new Span(start, end);
      Booking booking = place(terms, open, window, misses, _ -> true);
      if (booking != null) {
        return new Attempt.Fits(booking, window, true);
      }
    }
    return misses.asShort();
  }

  /** In the first occurrence that has room, up to a latest start. */
  Attempt earliest(Terms terms, long latest) {
    Search.Misses misses = new Search.Misses(book);
    List<Occurrence> series = book.reserved().of(reservation(terms));
    long length = terms.lengthFrom(terms.earliestStart(now));
    for (Occurrence each : series) {
      long first = Math.max(terms.earliestStart(now), each.window().start());
      long last = Math.min(latest, each.window().end() - length);
      if (length == Span.FOREVER || first > last) {
        misses.add(tooShort(terms, each, length));
        continue;
      }
      Attempt.Fits fits = earliestIn(terms, each, first, last, misses);
      if (fits != null) {
        return fits;
      }
    }
    if (series.isEmpty()) {
      misses.add(closed(terms, now));
    }
    return misses.asShort();
  }

  private Attempt.@Nullable Fits earliestIn(
      Terms terms, Occurrence in, long first, long last, Search.Misses misses) {
    Prepared prepared = new Prepared(terms, first, now);
    String model = model(terms, in);
    if (model == null) {
      misses.add(otherModel(in));
      return null;
    }
    Found found = prepared.earliest(inside(in, _ -> true), model, last, new Budget(Search.STEPS));
    if (found instanceof Found.Room room) {
      long start = prepared.startOf(room.booking());
      Span then = new Span(start, terms.endFrom(start));
      Booking booking = room.booking().over(terms.hold(then, now));
      return new Attempt.Fits(
          Soundness.outlivesDrain(book, booking) ? booking : booking.over(cut(booking.hold(), in)),
          then,
          true);
    }
    Span latest = new Span(last, terms.endFrom(last));
    Booking booking = place(terms, in, latest, misses, _ -> true);
    return booking == null ? null : new Attempt.Fits(booking, latest, true);
  }

  /** Other devices of the same occurrence for the rest of a hold; its own count as given back. */
  Found elsewhere(Lease lease, Shape shape, Span hold) {
    Occurrence in = book.reserved().under(lease);
    Terms terms = book.terms(lease);
    String model = in == null ? null : model(terms, in);
    return model == null
        ? new Found.GaveUp()
        : inside(in, held -> !held.lease().equals(lease.id()))
            .place(shape, model, hold, now, new Budget(Search.STEPS));
  }

  /**
   * Devices of the same occurrence for more of a lease, beside those it keeps, over what is left of
   * its hold; where somebody comes right after the occurrence, that ends with it.
   */
  Found beside(Lease lease, Shape more, Booking kept, Span left) {
    Occurrence in = book.reserved().under(lease);
    if (in == null) {
      return new Found.GaveUp();
    }
    Capacity inside = inside(in, _ -> true);
    for (Booking.Slot slot : kept.slots()) {
      if (inside.node(slot.node()) == null) {
        inside.set(onlyReserved(Objects.requireNonNull(book.node(slot.node())), in));
      }
    }
    Found found = inside.beside(more, kept, left, now, new Budget(Search.STEPS));
    long end = in.window().end();
    return found instanceof Found.Room || end >= left.end() || end <= left.start()
        ? found
        : inside.beside(more, kept, new Span(left.start(), end), now, new Budget(Search.STEPS));
  }

  /**
   * Devices of an occurrence over a window. The withdrawal after it may reach beyond the occurrence
   * where nobody comes at once and no drain does; else it ends with the occurrence, and who comes
   * then waits until the devices are withdrawn.
   *
   * @param counts what is in the way
   */
  @Nullable Booking place(
      Terms terms, Occurrence in, Span window, Search.Misses misses, Predicate<Held> counts) {
    String model = model(terms, in);
    if (model == null) {
      misses.add(otherModel(in));
      return null;
    }
    Shape shape = terms.ask().shape();
    Capacity inside = inside(in, counts);
    Span hold = terms.hold(window, now);
    Found found = inside.place(shape, model, hold, now, new Budget(Search.STEPS));
    if (!(found instanceof Found.Room room && Soundness.outlivesDrain(book, room.booking()))) {
      found = inside.place(shape, model, cut(hold, in), now, new Budget(Search.STEPS));
    }
    return switch (found) {
      case Found.Room room -> room.booking();
      case Found.None none -> {
        misses.none(none, model, shape);
        yield null;
      }
      case Found.GaveUp _ -> {
        misses.add(Reasons.plain("budget", "the search was cut short"));
        yield null;
      }
    };
  }

  /** No longer than the occurrence. */
  private static Span cut(Span hold, Occurrence in) {
    long start = Math.max(hold.start(), in.window().start());
    return new Span(start, Math.min(hold.end(), in.window().end()));
  }

  /** The model that is set aside, if the request takes it. */
  private @Nullable String model(Terms terms, Occurrence in) {
    String model = Objects.requireNonNull(in.booking()).model();
    Shape shape = terms.ask().shape();
    return shape.slice() instanceof Shape.Slice.Whole
            && new Search(book, now).models(shape).contains(model)
        ? model
        : null;
  }

  /**
   * A fleet of just the devices of an occurrence, with all that is held of them by others.
   *
   * @param counts which of it
   */
  private Capacity inside(Occurrence occurrence, Predicate<Held> counts) {
    Booking booking = Objects.requireNonNull(occurrence.booking());
    Capacity inside = new Capacity(new Undo());
    inside.set(Objects.requireNonNull(book.model(booking.model())));
    inside.setPaused(booking.cluster(), Boolean.TRUE.equals(book.clusterPaused(booking.cluster())));
    Set<UUID> seen = new HashSet<>();
    for (Booking.Slot slot : booking.slots()) {
      if (seen.add(slot.node())) {
        inside.set(onlyReserved(Objects.requireNonNull(book.node(slot.node())), occurrence));
        book.capacity()
            .eachHeld(
                slot.node(),
                held -> {
                  if (!held.lease().equals(occurrence.id()) && counts.test(held)) {
                    inside.take(held.lease(), alone(booking, held));
                  }
                });
        book.capacity()
            .eachPossessed(
                slot.node(),
                held -> {
                  if (counts.test(held)) {
                    inside.possess(held.lease(), alone(booking, held));
                  }
                });
      }
    }
    return inside;
  }

  private static Booking alone(Booking of, Held held) {
    Span span = new Span(held.start(), held.end());
    return new Booking(of.cluster(), of.model(), span, List.of(held.slot()));
  }

  /**
   * All else on the node is as if broken; a drain that comes later than the end does not matter.
   */
  private static Node onlyReserved(Node node, Occurrence occurrence) {
    long own = 0;
    for (Booking.Slot slot : Objects.requireNonNull(occurrence.booking()).slots()) {
      own |= slot.node().equals(node.id()) ? slot.units().gpus() : 0;
    }
    List<Node.Gpu> gpus = new ArrayList<>();
    for (int k = 0; k < node.gpus().size(); k++) {
      Node.Gpu gpu = node.gpus().get(k);
      gpus.add((own >>> k & 1) == 1 ? gpu : new Node.Gpu(gpu.uuid(), Health.RETIRED));
    }
    Long deadline = node.drainDeadline();
    boolean staysLongEnough = deadline != null && deadline >= occurrence.window().end();
    return new Node(
        node.id(),
        node.ordinal(),
        node.cluster(),
        node.name(),
        node.model(),
        node.domain(),
        node.cpuMilli(),
        node.memoryMiB(),
        gpus,
        staysLongEnough ? null : deadline,
        node.retired());
  }

  /** Why the request can never be drawn; null if it might. */
  @Nullable List<Answer.Reason> never(Terms terms) {
    List<Occurrence> series = book.reserved().of(reservation(terms));
    if (series.isEmpty()) {
      return List.of(Reasons.plain("reservation-over", "the reservation has no time left"));
    }
    long length = terms.lengthFrom(terms.earliestStart(now));
    List<Answer.Reason> reasons = new ArrayList<>();
    for (Occurrence each : series) {
      Answer.Reason reason = never(terms, each, length);
      if (reason == null) {
        return null;
      }
      if (!reasons.contains(reason) && reasons.size() < SetAside.MOST_TOLD) {
        reasons.add(reason);
      }
    }
    return reasons;
  }

  private Answer.@Nullable Reason never(Terms terms, Occurrence in, long length) {
    String model = model(terms, in);
    if (model == null) {
      return otherModel(in);
    }
    if (length > in.window().end() - in.window().start()) {
      return tooShort(terms, in, length);
    }
    Found found =
        inside(in, _ -> false).placeOnEmpty(terms.ask().shape(), model, new Budget(Search.STEPS));
    return found instanceof Found.None none
        ? Reasons.noRoom(none, model, terms.ask().shape())
        : null;
  }

  private static UUID reservation(Terms terms) {
    return Objects.requireNonNull(terms.ask().reservation());
  }

  private Answer.Reason closed(Terms terms, long start) {
    for (Occurrence each : book.reserved().of(reservation(terms))) {
      if (each.window().start() > start) {
        String detail = "nothing is set aside then; the next time is " + text(each.window());
        return about(terms, "reservation-closed", detail);
      }
    }
    return about(terms, "reservation-over", "nothing is set aside then, and no later time is");
  }

  private static Answer.Reason tooShort(Terms terms, Occurrence in, long length) {
    return new Answer.Reason(
        "reservation-ends",
        "it is longer than what is left of " + text(in.window()),
        "reservation",
        in.reservation().toString(),
        length == Span.FOREVER ? null : Long.valueOf(length / Time.SECOND),
        null,
        (in.window().end() - Math.max(in.window().start(), terms.earliestStart(0))) / Time.SECOND,
        "second");
  }

  private static Answer.Reason otherModel(Occurrence in) {
    return new Answer.Reason(
        "reservation-model",
        "whole GPUs of " + Objects.requireNonNull(in.booking()).model() + " are set aside",
        "reservation",
        in.reservation().toString(),
        null,
        null,
        null,
        "gpu");
  }

  private static Answer.Reason about(Terms terms, String code, String detail) {
    return new Answer.Reason(
        code, detail, "reservation", reservation(terms).toString(), null, null, null, "lease");
  }

  private static String text(Span window) {
    return at(window.start()) + " to " + at(window.end());
  }

  private static java.time.Instant at(long micros) {
    return java.time.Instant.ofEpochSecond(micros / Time.SECOND);
  }
}
