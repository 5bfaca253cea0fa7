package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is said of those who are not ended, and by which rule. */
class SparedTest {

  private static String told(Decision.Decided waiting) {
    assertThat(waiting.answer().verdict()).isEqualTo(Verdict.WAITING);
    return waiting.answer().reasons().stream()
        .filter(reason -> reason.code().equals("no-preemption"))
        .findFirst()
        .orElseThrow()
        .detail();
  }

  private static void runsForAWhileFirst(Story story) {
    ServiceClass batch = story.book.serviceClass("batch");
    story.facts(new Move.ClassSet(Story.runningFor(10 * Time.MINUTE, batch)));
  }

  @Test
  void onesOwnInsideTheGuaranteeAreSparedByTheirClassOnly() {
    Story story = Story.of("h100", 8);
    PreemptionTest.contracts(story, 8, 0);
    runsForAWhileFirst(story);
    story.asks("vision", 8).lease();
    assertThat(told(story.asks("vision", 8).of("realtime").decided()))
        .endsWith("of GPUs 8 have not run for as long as their class lets them");
  }

  @Test
  void whatIsBorrowedToTheLastGpuReachesIntoNoGuarantee() {
    Story story = Story.of("h100", 8);
    PreemptionTest.contracts(story, 8, 0);
    runsForAWhileFirst(story);
    story.asks("nlp", 8).lease();
    assertThat(told(story.asks("vision", 8).of("realtime").decided()))
        .endsWith("of GPUs 8 have not run for as long as their class lets them");
  }

  @Test
  void whatIsHalfGuaranteedIsSaidToBe() {
    Story story = Story.of("h100", 8);
    PreemptionTest.contracts(story, 4, 4);
    story.asks("nlp", 8).lease();
    assertThat(told(story.asks("vision", 4).of("realtime").decided()))
        .endsWith("of GPUs 8 are of leases that reach into guarantees");
  }

  @Test
  void whoseTenantIsInsideItsGuaranteeIsSparedAsAWhole() {
    Story story = Story.of("h100", 8);
    PreemptionTest.contracts(story, 0, 8);
    story.asks("nlp", 8).lease();
    assertThat(told(story.asks("vision", 4).of("realtime").preemptible().decided()))
        .endsWith("of GPUs 8 are inside guarantees");
  }

  @Test
  void noMoreThanSoManyAreLookedAt() {
    Story story = Story.of("h100", 64, 64, 64, 64, 64);
    runsForAWhileFirst(story);
    Command[] requests = new Command[320];
    for (int i = 0; i < requests.length; i++) {
      requests[i] = new Command.Create(story.asks("vision", 1).ask());
    }
    story.decide(requests);
    assertThat(told(story.asks("nlp", 8).of("realtime").decided()))
        .endsWith(
            "of GPUs 255 have not run for as long as their class lets them,"
                + " and others that were not looked at");
  }
}
