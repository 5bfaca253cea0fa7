package io.leasehold.planted;

import org.mockito.Mockito;

/** As if it were a test. */
class SleeperWithMocks {

  Object rest() throws InterruptedException {
    Thread.sleep(0);
    return Mockito.mock(Runnable.class);
  }
}
