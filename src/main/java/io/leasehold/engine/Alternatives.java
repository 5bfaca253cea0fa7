package io.leasehold.engine;

import io.leasehold.engine.Answer.Alternative;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What would work instead, at this moment: another start, fewer, another model, another shape,
 * shorter; of each kind the smallest change. Each is tried before it is offered, and its ask can be
 * sent as it is. Searched once, for the first few of a batch; for others on demand, when the lease
 * is explained.
 */
final class Alternatives {

  private static final long STEPS = 4_000;
  private static final int OTHER_MODELS = 8;
  private static final int LOOSER = 12;
  private static final int PER_BATCH = 4;

  /** What is offered to who asked for no end is at most so long, and at least a part of it. */
  private static final long LONG_FOR_NO_END = 32 * Time.DAY;

  private final Book book;
  private final Search search;
  private final long now;
  private int most = PER_BATCH;
  private int searched;
  private List<Lease> lifted = List.of();

  Alternatives(Book book, Search search, long now) {
    this.book = book;
    this.search = search;
    this.now = now;
  }

  /**
   * A new line is served: the same requests in it get theirs again.
   *
   * @param earmarked whose earmarks are lifted until their turn comes
   */
  void begin(List<Lease> earmarked) {
    searched = 0;
    lifted = earmarked;
  }

  void none() {
    most = 0;
  }

  /** Instead of waiting or a refusal. */
  List<Alternative> to(Candidate candidate, Attempt.Short missing) {
    List<Alternative> found = new ArrayList<>();
    if (!missing.after() && searched++ < most) {
      int mark = keepEarmarks();
      Ask ask = candidate.ask();
      add(found, later(candidate));
      add(found, fewer(ask, most(ask.shape(), missing), candidate));
      add(found, otherModel(ask, candidate));
      add(found, otherTopology(ask, missing, candidate));
      add(found, shorter(candidate));
      letGo(mark);
    }
    return found;
  }

  /** Instead of what can never be: no other time would help. */
  List<Alternative> toNever(Candidate candidate, Attempt.Short missing) {
    List<Alternative> found = new ArrayList<>();
    if (searched++ < most) {
      int mark = keepEarmarks();
      Ask ask = candidate.ask();
      add(found, fewer(ask, most(ask.shape(), missing), candidate));
      add(found, otherModel(ask, candidate));
      add(found, otherTopology(ask, missing, candidate));
      letGo(mark);
    }
    return found;
  }

  /**
   * Instead of a start that is planned: where it comes later than the first that was asked for,
   * what would start then; else the same from now, if it could.
   */
  List<Alternative> to(Candidate candidate, Attempt.Fits planned) {
    List<Alternative> found = new ArrayList<>();
    if (searched++ < most) {
      int mark = keepEarmarks();
      Ask ask = candidate.ask();
      long first = candidate.terms().earliestStart(now);
      long length = candidate.terms().lengthFrom(first);
      if (planned.window().start() > first) {
        Ask then = ask.with(from(first, length));
        add(found, fewer(then, most(then, candidate), candidate));
        add(found, otherModel(then, candidate));
        add(found, shorter(then, length, each -> from(first, each), candidate));
      } else {
        add(found, tried("earlier-start", ask.with(new Ask.When.Now(length)), candidate));
      }
      letGo(mark);
    }
    return found;
  }

  /** What is offered may stand behind those whose turn is still to come: their places are kept. */
  private int keepEarmarks() {
    int mark = -1;
    for (Lease lease : lifted) {
      Lease present = book.lease(lease.id());
      if (present != null && present.revision() == lease.revision() && present.earmark() == null) {
        mark = mark < 0 ? book.mark() : mark;
        book.capacity().take(lease.id(), lease.earmark().booking());
      }
    }
    return mark;
  }

  private void letGo(int mark) {
    if (mark >= 0) {
      book.undo(mark);
    }
  }

  private static Ask.When from(long start, long length) {
    return new Ask.When.At(new Span(start, Time.plus(start, length)));
  }

  private static void add(List<Alternative> found, @Nullable Alternative alternative) {
    if (alternative != null) {
      found.add(alternative);
    }
  }

  /** The first start at which all of it fits for as long as it would have lasted. */
  private @Nullable Alternative later(Candidate candidate) {
    Ask ask = candidate.ask();
    long horizon = candidate.terms().serviceClass().horizon();
    long latest = Time.plus(now, horizon);
    long first = candidate.terms().earliestStart(now);
    long length = candidate.terms().lengthFrom(first);
    if (length <= 0) {
      return null;
    }
    Ask whenever =
        ask.when() instanceof Ask.When.Now
            ? ask
            : ask.with(new Ask.When.Within(new Span(first, Time.plus(latest, length)), length));
    if (!(search.earliest(terms(whenever, candidate), latest, STEPS)
        instanceof Attempt.Fits fits)) {
      return null;
    }
    long start = fits.window().start();
    return start > latest
        ? null
        : new Alternative("later-start", start, ask.with(from(start, length)));
  }

  /** Of groups as many as fit, each as large as asked for; else of GPUs. */
  private @Nullable Alternative fewer(Ask ask, long most, Candidate candidate) {
    Shape shape = ask.shape();
    Alternative best = null;
    long fits = 0;
    long fails = Math.min(most + 1, shape.size());
    for (long size = fails - 1; size > fits; size = (fits + fails) / 2) {
      Alternative found = tried("fewer-gpus", ask.with(shape.resized((int) size)), candidate);
      if (found != null) {
        fits = size;
        best = found;
      } else {
        fails = size;
      }
    }
    return best;
  }

  /** Where a limit is in the way nobody has looked how much room there is. */
  private static long most(Shape shape, Attempt.Short missing) {
    return missing.reasons().stream().anyMatch(Reasons::isOfLimits)
        ? shape.size() - 1L
        : mostItems(shape, missing.most());
  }

  /** As far as a search that fails knows. */
  private long most(Ask ask, Candidate candidate) {
    return search.attempt(terms(ask, candidate), 0, Search.Numbers.EXACT)
            instanceof Attempt.Short missing
        ? mostItems(ask.shape(), missing.most())
        : ask.shape().size();
  }

  private static long mostItems(Shape shape, long most) {
    return shape.groups() > 0 ? most / Math.max(1, shape.count()) : most;
  }

  private @Nullable Alternative otherModel(Ask ask, Candidate candidate) {
    Shape shape = ask.shape();
    return Variants.otherModels(book, shape).stream()
        .limit(OTHER_MODELS)
        .map(model -> tried("other-model", ask.with(shape.ofModel(model)), candidate))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /** Where there is enough, but not in the shape asked for. */
  private @Nullable Alternative otherTopology(Ask ask, Attempt.Short missing, Candidate candidate) {
    if (missing.reasons().stream().noneMatch(each -> each.code().equals(Reasons.SHAPE))) {
      return null;
    }
    return Variants.looser(ask.shape()).stream()
        .limit(LOOSER)
        .map(shape -> tried("other-topology", ask.with(shape), candidate))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private @Nullable Alternative shorter(Candidate candidate) {
    Ask ask = candidate.ask();
    long first = candidate.terms().earliestStart(now);
    long length = candidate.terms().lengthFrom(first);
    if (length == Span.FOREVER) {
      length = Math.min(candidate.terms().serviceClass().longestDuration(), LONG_FOR_NO_END);
    }
    return switch (ask.when()) {
      case Ask.When.Now _ -> shorter(ask, length, Ask.When.Now::new, candidate);
      case Ask.When.NowUntil _ -> null;
      case Ask.When.At _ -> shorter(ask, length, each -> from(first, each), candidate);
      case Ask.When.Within within ->
          shorter(ask, length, each -> new Ask.When.Within(within.span(), each), candidate);
    };
  }

  /** The longest that fits from the same start, to a sixty-fourth of what was asked for. */
  private @Nullable Alternative shorter(
      Ask ask, long length, LongFunction<Ask.When> lasting, Candidate candidate) {
    Alternative best = null;
    long fits = 0;
    long fails = 64;
    for (long parts = 1; fails - fits > 1; parts = (fits + fails) / 2) {
      Ask shorter = ask.with(lasting.apply(part(length, parts)));
      Alternative found = tried("shorter", shorter, candidate);
      if (found != null) {
        fits = parts;
        best = found;
      } else if (parts == 1) {
        return null;
      } else {
        fails = parts;
      }
    }
    return best;
  }

  /** At least a minute, in whole seconds. */
  private static long part(long length, long parts) {
    long part = Math.max(Time.MINUTE, length / 64 * parts);
    return Math.min(length, part / Time.SECOND * Time.SECOND);
  }

  private @Nullable Alternative tried(String kind, Ask ask, Candidate candidate) {
    return search.attempt(terms(ask, candidate), 0, Search.Numbers.ANY) instanceof Attempt.Fits fits
        ? new Alternative(kind, fits.window().start(), ask)
        : null;
  }

  private static Terms terms(Ask ask, Candidate candidate) {
    return new Terms(ask, candidate.terms().serviceClass(), candidate.terms().createdAt());
  }
}
