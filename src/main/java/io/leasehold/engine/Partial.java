package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * A gang that may start smaller. It starts with the most that fits, but of what other requests wait
 * for as well it takes no more than its tenant's part by weight, and never less than it needs.
 */
final class Partial {

  /** More parties than that make no difference worth a look. */
  private static final int MOST_PARTIES = 32;

  private final Book book;
  private final Search search;
  private final long now;

  Partial(Book book, Search search, long now) {
    this.book = book;
    this.search = search;
    this.now = now;
  }

  /** The most that it may have; where not even the least fits, what is missing for that. */
  Attempt attempt(Terms terms, Attempt.Short missing, long steps, Search.Numbers numbers) {
    Attempt least = search.whole(terms.least(), steps, numbers);
    if (!(least instanceof Attempt.Fits fits)) {
      return least instanceof Attempt.Short ? least : missing;
    }
    Terms then = startingAt(terms, fits);
    int min = terms.least().ask().shape().size();
    int most = most(then, min, terms.ask().shape().size());
    int part = Math.max(min, part(terms.ask(), fits.booking().model(), most));
    int size = part < most ? most(then, min, part + 1) : most;
    return size == min
        ? fits
        : search.whole(then.with(terms.ask().shape().scaled(size)), steps, numbers);
  }

  /** The start is that of the least; what more it gets must fit then. */
  private Terms startingAt(Terms terms, Attempt.Fits fits) {
    if (!(terms.ask().when() instanceof Ask.When.Within)) {
      return terms;
    }
    Ask.When at = new Ask.When.At(fits.window());
    return new Terms(terms.ask().with(at), terms.serviceClass(), terms.createdAt());
  }

  /** The largest size that fits, below one that does not or shall not. */
  private int most(Terms terms, int least, int tooMany) {
    int fits = least;
    int fails = tooMany;
    while (fails - fits > 1) {
      int middle = (fits + fails) >>> 1;
      Terms smaller = terms.with(terms.ask().shape().scaled(middle));
      if (search.whole(smaller, Search.STEPS, Search.Numbers.ANY) instanceof Attempt.Fits) {
        fits = middle;
      } else {
        fails = middle;
      }
    }
    return fits;
  }

  /** Of so many the part of its tenant, among all that want GPUs of the model. */
  private int part(Ask ask, String model, int most) {
    TreeSet<String> others = new TreeSet<>();
    for (Lease waiting : book.register().waiting()) {
      consider(waiting.ask(), ask, model, others);
    }
    search.undecided().forEach(other -> consider(other, ask, model, others));
    long own = weight(ask.tenant(), model);
    long all = own;
    for (String tenant : others) {
      all = Math.addExact(all, weight(tenant, model));
    }
    return (int) (all == 0 ? most : Math.multiplyExact((long) most, own) / all);
  }

  private void consider(Ask other, Ask ask, String model, TreeSet<String> others) {
    if (others.size() < MOST_PARTIES
        && !others.contains(other.tenant())
        && !other.lease().equals(ask.lease())
        && wants(other.shape(), model)
        && search.choice(other).allowed()) {
      others.add(other.tenant());
    }
  }

  private static boolean wants(Shape shape, String model) {
    return shape.models().isEmpty() || shape.models().contains(model);
  }

  private long weight(String tenant, String model) {
    return book.entitlements().at(tenant, model, now).weight();
  }

  /** What was asked for, of the size that was granted. */
  static Ask granted(Ask ask, Booking booking, Book book) {
    Shape shape = ask.shape();
    if (shape.minCount() == 0) {
      return ask;
    }
    GpuModel model = book.model(booking.model());
    int size =
        shape.groups() > 0
            ? booking.slots().size()
            : booking.slots().stream().mapToInt(slot -> Slicing.pieces(slot, shape, model)).sum();
    return size == shape.size() ? ask : ask.with(shape.scaled(size));
  }

  /** An answer that says how much smaller it starts. */
  static Answer told(Answer answer, Ask asked, Ask granted) {
    int wanted = asked.shape().size();
    int size = granted.shape().size();
    if (size == wanted) {
      return answer;
    }
    String unit = asked.shape().groups() > 0 ? "group" : "gpu";
    List<Answer.Reason> reasons = new ArrayList<>(answer.reasons());
    reasons.add(
        new Answer.Reason(
            "starts-smaller",
            "starts with " + size + " of " + wanted + "; it can be resized later",
            "pool",
            "",
            (long) wanted,
            null,
            (long) size,
            unit));
    return new Answer(
        answer.verdict(),
        answer.refusal(),
        answer.decidedAt(),
        answer.start(),
        answer.expected(),
        reasons,
        answer.blockedBy(),
        answer.alternatives());
  }
}
