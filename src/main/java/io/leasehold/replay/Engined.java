package io.leasehold.replay;

import io.leasehold.engine.Ask;
import io.leasehold.engine.Batch;
import io.leasehold.engine.Book;
import io.leasehold.engine.Booking;
import io.leasehold.engine.Command;
import io.leasehold.engine.Decision;
import io.leasehold.engine.Domain;
import io.leasehold.engine.Engine;
import io.leasehold.engine.GpuModel;
import io.leasehold.engine.Health;
import io.leasehold.engine.Lease;
import io.leasehold.engine.Move;
import io.leasehold.engine.Node;
import io.leasehold.engine.ServiceClass;
import io.leasehold.engine.Shape;
import io.leasehold.engine.Span;
import io.leasehold.engine.Tenant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Ours: a book of the whole fleet, and each request decided on by the engine as a lease without an
 * end that is refused where it does not fit.
 */
final class Engined implements Placement {

  private static final String TENANT = "replay";
  private static final String CLASS = "replay";
  private static final String CLUSTER = "replay";
  private static final long SECOND = 1_000_000;
  private static final long YEAR = 365L * 86_400 * SECOND;
  private static final long LEASES = 0x0190_0000_0000_7000L;
  private static final long NODES = 0x0190_0000_0001_7000L;

  private final Book book = new Book();
  private final Heap heap;
  private final Map<UUID, Integer> nodes = new HashMap<>();
  private final Map<String, Long> gpusOfModel = new TreeMap<>();
  private long now = SECOND;

  Engined(List<Machine> machines) {
    List<Move> moves = new ArrayList<>();
    moves.add(new Move.TenantSet(new Tenant(TENANT, null, false)));
    moves.add(new Move.ClassSet(CLASS_OF_ALL));
    for (Machine each : machines) {
      if (gpusOfModel.merge(each.model(), (long) each.gpus(), Long::sum) == each.gpus()) {
        moves.add(new Move.ModelSet(model(each.model())));
      }
    }
    book.apply(now, moves);
    List<Node> all = new ArrayList<>();
    for (Machine each : machines) {
      all.add(node(all.size(), each));
      nodes.put(all.getLast().id(), all.size() - 1);
    }
    decide(new Command.SetNodes(all, Command.Shrink.REFUSE));
    heap = new Heap();
  }

  private static final ServiceClass CLASS_OF_ALL =
      new ServiceClass(CLASS, 100, false, true, true, 0, 0, 0, 0, YEAR, Span.FOREVER, YEAR);

  private static GpuModel model(String slug) {
    return new GpuModel(slug, slug, List.of(), 0, 0, 0, List.of(), 0);
  }

  private static Node node(int ordinal, Machine machine) {
    return new Node(
        new UUID(NODES, ordinal),
        ordinal,
        CLUSTER,
        machine.name(),
        machine.model(),
        Domain.NOWHERE,
        machine.cpuMilli(),
        machine.memoryMiB(),
        Collections.nCopies(machine.gpus(), new Node.Gpu(null, Health.OK)),
        null,
        false);
  }

  private Batch decide(Command... commands) {
    now += SECOND;
    Batch batch = Engine.decide(book, List.of(commands), now);
    book.settle();
    return batch;
  }

  @Override
  public Racks.@Nullable Spot place(int id, Request request) {
    Batch batch = decide(new Command.Create(ask(id, request)));
    if (batch.decisions().getFirst() instanceof Decision.Decided decided) {
      Booking booking = decided.lease().booking();
      return booking == null ? null : spot(booking.slots().getFirst());
    }
    throw new IllegalStateException(request + ": " + batch.decisions());
  }

  private Racks.Spot spot(Booking.Slot slot) {
    Integer node = nodes.get(slot.node());
    return new Racks.Spot(java.util.Objects.requireNonNull(node), slot.units().gpus());
  }

  /** Released, and withdrawn at once. */
  @Override
  public void end(int id) {
    UUID lease = new UUID(LEASES, id);
    Lease live = book.lease(lease);
    if (live != null) {
      decide(
          new Command.Release(lease),
          new Command.Report(lease, live.generation() + 1, Command.Report.News.WITHDRAWN));
    }
  }

  @Override
  public double bytesPerLease() {
    return heap.bytesForEach(book.leases().size());
  }

  private Ask ask(int id, Request request) {
    return new Ask(
        new UUID(LEASES, id),
        TENANT,
        CLASS,
        shape(request),
        new Ask.When.Now(Span.FOREVER),
        true,
        Ask.Shortage.REFUSE,
        Span.FOREVER,
        List.of());
  }

  /** All on one node, as a pod is. */
  private Shape shape(Request request) {
    return new Shape(
        models(request),
        0,
        request.gpus() == 0 ? 0 : 1,
        request.gpus(),
        request.isFraction() ? new Shape.Slice.Share(request.milli()) : Shape.Slice.WHOLE,
        request.cpuMilli(),
        request.memoryMiB(),
        List.of(),
        Shape.Where.ANYWHERE);
  }

  /** The list names a set; the engine wants an order: what there is most of goes first. */
  private List<String> models(Request request) {
    return request.models().stream()
        .sorted(
            (a, b) -> {
              int more =
                  Long.compare(gpusOfModel.getOrDefault(b, 0L), gpusOfModel.getOrDefault(a, 0L));
              return more != 0 ? more : a.compareTo(b);
            })
        .toList();
  }
}
