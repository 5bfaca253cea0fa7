package io.leasehold;

import io.leasehold.web.Absence;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.task.SimpleAsyncTaskSchedulerCustomizer;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;
import org.springframework.stereotype.Component;
import org.springframework.util.ErrorHandler;

/**
 * What is done from time to time goes on after a failure. That the database is away or busy is one
 * line each time, since the next time will do; anything else is a fault, with all that is known.
 */
@Component
final class ScheduledWork implements SimpleAsyncTaskSchedulerCustomizer, ErrorHandler {

  private static final Logger LOG = LoggerFactory.getLogger(ScheduledWork.class);

  @Override
  public void customize(SimpleAsyncTaskScheduler scheduler) {
    scheduler.setErrorHandler(this);
  }

  @Override
  public void handleError(Throwable failure) {
    if (Absence.isBehind(failure)) {
      LOG.warn("Scheduled work waits for the database: {}", reason(failure));
    } else {
      LOG.error("Scheduled work failed", failure);
    }
  }

  private static String reason(Throwable failure) {
    return String.valueOf(NestedExceptionUtils.getMostSpecificCause(failure).getMessage())
        .lines()
        .findFirst()
        .orElse("");
  }
}
