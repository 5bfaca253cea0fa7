package io.leasehold.ledger;

import static io.leasehold.ledger.Installation.HOUR;
import static io.leasehold.ledger.Installation.POOL;
import static io.leasehold.ledger.Installation.ask;
import static io.leasehold.ledger.Installation.await;
import static io.leasehold.ledger.Installation.create;
import static io.leasehold.ledger.Installation.decided;
import static io.leasehold.ledger.Installation.newId;
import static io.leasehold.ledger.Installation.report;
import static io.leasehold.ledger.Installation.verb;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.Ask;
import io.leasehold.engine.Command;
import io.leasehold.engine.Command.Report.News;
import io.leasehold.engine.Health;
import io.leasehold.engine.Lease;
import io.leasehold.engine.LeaseState;
import io.leasehold.engine.Node;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** S60: how long a lease waited is measured once, whatever happens to it afterwards. */
class WaitMetricIT {

  private final Installation installation = Installation.of(2, 8);
  private final SimpleMeterRegistry shownByOne = new SimpleMeterRegistry();
  private final SimpleMeterRegistry shownByTwo = new SimpleMeterRegistry();
  private final Ledger one = installation.replica(shownByOne);
  private final Ledger two = installation.replica(shownByTwo);

  @AfterEach
  void close() {
    installation.close();
  }

  private static long count(SimpleMeterRegistry registry) {
    Timer timer = registry.find("leasehold.lease.wait").timer();
    return timer == null ? 0 : timer.count();
  }

  private static Lease now(Ledger ledger, Lease lease) {
    return ledger.consult(POOL, (book, now) -> book.lease(lease.id()));
  }

  @Test
  void aLeaseThatSwapsItsNodeCountsOnce() {
    Lease lease = decided(one.submit(POOL, create(ask(8)), null));
    two.submit(POOL, report(lease, News.NO_ROOM), null);
    Lease rebound = now(two, lease);
    assertThat(rebound.booking().slots()).isNotEqualTo(lease.booking().slots());
    two.submit(POOL, report(rebound, News.USABLE), null);
    breakNodeOf(rebound);
    one.submit(POOL, verb(new Command.Release(lease.id())), null);

    assertThat(now(one, lease).degraded()).isTrue();
    assertThat(count(shownByOne)).isEqualTo(1);
    assertThat(count(shownByTwo)).isZero();
  }

  private void breakNodeOf(Lease lease) {
    Node node =
        two.consult(POOL, (book, now) -> book.node(lease.booking().slots().getFirst().node()));
    Node broken = node.withGpus(Collections.nCopies(8, new Node.Gpu(null, Health.BROKEN)));
    two.submit(POOL, verb(new Command.SetNodes(List.of(broken), Command.Shrink.DEGRADE)), null);
  }

  @Test
  void aLeaseThatWaitedCountsWithItsWaitWhereItsStartIsCommitted() {
    Lease holder = decided(one.submit(POOL, create(ask(8)), null));
    one.submit(POOL, create(ask(8)), null);
    Ask patient = ask(newId(), 8, new Ask.When.Now(HOUR), Ask.Shortage.WAIT);
    Lease waiting = decided(one.submit(POOL, create(patient), null));
    assertThat(waiting.state()).isEqualTo(LeaseState.WAITING);
    assertThat(count(shownByOne)).isEqualTo(2);

    two.submit(POOL, verb(new Command.Release(holder.id())), null);
    two.submit(POOL, report(now(two, holder), News.WITHDRAWN), null);

    assertThat(now(two, waiting).state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(count(shownByOne)).isEqualTo(2);
    assertThat(count(shownByTwo)).isEqualTo(1);
    assertThat(shownByTwo.get("leasehold.lease.wait").timer().totalTime(TimeUnit.MICROSECONDS))
        .isGreaterThan(0);
  }

  @Test
  void aReplicaThatStartsCountsNothingOfWhatItFinds() {
    one.submit(POOL, create(ask(8)), null);
    one.submit(POOL, create(ask(8)), null);
    one.stop();
    SimpleMeterRegistry anew = new SimpleMeterRegistry();
    Ledger restarted = installation.replica(anew);
    await("the book", () -> restarted.consult(POOL, (book, now) -> book.leases().size()) == 2);
    restarted.submit(POOL, verb(new Command.Tick()), null);

    assertThat(count(anew)).isZero();
  }
}
