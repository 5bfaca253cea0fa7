package io.leasehold.engine;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Which of several promised leases keeps its promise first when not all can: what lies inside its
 * guarantee before what is borrowed, then by class and arrival (engine rules 6 and 15).
 *
 * @param guaranteed all that its tenant has over its window lies inside the guarantee
 */
record Precedence(Lease lease, boolean guaranteed, int priority) {

  private static final Comparator<Precedence> ORDER =
      Comparator.comparing((Precedence each) -> !each.guaranteed)
          .thenComparing(Precedence::priority, Comparator.reverseOrder())
          .thenComparing(each -> each.lease.sequence());

  private static Precedence of(Lease lease, Book book) {
    Booking booking = Objects.requireNonNull(lease.booking());
    Span window = Objects.requireNonNull(lease.window());
    boolean guaranteed = book.limits().isCarried(lease.ask().tenant(), booking.model(), 0, window);
    return new Precedence(lease, guaranteed, book.terms(lease).serviceClass().priority());
  }

  static List<Lease> inOrder(Collection<Lease> leases, Book book) {
    return leases.stream()
        .map(lease -> of(lease, book))
        .sorted(ORDER)
        .map(Precedence::lease)
        .toList();
  }
}
