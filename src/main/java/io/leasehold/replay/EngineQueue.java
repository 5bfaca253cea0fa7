package io.leasehold.replay;

import io.leasehold.engine.Ask;
import io.leasehold.engine.Batch;
import io.leasehold.engine.Book;
import io.leasehold.engine.Command;
import io.leasehold.engine.Contract;
import io.leasehold.engine.Decision;
import io.leasehold.engine.Domain;
import io.leasehold.engine.Engine;
import io.leasehold.engine.GpuModel;
import io.leasehold.engine.Health;
import io.leasehold.engine.Lease;
import io.leasehold.engine.LeaseState;
import io.leasehold.engine.Move;
import io.leasehold.engine.Node;
import io.leasehold.engine.ServiceClass;
import io.leasehold.engine.Shape;
import io.leasehold.engine.Span;
import io.leasehold.engine.Tenant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Ours: the engine on a book of the fleet, with one class and a tenant for each virtual cluster. A
 * gang may lie on any nodes. Ends are confirmed at once. A tenant with as many leases waiting as it
 * may have asks for the next ones again whenever something happens.
 */
final class EngineQueue implements Queueing {

  private static final String NAME = "replay";

  /** Everybody's. */
  static final String CLASS = "batch";

  private static final int GPUS_OF_NODE = 8;
  private static final long SECOND = 1_000_000;
  private static final long HOUR = 3_600 * SECOND;
  private static final long YEAR = 365 * 24 * HOUR;

  /** The replay's first instant: an engine's clock does not begin at 0. */
  private static final long BEGIN = 24 * HOUR;

  private static final long LEASES = 0x0190_0000_0000_7000L;
  private static final long NODES = 0x0190_0000_0001_7000L;
  private static final long CONTRACTS = 0x0190_0000_0002_7000L;

  private static final ServiceClass CLASS_OF_ALL =
      new ServiceClass(CLASS, 100, false, true, false, 0, 0, 0, 0, 4 * HOUR, YEAR, 2 * YEAR);

  /** What the tenants have signed. */
  enum Contracts {
    /** Nothing, so there is nothing to share by: one line for all. */
    NONE,
    /** Each the same weight: nothing guaranteed, everything to be borrowed. */
    EQUAL_WEIGHTS
  }

  private final Overlay overlay;
  private final Book book = new Book();
  private final List<Job> notInLine = new ArrayList<>();

  EngineQueue(Overlay overlay, Contracts contracts) {
    this.overlay = overlay;
    List<Move> moves = new ArrayList<>();
    moves.add(new Move.ClassSet(CLASS_OF_ALL));
    moves.add(new Move.ModelSet(new GpuModel(NAME, NAME, List.of(), 0, 0, 0, List.of(), 0)));
    TreeSet<String> vcs = new TreeSet<>();
    overlay.jobs().forEach(job -> vcs.add(job.vc()));
    vcs.forEach(vc -> moves.add(new Move.TenantSet(new Tenant(vc, null, false))));
    book.apply(BEGIN, moves);
    List<Command> begin = new ArrayList<>();
    begin.add(new Command.SetNodes(nodes(overlay.gpus()), Command.Shrink.REFUSE));
    if (contracts == Contracts.EQUAL_WEIGHTS) {
      vcs.forEach(vc -> begin.add(new Command.Sign(contract(vc, begin.size()))));
    }
    decide(begin, BEGIN);
  }

  private static Contract contract(String vc, int number) {
    return new Contract(
        new UUID(CONTRACTS, number),
        vc,
        new Span(BEGIN, Span.FOREVER),
        List.of(new Contract.Entitlement(NAME, 0, null, null, 1)));
  }

  private static List<Node> nodes(int gpus) {
    List<Node> nodes = new ArrayList<>();
    for (int left = gpus; left > 0; left -= GPUS_OF_NODE) {
      nodes.add(node(nodes.size(), Math.min(left, GPUS_OF_NODE)));
    }
    return nodes;
  }

  private static Node node(int ordinal, int gpus) {
    return new Node(
        new UUID(NODES, ordinal),
        ordinal,
        NAME,
        "n" + ordinal,
        NAME,
        Domain.NOWHERE,
        0,
        0,
        Collections.nCopies(gpus, new Node.Gpu(null, Health.OK)),
        null,
        false);
  }

  private Batch decide(List<Command> commands, long now) {
    Batch batch = Engine.decide(book, commands, now);
    book.settle();
    return batch;
  }

  @Override
  public List<Job> starts(long now, int free, List<Job> ended, List<Job> arrived) {
    List<Command> commands = new ArrayList<>();
    for (Job job : ended) {
      UUID id = new UUID(LEASES, job.id());
      int generation = generation(id) + 1;
      commands.add(new Command.Report(id, generation, Command.Report.News.WITHDRAWN));
    }
    List<Job> asking = new ArrayList<>(notInLine);
    asking.addAll(arrived);
    asking.forEach(job -> commands.add(new Command.Create(ask(job))));
    Batch batch = decide(commands, BEGIN + now * SECOND);
    notInLine.clear();
    for (int i = 0; i < asking.size(); i++) {
      if (isSentAway(batch.decisions().get(ended.size() + i))) {
        notInLine.add(asking.get(i));
      }
    }
    List<Job> starts = new ArrayList<>();
    for (Move move : batch.moves()) {
      if (move instanceof Move.LeaseMoved(var before, Lease after, _)) {
        if (after.state() == LeaseState.ALLOCATED && isNotBooked(before)) {
          starts.add(overlay.jobs().get((int) after.id().getLeastSignificantBits()));
        }
        refuseEarlyEnd(after);
      }
    }
    return starts;
  }

  /** A replay in which somebody is not let in for another reason measures something else. */
  private static boolean isSentAway(Decision decision) {
    return switch (decision) {
      case Decision.Decided decided when decided.lease().state() != LeaseState.REFUSED -> false;
      case Decision.Declined declined when declined.why() == Decision.Declined.Why.TOO_MANY -> true;
      default -> throw new IllegalStateException(decision.toString());
    };
  }

  private static void refuseEarlyEnd(Lease lease) {
    if (lease.state() == LeaseState.ENDING && !"expired".equals(lease.endCause())) {
      throw new IllegalStateException(lease.id() + " ends early: " + lease.endCause());
    }
  }

  private static boolean isNotBooked(@Nullable Lease before) {
    return before == null || before.state() != LeaseState.ALLOCATED;
  }

  private int generation(UUID lease) {
    Lease live = book.lease(lease);
    if (live == null) {
      throw new IllegalStateException("lease " + lease + " is not in the book");
    }
    return live.generation();
  }

  private static Ask ask(Job job) {
    return new Ask(
        new UUID(LEASES, job.id()),
        job.vc(),
        CLASS,
        new Shape(
            List.of(NAME),
            0,
            0,
            job.gpus(),
            Shape.Slice.WHOLE,
            0,
            0,
            List.of(),
            Shape.Where.ANYWHERE),
        new Ask.When.Now(job.duration() * SECOND),
        true,
        Ask.Shortage.WAIT,
        Span.FOREVER,
        List.of());
  }

  @Override
  public long nextLook() {
    long due = book.nextDue();
    return due == Span.FOREVER ? NEVER : Math.ceilDiv(due - BEGIN, SECOND);
  }
}
