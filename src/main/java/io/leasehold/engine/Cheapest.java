package io.leasehold.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where no model is named, the one that the request costs least on is taken: what it does to the
 * nodes it would lie on, and how scarce the model is.
 */
final class Cheapest {

  private record Offer(String model, Fit fit, long price) {

    boolean isBetterThan(Offer other) {
      return fit.isBetterThan(other.fit, price - other.price);
    }
  }

  private Cheapest() {}

  /** Null where it fits on none of the models, or the budget was used up. */
  static @Nullable Booking of(Capacity capacity, Candidates candidates, long now, Budget budget) {
    Shape shape = candidates.shape();
    Offer best = null;
    for (String model : candidates.models()) {
      Fit fit = capacity.fit(shape, model, candidates.hold(), now, budget);
      if (fit != null) {
        Offer offer = new Offer(model, fit, price(capacity, shape, model));
        best = best == null || offer.isBetterThan(best) ? offer : best;
      }
    }
    return best == null || budget.isSpent()
        ? null
        : best.fit().booking(best.model(), candidates.hold());
  }

  /** A shape and the models it may have over a hold. */
  record Candidates(Shape shape, List<String> models, Span hold) {}

  private static long price(Capacity capacity, Shape shape, String model) {
    long milli = Need.milli(shape, capacity.model(model));
    return capacity.score().price(model, capacity.healthyGpus(model), milli);
  }
}
