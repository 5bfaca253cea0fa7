package io.leasehold.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which models a request may be tried with, in its order, and how it stands with each inside the
 * limits of its tenant.
 */
final class Choices {

  private final Book book;
  private final long now;
  private final Ladders ladders;

  Choices(Book book, long now) {
    this.book = book;
    this.now = now;
    this.ladders = new Ladders(book, now);
  }

  Ladders ladders() {
    return ladders;
  }

  /** The models to try, in order. */
  List<String> models(Shape shape) {
    List<String> wanted = shape.models().isEmpty() ? book.capacity().models() : shape.models();
    if (shape.minMemoryMiB() == 0) {
      return wanted;
    }
    return wanted.stream().filter(slug -> hasMemory(slug, shape.minMemoryMiB())).toList();
  }

  private boolean hasMemory(String slug, int least) {
    @Nullable GpuModel model = book.model(slug);
    return model != null && model.memoryMiB() >= least;
  }

  /** What draws on a reservation is inside the guarantee, as that is. */
  Limits.Standing standing(Ask ask, String model, Span window) {
    if (ask.reservation() != null) {
      return Limits.GUARANTEED;
    }
    long need = Need.milli(ask.shape(), book.model(model));
    return book.limits().check(ask.tenant(), model, need, window, ask.preemptible());
  }

  /** The first model inside the guarantee, else the first that may be borrowed, else the first. */
  Choice of(Ask asked) {
    Ask ask = asked.least();
    Choice best = Choice.NONE;
    for (String model : models(ask.shape())) {
      long need = Need.milli(ask.shape(), book.model(model));
      Limits.Kind standing = standingNow(ask, model, need);
      boolean allowed = standing != Limits.Kind.OVER;
      boolean guaranteed = standing == Limits.Kind.GUARANTEED;
      if (best == Choice.NONE || allowed && !best.allowed() || guaranteed) {
        best = new Choice(model, need, allowed, guaranteed);
      }
      if (best.guaranteed()) {
        return best;
      }
    }
    return best;
  }

  /**
   * Whether some model is inside the guarantee but for what others borrow of it, so that they may
   * have to give it back: also where they fill a limit above both.
   */
  boolean mayReclaim(Ask asked) {
    Ask ask = asked.least();
    if (book.entitlements().isEmpty()) {
      return false;
    }
    for (String model : models(ask.shape())) {
      long need = Need.milli(ask.shape(), book.model(model));
      if (ladders.of(ask.tenant(), model).carries(need)) {
        return true;
      }
    }
    return false;
  }

  private Limits.Kind standingNow(Ask ask, String model, long need) {
    if (ask.reservation() != null) {
      return Limits.Kind.GUARANTEED;
    }
    Limits.Kind known = ladders.of(ask.tenant(), model).standing(need, ask.preemptible());
    return known != null ? known : kind(standing(ask, model, new Span(now, now + 1)));
  }

  private static Limits.Kind kind(Limits.Standing standing) {
    return switch (standing) {
      case Limits.Standing.Guaranteed _ -> Limits.Kind.GUARANTEED;
      case Limits.Standing.Borrowed _ -> Limits.Kind.BORROWED;
      case Limits.Standing.Over _ -> Limits.Kind.OVER;
    };
  }
}
