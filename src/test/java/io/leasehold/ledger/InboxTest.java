package io.leasehold.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.Command;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class InboxTest {

  private final Inbox inbox = new Inbox();

  @Test
  void takesTheUrgentFirstAndFillsUpWithTheOthers() {
    Ticket one = add(ticket(1, false, null));
    Ticket two = add(ticket(1, true, null));
    Ticket three = add(ticket(1, false, null));
    assertThat(inbox.take(2)).containsExactly(two, one);
    assertThat(inbox.take(2)).containsExactly(three);
    assertThat(inbox.take(2)).isEmpty();
  }

  @Test
  void keepsABatchSmallButNeverEmpty() {
    Ticket large = add(ticket(50, false, null));
    Ticket small = add(ticket(1, false, null));
    assertThat(inbox.take(10)).containsExactly(large);
    assertThat(inbox.take(10)).containsExactly(small);
  }

  @Test
  void givesATicketWithARiderABatchOfItsOwn() {
    Ticket before = add(ticket(1, false, null));
    Ticket rider = add(ticket(1, false, connection -> {}));
    Ticket after = add(ticket(1, false, null));
    assertThat(inbox.take(10)).containsExactly(before);
    assertThat(inbox.take(10)).containsExactly(rider);
    assertThat(inbox.take(10)).containsExactly(after);
  }

  @Test
  void doesNotLetARiderStarveBehindTheUrgent() {
    Ticket rider = add(ticket(1, false, connection -> {}));
    boolean taken = false;
    for (int i = 0; i < 12; i++) {
      add(ticket(1, true, null));
      taken |= inbox.take(1).contains(rider);
    }
    assertThat(taken).isTrue();
  }

  @Test
  void leavesOutWhoseCallerHasGivenUp() {
    Ticket gone = add(ticket(1, false, null));
    assertThat(gone.claim()).isTrue();
    assertThat(inbox.take(10)).isEmpty();
  }

  @Test
  void takesNothingOnceClosed() {
    inbox.close();
    assertThat(inbox.add(ticket(1, false, null))).isFalse();
  }

  /** Database rule 15. */
  @Test
  void allowsFewerDecisionsAfterSomethingUrgent() {
    BatchCap cap = new BatchCap(LedgerSettings.defaults());
    for (int i = 0; i < 100; i++) {
      cap.held(100, Duration.ofMillis(10).toNanos());
    }
    assertThat(cap.most(0)).isBetween(450, 550);
    cap.urgent(0);
    assertThat(cap.most(Duration.ofMillis(900).toNanos())).isBetween(45, 55);
    assertThat(cap.most(Duration.ofMillis(1_100).toNanos())).isBetween(450, 550);
  }

  @Test
  void waitsForThoseWhoWereJustAnsweredAQuarterOfABatchAtMost() {
    Gathering gathering = new Gathering();
    assertThat(gathering.expected(0)).isZero();
    gathering.answered(5, 3, 4_000, 100);
    assertThat(gathering.expected(4_000)).isEqualTo(8);
    assertThat(gathering.patienceNanos()).isEqualTo(1_000);
    assertThat(gathering.expected(4_101)).as("who is not back by now does not come").isZero();
  }

  @Test
  void doesNotGatherWhileSomethingUrgentWaits() throws Exception {
    add(ticket(1, true, null));
    long began = System.nanoTime();
    inbox.gather(8, Duration.ofMinutes(5).toNanos());
    assertThat(System.nanoTime() - began).isLessThan(Duration.ofMinutes(1).toNanos());
  }

  @Test
  void doesNotGatherForNews() throws Exception {
    add(news());
    long began = System.nanoTime();
    inbox.gather(8, Duration.ofMinutes(5).toNanos());
    assertThat(System.nanoTime() - began).isLessThan(Duration.ofMinutes(1).toNanos());
  }

  @Test
  void callersComeBeforeNewsAndTakeAFewAlong() {
    for (int i = 0; i < 100; i++) {
      add(news());
    }
    Ticket caller = add(ticket(1, false, null));
    List<Ticket> batch = inbox.take(400);
    assertThat(batch).startsWith(caller).hasSize(1 + 8);
    for (int i = 0; i < 10; i++) {
      add(ticket(1, false, null));
    }
    assertThat(inbox.take(400)).hasSize(10 + 20);
    assertThat(inbox.take(400)).as("without callers a part of a batch").hasSize(50);
    assertThat(inbox.size()).isEqualTo(100 - 8 - 20 - 50);
    assertThat(inbox.callers()).isZero();
  }

  @Test
  void newsGetHalfOfABatchThatCallersWouldFill() {
    for (int i = 0; i < 50; i++) {
      add(ticket(1, false, null));
      add(news());
    }
    assertThat(inbox.take(20)).hasSize(20).filteredOn(Ticket::isNews).hasSize(10);
  }

  @Test
  void aTicketWithARiderHasNoNewsBesideIt() {
    add(news());
    Ticket rider = add(ticket(1, false, connection -> {}));
    assertThat(inbox.take(20)).containsExactly(rider);
    assertThat(inbox.take(20)).hasSize(1);
  }

  private static Ticket news() {
    Command report = new Command.Report(new UUID(1, 2), 1, Command.Report.News.USABLE);
    return new Ticket(List.of(Submission.of(report, Actor.CLUSTER, "")), null);
  }

  private Ticket add(Ticket ticket) {
    inbox.add(ticket);
    return ticket;
  }

  private static Ticket ticket(int weight, boolean urgent, Rider rider) {
    Submission submission =
        new Submission(
            new Command.Tick(), Actor.SYSTEM, "", null, Map.of(), null, null, urgent, rider);
    return new Ticket(Collections.nCopies(weight, submission), null);
  }
}
