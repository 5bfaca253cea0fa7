package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What can never be: it fails on the empty fleet, broken hardware counted as usable, or is above
 * the highest limit of all known contracts (engine rule 18).
 */
final class Never {

  private final Book book;
  private final Search search;
  private final long now;

  Never(Book book, Search search, long now) {
    this.book = book;
    this.search = search;
    this.now = now;
  }

  /** Why the request can never be, one reason for each model; null if it might. */
  @Nullable List<Answer.Reason> why(Ask ask) {
    if (ask.reservation() != null) {
      return new Drawing(book, now).never(book.terms(ask, now));
    }
    List<Answer.Reason> reasons = new ArrayList<>();
    for (String model : search.models(ask.shape())) {
      Answer.Reason reason = why(ask.least(), model);
      if (reason == null) {
        return null;
      }
      reasons.add(reason);
    }
    if (reasons.isEmpty()) {
      reasons.add(Reasons.plain("capacity", "no GPU of such a model in this pool"));
    }
    return reasons;
  }

  private Answer.@Nullable Reason why(Ask ask, String model) {
    long need = Need.milli(ask.shape(), book.model(model));
    Limits.Standing.Over over =
        book.limits().never(ask.tenant(), model, need, now, ask.preemptible());
    if (over != null) {
      return Reasons.over(over, model);
    }
    Found found =
        book.memory()
            .onEmpty(
                ask.shape(),
                model,
                shape -> book.capacity().placeOnEmpty(shape, model, new Budget(Search.STEPS)));
    if (!(found instanceof Found.None none)) {
      return null;
    }
    return new Answer.Reason(
        "capacity",
        model + ": at most " + none.most() + " can ever be had in this shape",
        none.scope(),
        none.name(),
        (long) ask.shape().pieces(),
        null,
        none.most(),
        "gpu");
  }
}
