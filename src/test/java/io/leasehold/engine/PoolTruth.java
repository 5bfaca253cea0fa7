package io.leasehold.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A second opinion on a pool: what follows from its moves alone, kept as plain lists and looked
 * through from end to end. Shares no code with the engine's indexes, profiles and searches; says in
 * a sentence what the engine's book, or a move, has wrong.
 *
 * <p>Each of its parts knows some of the rules: {@link DeviceTruth} what lies where, {@link
 * QuotaTruth} who may use how much, {@link VerbTruth} what a change may change, {@link TakingTruth}
 * who may lose a lease to whom, {@link ReservedTruth} what is set aside.
 */
final class PoolTruth {

  final Map<UUID, Lease> leases = new TreeMap<>();
  final Map<UUID, Occurrence> occurrences = new TreeMap<>();
  final Map<UUID, Node> nodes = new HashMap<>();
  final Map<String, Tenant> tenants = new TreeMap<>();
  final Map<UUID, Contract> contracts = new HashMap<>();
  final Map<String, ServiceClass> classes = new HashMap<>();
  final Map<String, Boolean> paused = new HashMap<>();

  private final List<String> faults = new ArrayList<>();
  private final DeviceTruth devices = new DeviceTruth(this);
  private final QuotaTruth quotas = new QuotaTruth(this);
  private final VerbTruth verbs = new VerbTruth(this);
  private final TakingTruth takings = new TakingTruth(this, quotas);
  private final ReservedTruth reserved = new ReservedTruth(this);

  /** Facts that no decision made. */
  void furnish(List<Move> facts) {
    facts.forEach(this::apply);
  }

  /** Takes the moves of a batch, and compares what then is with the book that made them. */
  List<String> follow(List<Command> commands, Batch batch, Book book) {
    faults.clear();
    takings.begin(batch);
    Set<UUID> touched = new HashSet<>();
    for (int i = 0; i < batch.moves().size(); i++) {
      Move move = batch.moves().get(i);
      if (move instanceof Move.LeaseMoved moved) {
        Lease was = leases.get(moved.after().id());
        touch(was, touched);
        touch(moved.after(), touched);
        verbs.judge(moved, was, batch.at());
        apply(move);
        booked(was, moved.after(), batch.at());
        takings.judge(i, moved, was);
      } else if (move instanceof Move.OccurrenceMoved moved) {
        Occurrence was = occurrences.get(moved.after().id());
        touch(was, touched);
        touch(moved.after(), touched);
        reserved.judge(moved, was, batch.at());
        apply(move);
      } else {
        takings.count(move);
        apply(move);
      }
    }
    verbs.answered(commands, batch);
    same(book);
    touched.forEach(devices::nothingTwice);
    reserved.apart(touched, book);
    quotas.usage(book, batch.at());
    devices.lost();
    verbs.nothingIsDue(batch.at());
    check(book.nextDue() > batch.at(), "what is due stays due", null);
    check(book.isDecided(), "who waits would be looked at again", null);
    devices.idle();
    return List.copyOf(faults);
  }

  /** What was promised just now lies where it may, under every limit. */
  private void booked(Lease was, Lease is, long at) {
    if (is.state().hasPromise()) {
      boolean isNew = was == null || !was.state().hasPromise();
      quotas.promised(was, is, at);
      if (isNew) {
        devices.sound(is, at);
      } else if (!devices.of(was).containsAll(devices.of(is))) {
        devices.soundWhereNew(was, is);
      }
    }
  }

  private static void touch(Lease lease, Set<UUID> touched) {
    if (lease != null) {
      touch(lease.taken(), touched);
      touch(lease.possessed(), touched);
      touch(lease.leaving(), touched);
    }
  }

  private static void touch(Occurrence occurrence, Set<UUID> touched) {
    if (occurrence != null) {
      touch(occurrence.booking(), touched);
    }
  }

  private static void touch(Booking booking, Set<UUID> touched) {
    if (booking != null) {
      booking.slots().forEach(slot -> touched.add(slot.node()));
    }
  }

  private void apply(Move move) {
    switch (move) {
      case Move.LeaseMoved moved -> {
        if (moved.after().state().isFinal()) {
          leases.remove(moved.after().id());
        } else {
          leases.put(moved.after().id(), moved.after());
        }
      }
      case Move.OccurrenceMoved moved -> {
        if (moved.after().state() == Occurrence.State.BOOKED) {
          occurrences.put(moved.after().id(), moved.after());
        } else {
          occurrences.remove(moved.after().id());
        }
      }
      case Move.NodeSet set -> nodes.put(set.node().id(), set.node());
      case Move.TenantSet set -> tenants.put(set.tenant().slug(), set.tenant());
      case Move.ContractSet set -> contracts.put(set.contract().id(), set.contract());
      case Move.ClassSet set -> classes.put(set.serviceClass().slug(), set.serviceClass());
      case Move.ClusterSet set -> paused.put(set.cluster(), set.paused());
      default -> {}
    }
  }

  private void same(Book book) {
    check(book.leases().size() == leases.size(), "the book has more or fewer leases", null);
    for (Lease lease : book.leases()) {
      check(lease.equals(leases.get(lease.id())), "the book has another version of %s", lease);
    }
    check(
        List.copyOf(book.occurrences()).equals(List.copyOf(occurrences.values())),
        "the book has other occurrences than its moves say",
        null);
  }

  /** The tenant, and all above it. */
  List<String> path(String tenant) {
    List<String> path = new ArrayList<>();
    for (String at = tenant; at != null; at = tenants.get(at).parent()) {
      path.add(at);
    }
    return path;
  }

  ServiceClass classOf(Lease lease) {
    return classes.get(lease.ask().serviceClass());
  }

  void check(boolean holds, String fault, Lease lease) {
    if (!holds) {
      fault(lease == null ? fault : fault.formatted(lease.id() + " " + lease.state()));
    }
  }

  void fault(String fault) {
    faults.add(fault);
  }
}
