package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Holders who are to be heard from, and are or are not. */
class SilenceTest {

  private static final long SILENCE = 10 * Time.MINUTE;

  private final Story story = Story.of("h100", 8);

  private Lease active(long silence) {
    Lease lease = story.asks("vision", 8).lasting(Time.DAY).silentFor(silence).lease();
    story.after(Time.MINUTE);
    story.clusterObeys();
    return story.lease(lease.id());
  }

  private Decision silent(Lease lease, long heardAt) {
    return story.on(new Command.Silence(lease.id(), heardAt));
  }

  @Test
  void endsWhenItsHolderIsSilentForTooLongAndFreesItsDevices() {
    Lease lease = active(SILENCE);
    long heard = story.now + Time.HOUR;
    story.after(Time.HOUR + SILENCE - 1);
    assertThat(silent(lease, heard)).isInstanceOf(Decision.Declined.class);
    story.after(1);
    Lease ended = ((Decision.Done) silent(lease, heard)).lease();
    assertThat(ended.state()).isEqualTo(LeaseState.ENDING);
    assertThat(ended.endCause()).isEqualTo("heartbeat-lost");
    assertThat(ended.window().end()).isEqualTo(story.now);
    story.clusterObeys();
    assertThat(story.state(lease.id())).isEqualTo(LeaseState.ENDED);
    assertThat(story.asks("nlp", 8).lease().state()).isEqualTo(LeaseState.ALLOCATED);
  }

  /** It took long to come up: nobody could be there before. */
  @Test
  void silenceBeginsWhenItCanBeUsed() {
    Lease lease = story.asks("vision", 8).lasting(Time.DAY).silentFor(SILENCE).lease();
    story.after(Time.HOUR);
    assertThat(silent(lease, 0)).as("not usable yet").isInstanceOf(Decision.Declined.class);
    story.clusterObeys();
    story.after(SILENCE - 1);
    assertThat(silent(lease, 0)).isInstanceOf(Decision.Declined.class);
    story.after(1);
    assertThat(silent(lease, 0)).isInstanceOf(Decision.Done.class);
  }

  /** L33: "off" is never, not at once. */
  @Test
  void l33WithoutATimeOutItNeverEndsForSilence() {
    Lease lease = story.asks("vision", 8).lasting(Time.DAY).lease();
    story.clusterObeys();
    story.after(20 * Time.HOUR);
    assertThat(silent(lease, 0)).isInstanceOf(Decision.Declined.class);
    assertThat(story.state(lease.id())).isEqualTo(LeaseState.ACTIVE);
  }

  @Test
  void itEndsOnceAndForItsFirstCause() {
    Lease lease = active(SILENCE);
    story.after(SILENCE);
    story.on(new Command.Release(lease.id()));
    assertThat(silent(lease, 0)).isInstanceOf(Decision.Declined.class);
    assertThat(story.lease(lease.id()).endCause()).isEqualTo("released");
    story.clusterObeys();
    assertThat(silent(lease, 0)).isInstanceOf(Decision.Declined.class);
  }

  /** Signs of life at random; every replica says what it thinks, as late as it likes. */
  @Test
  void nobodyWhoIsHeardFromInTimeEndsAndEverybodyElseDoes() {
    for (long seed = 1; seed <= 20; seed++) {
      history(new Random(seed), "seed " + seed);
    }
  }

  private static void history(Random random, String seed) {
    Story story = Story.of("h100", 8, 8, 8);
    TreeMap<UUID, Long> heard = new TreeMap<>();
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Lease lease =
          story
              .asks("vision", 1 + random.nextInt(2))
              .lasting(Time.DAY)
              .silentFor((1 + random.nextInt(20)) * Time.MINUTE)
              .lease();
      leases.add(lease);
    }
    story.clusterObeys();
    leases.forEach(lease -> heard.put(lease.id(), story.now));
    for (int step = 0; step < 200; step++) {
      story.now += 1 + random.nextLong(2 * Time.MINUTE);
      Lease one = leases.get(random.nextInt(leases.size()));
      if (story.state(one.id()) == LeaseState.ACTIVE && random.nextInt(3) > 0) {
        heard.put(one.id(), story.now);
      }
      for (Lease each : leases) {
        if (random.nextInt(4) == 0) {
          boolean isOver =
              story.now - heard.get(each.id()) >= each.ask().heartbeatTimeout()
                  && story.state(each.id()) == LeaseState.ACTIVE;
          Decision decision = story.on(new Command.Silence(each.id(), heard.get(each.id())));
          assertThat(decision instanceof Decision.Done)
              .as(seed + ", step " + step)
              .isEqualTo(isOver);
        }
      }
    }
    long used = story.book.usage().of("vision", "h100").at(story.now);
    long live =
        leases.stream()
            .filter(lease -> story.state(lease.id()) == LeaseState.ACTIVE)
            .mapToLong(lease -> story.lease(lease.id()).booking().gpuMilli())
            .sum();
    assertThat(used).as(seed).isEqualTo(live);
  }
}
