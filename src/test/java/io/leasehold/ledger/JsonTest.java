package io.leasehold.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.Answer;
import io.leasehold.engine.Ask;
import io.leasehold.engine.Booking;
import io.leasehold.engine.Command;
import io.leasehold.engine.Contract;
import io.leasehold.engine.Decision;
import io.leasehold.engine.Disruption;
import io.leasehold.engine.Domain;
import io.leasehold.engine.GpuModel;
import io.leasehold.engine.Health;
import io.leasehold.engine.Lease;
import io.leasehold.engine.LeaseState;
import io.leasehold.engine.Level;
import io.leasehold.engine.Mode;
import io.leasehold.engine.Move;
import io.leasehold.engine.Node;
import io.leasehold.engine.ServiceClass;
import io.leasehold.engine.Shape;
import io.leasehold.engine.Span;
import io.leasehold.engine.Tenant;
import io.leasehold.engine.Units;
import io.leasehold.engine.Verdict;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class JsonTest {

  private static final UUID ID = UUID.fromString("0199f3a2-7c1e-7b52-9d0e-5a1f4c3b2e10");
  private static final UUID NODE = UUID.fromString("0199e111-0000-7000-8000-000000000014");

  @Test
  void readsEveryMoveBackEqual() {
    List<Move> moves =
        List.of(
            new Move.NodeSet(
                new Node(
                    NODE,
                    3,
                    "c",
                    "n",
                    "h100",
                    Domain.NOWHERE,
                    0,
                    0,
                    List.of(new Node.Gpu(null, Health.OK), new Node.Gpu("GPU-1", Health.BROKEN)),
                    null,
                    false)),
            new Move.ModelSet(
                new GpuModel(
                    "a30",
                    "NVIDIA-A30",
                    List.of(),
                    24576,
                    4,
                    4,
                    List.of(new GpuModel.Profile("1g.6gb", 1, 1, List.of(0, 1, 2, 3), 4)),
                    0)),
            new Move.ClassSet(
                new ServiceClass("batch", 100, false, true, false, 1, 2, 3, 4, 5, 6, 7)),
            new Move.ClassSet(
                new ServiceClass(
                    "spared",
                    100,
                    false,
                    true,
                    false,
                    1,
                    2,
                    3,
                    4,
                    5,
                    6,
                    7,
                    8,
                    new Disruption(9, 10, List.of(new Disruption.Quiet(11, 12, "UTC"))))),
            new Move.TenantSet(new Tenant("acme", null, false)),
            new Move.ContractSet(
                new Contract(
                    ID,
                    "acme",
                    new Span(1, Span.FOREVER),
                    List.of(new Contract.Entitlement("a30", 4, null, 0, 1)))),
            new Move.ClusterSet("c", true),
            new Move.UsageSet("acme", "a30", 17, 4),
            new Move.LossSet("a30", List.of(new io.leasehold.engine.Loss("acme", 5, 6))),
            new Move.LossSet("a30", List.of()),
            new Move.DisruptionSet("acme", "batch", List.of(3L, 1_800_000_000_000_000L)));
    Payload.Reader reader = new Payload.Reader(id -> null);
    for (Move move : moves) {
      assertThat(reader.read(Payload.of(move))).isEqualTo(move);
    }
  }

  @Test
  void leavesTheAskOutOfLaterMovesAndStillReadsThemBackEqual() {
    Lease waiting = lease(LeaseState.WAITING, null);
    Lease active = lease(LeaseState.ACTIVE, booking());
    Move.LeaseMoved first = new Move.LeaseMoved(null, waiting, "waiting");
    Move.LeaseMoved second = new Move.LeaseMoved(waiting, active, "admitted");
    assertThat(written(second)).doesNotContain("serviceClass");

    Payload.Reader reader = new Payload.Reader(id -> null);
    assertEqual(reader.read(written(first)), first);
    assertEqual(reader.read(written(second)), second);
    assertEqual(new Payload.Reader(id -> waiting).read(written(second)), second);
  }

  /** A verb that changes what was asked for: whoever follows must know it. */
  @Test
  void writesTheAskAgainWhereItHasChanged() {
    Lease active = lease(LeaseState.ACTIVE, booking());
    Lease resized = changed(active, ask(new Ask.When.Now(7)));
    Move.LeaseMoved move = new Move.LeaseMoved(active, resized, "resized");
    assertThat(written(move)).contains("serviceClass", "\"replacing\"");

    assertEqual(new Payload.Reader(id -> active).read(written(move)), move);
  }

  private static Lease changed(Lease lease, Ask ask) {
    return new Lease(
        ask,
        lease.sequence(),
        lease.revision() + 1,
        lease.generation() + 1,
        lease.state(),
        lease.window(),
        lease.booking(),
        null,
        null,
        lease.createdAt(),
        5L,
        null,
        true,
        true,
        null,
        null,
        false,
        0,
        null,
        new Lease.Change(true, booking(), List.of(NODE)));
  }

  @Test
  void readsEveryCommandBackEqual() {
    List<Command> commands =
        List.of(
            new Command.Create(ask(new Ask.When.Now(5))),
            new Command.CreateAtomic(
                List.of(
                    ask(new Ask.When.NowUntil(5)),
                    ask(new Ask.When.At(new Span(1, 2))),
                    ask(new Ask.When.Within(new Span(1, 9), 3)))),
            new Command.Extend(ID, 9),
            new Command.Shorten(ID, 9),
            new Command.Resize(ID, 4, List.of(NODE)),
            new Command.Replace(ID, List.of(NODE), "broken"),
            new Command.Transfer(ID, "nlp"),
            new Command.Release(ID),
            new Command.Cancel(ID),
            new Command.Revoke(ID, "why"),
            new Command.Annotate(ID),
            new Command.Tick(),
            new Command.Report(ID, 2, Command.Report.News.USABLE),
            new Command.SetNodes(List.of(), Command.Shrink.DEGRADE),
            new Command.Drain(List.of(NODE), null),
            new Command.Terminate(ID, 4),
            new Command.SetCluster("c", false));
    for (Command command : commands) {
      assertThat(Json.read(Json.write(command), Command.class))
          .usingRecursiveComparison()
          .isEqualTo(command);
    }
  }

  @Test
  void readsAnOutcomeBackEqual() {
    Lease lease = lease(LeaseState.ACTIVE, booking());
    Outcome outcome =
        new Outcome.Committed(
            new Decision.Decided(lease, answer()),
            List.of(
                new LeaseRecord(
                    "main",
                    lease,
                    new LeaseText(
                        null, "o", Map.of("k", "v"), Map.of(), List.of(), "{\"a\": 1}", "{}"),
                    answer(),
                    7,
                    new Actor(ID, "api-key", "ci"),
                    8)),
            7,
            false);
    assertThat(
            Json.read(Json.write(new Reply(List.of(outcome))), Reply.class).outcomes().getFirst())
        .usingRecursiveComparison()
        .isEqualTo(outcome);
  }

  private static String written(Move.LeaseMoved moved) {
    return Payload.of(
        moved,
        Payload.status(moved.after()),
        Payload.isNewAsk(moved) ? Json.write(moved.after().ask()) : null);
  }

  private static void assertEqual(Move actual, Move expected) {
    assertThat(actual).usingRecursiveComparison().isEqualTo(expected);
  }

  private static Answer answer() {
    return new Answer(
        Verdict.WAITING,
        null,
        5,
        null,
        true,
        List.of(new Answer.Reason("capacity", "d", "pool", "main", 3L, null, 8L, "gpu")),
        List.of(new Answer.Blocker(ID, "acme", 1000, Span.FOREVER)),
        List.of(new Answer.Alternative("shorter", 4L, ask(new Ask.When.Now(2)))));
  }

  private static Ask ask(Ask.When when) {
    Shape shape =
        new Shape(
            List.of("h100"),
            0,
            2,
            1,
            new Shape.Slice.Mig("1g.10gb"),
            4000,
            0,
            List.of(new Shape.Spread(Level.RACK, Shape.Spread.Rule.REQUIRED, null)),
            Shape.Where.ANYWHERE);
    return new Ask(
        ID, "vision", "batch", shape, when, true, Ask.Shortage.WAIT, Span.FOREVER, List.of());
  }

  private static Booking booking() {
    return new Booking(
        "c",
        "h100",
        new Span(1, 9),
        List.of(
            new Booking.Slot(
                0,
                NODE,
                Mode.MIG,
                Units.of(500, 625, 0, 125),
                List.of(new Booking.Instance(0, "1g.10gb", 4, 1)),
                2000,
                0)));
  }

  private static Lease lease(LeaseState state, Booking booking) {
    Ask ask =
        new Ask(
            ID,
            "vision",
            "batch",
            new Shape(List.of(), 0, 0, 1, Shape.Slice.WHOLE, 0, 0, List.of(), Shape.Where.ANYWHERE),
            new Ask.When.Now(5),
            true,
            Ask.Shortage.WAIT,
            99,
            List.of());
    return new Lease(
        ask, 1, 2, 1, state, null, booking, null, null, 3, null, null, false, false, null, null,
        false, 0, null);
  }
}
