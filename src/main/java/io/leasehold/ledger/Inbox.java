package io.leasehold.ledger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What waits for a decider: urgent tickets first, then callers, then the news of clusters, each in
 * order of arrival. News come many at a time and nobody waits at a door for them; they fill up what
 * callers leave, a few at a time, and at least half of a batch that callers alone would fill.
 */
final class Inbox {

  private static final int MOST_PASSED_OVER = 10;
  private static final int LEAST_NEWS = 8;
  private static final int NEWS_PER_CALLER = 2;
  private static final int PART_OF_NEWS = 8;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final ArrayDeque<Ticket> urgent = new ArrayDeque<>();
  private final ArrayDeque<Ticket> usual = new ArrayDeque<>();
  private final ArrayDeque<Ticket> news = new ArrayDeque<>();
  private final ArrayDeque<Question> questions = new ArrayDeque<>();
  private int passedOver;
  private boolean nudged;
  private boolean closed;

  /** Something to be asked of the book on the decider's thread. */
  interface Question {
    void ask(LiveBook book, long now);

    void fail(Outcome.Unavailable why);
  }

  /** False once closed. */
  boolean add(Ticket ticket) {
    return put(() -> lane(ticket).add(ticket));
  }

  private ArrayDeque<Ticket> lane(Ticket ticket) {
    if (ticket.isUrgent()) {
      return urgent;
    }
    return ticket.isNews() ? news : usual;
  }

  boolean add(Question question) {
    return put(() -> questions.add(question));
  }

  /** Wakes the decider: something changed beside the inbox. */
  void nudge() {
    put(() -> nudged = true);
  }

  private boolean put(Runnable change) {
    lock.lock();
    try {
      if (closed) {
        return false;
      }
      change.run();
      arrived.signal();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Refuses what comes from now on. */
  void close() {
    lock.lock();
    try {
      closed = true;
      arrived.signal();
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until there is something or the time is over; returns whether it was nudged. */
  boolean await(long nanos) throws InterruptedException {
    lock.lock();
    try {
      while (nanos > 0 && !nudged && !closed && isEmpty()) {
        nanos = arrived.awaitNanos(nanos);
      }
      boolean was = nudged;
      nudged = false;
      return was;
    } finally {
      lock.unlock();
    }
  }

  /** Waits a little until so many callers are there; never while something urgent waits. */
  void gather(int expected, long nanos) throws InterruptedException {
    lock.lock();
    try {
      while (nanos > 0
          && !closed
          && urgent.isEmpty()
          && questions.isEmpty()
          && !usual.isEmpty()
          && usual.size() < expected) {
        nanos = arrived.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * The next batch: at most {@code most} decisions, but always one ticket; a ticket with a rider
   * comes alone.
   */
  List<Ticket> take(int most) {
    lock.lock();
    try {
      List<Ticket> batch = new ArrayList<>();
      if (isOverdue(usual.peek())) {
        fill(batch, usual, 0);
        return batch;
      }
      int left = fill(batch, urgent, most);
      int forNews = Math.min(news.size(), mostNews(batch.size() + usual.size(), left, most));
      fill(batch, usual, left - forNews);
      fill(batch, news, forNews);
      return batch;
    } finally {
      lock.unlock();
    }
  }

  /** Without callers a part of a batch only: one who comes meanwhile does not wait for long. */
  private static int mostNews(int callers, int left, int most) {
    if (callers == 0) {
      return Math.max(LEAST_NEWS, most / PART_OF_NEWS);
    }
    return Math.min(left / 2, Math.max(LEAST_NEWS, NEWS_PER_CALLER * Math.min(callers, left)));
  }

  /** Who must come alone would wait for ever while something urgent is always there. */
  private boolean isOverdue(@Nullable Ticket next) {
    if (next == null || !next.isAlone() || urgent.isEmpty()) {
      passedOver = 0;
      return false;
    }
    return ++passedOver > MOST_PASSED_OVER;
  }

  private int fill(List<Ticket> batch, ArrayDeque<Ticket> lane, int left) {
    while (!lane.isEmpty()) {
      Ticket next = lane.peek();
      boolean fits = batch.isEmpty() || (next.weight() <= left && !next.isAlone());
      if (!fits || (!batch.isEmpty() && batch.getFirst().isAlone())) {
        return 0;
      }
      lane.remove();
      if (next.claim()) {
        batch.add(next);
        left -= next.weight();
      }
    }
    return left;
  }

  List<Question> takeQuestions() {
    lock.lock();
    try {
      List<Question> taken = new ArrayList<>(questions);
      questions.clear();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** How many tickets wait. */
  int size() {
    lock.lock();
    try {
      return urgent.size() + usual.size() + news.size();
    } finally {
      lock.unlock();
    }
  }

  /** How many wait at a door. */
  int callers() {
    lock.lock();
    try {
      return urgent.size() + usual.size();
    } finally {
      lock.unlock();
    }
  }

  boolean isEmpty() {
    lock.lock();
    try {
      return urgent.isEmpty() && usual.isEmpty() && news.isEmpty() && questions.isEmpty();
    } finally {
      lock.unlock();
    }
  }
}
