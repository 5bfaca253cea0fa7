package io.leasehold.lease;

import io.leasehold.engine.Book;
import io.leasehold.ledger.Ledger;
import io.leasehold.ledger.Ledger.Consulted;
import io.leasehold.ledger.Ledger.NotAble;
import io.leasehold.web.Problem;
import java.util.function.BiFunction;
import org.springframework.stereotype.Component;

/** Questions to a pool's book as of now; 503 while it can not be asked. */
@Component
class BookQuestions {

  private final Ledger ledger;

  BookQuestions(Ledger ledger) {
    this.ledger = ledger;
  }

  <T> T ask(String pool, BiFunction<Book, Long, T> question) {
    return askBook(pool, question).found();
  }

  /** 404 where there is no such pool. */
  void require(String pool) {
    if (!ledger.pools().contains(pool)) {
      throw Problem.notFound();
    }
  }

  /** With the revision of the book that was asked. */
  <T> Consulted<T> askBook(String pool, BiFunction<Book, Long, T> question) {
    require(pool);
    try {
      return ledger.consultBook(pool, question);
    } catch (NotAble notAble) {
      throw Problem.of(503, "unavailable", "Not able now", notAble.why().reason())
          .retryable(notAble.why().retryAfterSeconds());
    }
  }
}
