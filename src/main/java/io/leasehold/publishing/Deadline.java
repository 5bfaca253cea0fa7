package io.leasehold.publishing;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Bounds a call to a cluster: no answer in time is {@link ClusterAway}. */
final class Deadline {

  private static final ExecutorService CALLS =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("cluster-call-", 0).factory());

  private Deadline() {}

  static <T> T call(Duration atMost, Callable<T> work) {
    Future<T> answer = CALLS.submit(work);
    try {
      return answer.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      answer.cancel(true);
      throw new ClusterAway("No answer within " + atMost);
    } catch (InterruptedException stopping) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new ClusterAway("Stopped while waiting for an answer");
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof RuntimeException fault
          ? fault
          : new IllegalStateException(failed.getCause());
    }
  }
}
