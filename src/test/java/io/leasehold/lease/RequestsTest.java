package io.leasehold.lease;

import static io.leasehold.lease.Fleet.NOON;
import static io.leasehold.lease.Fleet.micros;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.Ask;
import io.leasehold.engine.Ask.Shortage;
import io.leasehold.engine.Ask.When;
import io.leasehold.engine.GpuModel;
import io.leasehold.engine.Level;
import io.leasehold.engine.Shape;
import io.leasehold.engine.Shape.Slice;
import io.leasehold.engine.Shape.Spread;
import io.leasehold.engine.Shape.Where;
import io.leasehold.engine.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** An alternative can be sent as it is: what comes back from its request is the same ask. */
class RequestsTest {

  private static final long SEED = 20270301;
  private static final long HOUR = 3_600_000_000L;

  private final Random random = new Random(SEED);

  @Test
  void aRequestMadeOfAnAskIsReadAsThatAsk() {
    LeaseRequest base =
        Fleet.JSON.readValue("{\"name\": \"x\", \"owner\": \"alice\"}", LeaseRequest.class);
    Requests requests =
        new Requests(slug -> Fleet.model(slug).map(GpuModel::canonical).orElseThrow());
    for (int i = 0; i < 2_000; i++) {
      Ask ask = ask();
      String json = Fleet.JSON.writeValueAsString(requests.of(ask, "main", base));
      LeaseRequest sent = Fleet.JSON.readValue(json, LeaseRequest.class);
      Ask read =
          Fleet.translation(NOON)
              .translate(sent, json, sent.tenant(), ask.lease(), List.of(), "")
              .ask();
      assertThat(read)
          .as("seed %s, round %s: %s", SEED, i, json)
          .usingRecursiveComparison()
          .ignoringFields("waitUntil")
          .isEqualTo(ask);
      assertThat(sent.name()).isEqualTo("x");
      assertThat(sent.owner()).isEqualTo("alice");
    }
  }

  private Ask ask() {
    boolean realtime = random.nextBoolean();
    boolean preemptible = !realtime || random.nextBoolean();
    return new Ask(
        UUID.randomUUID(),
        "vision",
        realtime ? "realtime" : "batch",
        shape(),
        when(),
        preemptible,
        random.nextBoolean() ? Shortage.WAIT : Shortage.REFUSE,
        0,
        List.of(),
        preemptible ? random.nextInt(1_001) : 0,
        null,
        random.nextBoolean(),
        random.nextBoolean() ? null : (10 + random.nextLong(600_000)) * Wire.SECOND);
  }

  private Shape shape() {
    int groups = random.nextInt(3);
    Slice slice =
        groups > 0
            ? Slice.WHOLE
            : switch (random.nextInt(3)) {
              case 0 -> new Slice.Mig("1g.10gb");
              case 1 -> new Slice.Share(1 + random.nextInt(999));
              default -> Slice.WHOLE;
            };
    return new Shape(
        random.nextBoolean() ? List.of() : List.of("a100", "h100"),
        random.nextBoolean() ? 0 : 40_000,
        groups,
        1 + random.nextInt(64),
        slice,
        random.nextBoolean() ? 0 : 4_000,
        random.nextBoolean() ? 0 : 8_192,
        topology(),
        random.nextBoolean()
            ? Where.ANYWHERE
            : new Where(List.of("k8s-east"), List.of(), List.of(Fleet.NODE), List.of("eu-1//b3")));
  }

  private List<Spread> topology() {
    List<Spread> rules = new ArrayList<>();
    for (Level level : Level.values()) {
      if (random.nextInt(4) == 0) {
        Spread.Rule[] all = Spread.Rule.values();
        rules.add(
            new Spread(
                level,
                all[random.nextInt(all.length)],
                random.nextBoolean() ? null : Integer.valueOf(1 + random.nextInt(9))));
      }
    }
    return rules;
  }

  private When when() {
    long now = micros(NOON);
    long start = now + HOUR + random.nextInt(3_600) * Wire.SECOND;
    long length = HOUR + random.nextInt(7_200) * Wire.SECOND;
    return switch (random.nextInt(4)) {
      case 0 -> new When.Now(length);
      case 1 -> new When.NowUntil(now + length);
      case 2 -> new When.At(new Span(start, start + length));
      default -> new When.Within(new Span(start, start + 2 * length), length);
    };
  }
}
