package io.leasehold.engine;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one pool: fleet, tenants, contracts, leases. Changed by moves only. Not safe for
 * several threads: it belongs to one decider.
 *
 * <p>A book that was rebuilt from the facts and leases of a snapshot, and one that followed every
 * move, decide alike (engine rule 21).
 */
public final class Book {

  private final Undo undo = new Undo();
  private final Capacity capacity = new Capacity(undo);
  private final TenantTree tree = new TenantTree(undo);
  private final Entitlements entitlements = new Entitlements(undo);
  private final Usage usage = new Usage(tree, undo);
  private final History history = new History(tree, undo);
  private final Limits limits = new Limits(tree, entitlements, usage, capacity);
  private final Table<String, ServiceClass> classes = Table.sorted(undo);
  private final Table<String, Boolean> clusters = Table.sorted(undo);
  private final Table<String, List<Loss>> losses = Table.sorted(undo);
  private final Register register = new Register(undo);
  private final Victims victims = new Victims(undo);
  private final Disruptions disruptions = new Disruptions(undo, register);
  private final Memory memory = new Memory(undo);
  private final Reserved reserved = new Reserved(capacity, usage, register.dues(), undo);
  private final Holds holds = new Holds(capacity, usage, memory);
  private long now;

  /** Something that promises are held against has changed since the losses were looked at. */
  private boolean lossesMayHaveChanged = true;

  public Book() {}

  /** Applies moves that were decided at an instant: a log followed, or a snapshot loaded. */
  public void apply(long at, List<Move> moves) {
    moveTo(Math.max(now, at));
    for (Move move : moves) {
      apply(move);
    }
    register.dues().dropLooks(now);
    lookPastQuiet();
  }

  /** All that was applied until now is what a decision came to: who waits was looked at. */
  public void decided() {
    memory.allTried();
  }

  /** Whether a decision has seen all that was applied. */
  public boolean isDecided() {
    return memory.isQuiet();
  }

  /** Looks again when quiet hours that are running or to come are over. */
  void lookPastQuiet() {
    classes.values().forEach(each -> disruptions.lookPastQuiet(each, now));
  }

  /** The instant of the last decision, microseconds. */
  public long now() {
    return now;
  }

  /** A point to go back to. */
  public int mark() {
    return undo.mark();
  }

  /** Takes back everything since the mark. */
  public void undo(int mark) {
    undo.back(mark);
    memory.forget();
    lossesMayHaveChanged = true;
  }

  /** What was done is committed: nothing before can be taken back any more. */
  public void settle() {
    undo.settle();
    reserved.forgetTouched();
  }

  /** Live leases only: final ones leave the book. */
  public @Nullable Lease lease(UUID id) {
    return register.get(id);
  }

  /** By sequence. */
  public Collection<Lease> leases() {
    return register.all();
  }

  /** What is set aside and not over, by id. */
  public Collection<Occurrence> occurrences() {
    return reserved.all();
  }

  /** Those of {@link #occurrences} whose undrawn part may have changed since the last settling. */
  public Collection<UUID> touchedOccurrences() {
    return reserved.touched();
  }

  /** What no lease has of an occurrence, each with the time over which that is so. */
  public List<Booking> undrawn(UUID occurrence) {
    return reserved.undrawn(occurrence);
  }

  public @Nullable Node node(UUID id) {
    return capacity.node(id);
  }

  /** By ordinal. */
  public Collection<Node> nodes() {
    return capacity.nodes();
  }

  public @Nullable Tenant tenant(String slug) {
    return tree.get(slug);
  }

  public @Nullable ServiceClass serviceClass(String slug) {
    return classes.get(slug);
  }

  public @Nullable GpuModel model(String slug) {
    return capacity.model(slug);
  }

  public Collection<Contract> contracts() {
    return entitlements.all();
  }

  /**
   * What a tenant and all below it have used of a model until the last decision, in thousandths of
   * GPUs times milliseconds, with a half-life of a day (engine rule 7).
   */
  public long history(String tenant, String model) {
    return history.of(tenant, model, now);
  }

  /** By model, by how much its healthy GPUs fall short of what is promised, and to whom. */
  public Map<String, List<Loss>> losses() {
    return losses.rows();
  }

  /** The next instant at which something is due by itself; {@link Span#FOREVER} if nothing is. */
  public long nextDue() {
    Dues.Due first = register.dues().first();
    return first == null ? Span.FOREVER : first.instant();
  }

  void moveTo(long instant) {
    long old = now;
    now = instant;
    undo.record(() -> now = old);
  }

  /** The one way in which anything in the book changes. */
  void apply(Move move) {
    switch (move) {
      case Move.LeaseMoved moved -> set(moved.after());
      case Move.OccurrenceMoved moved -> reserved.set(moved.after());
      case Move.NodeSet set -> {
        register.drains(capacity.node(set.node().id()), set.node(), now);
        capacity.set(set.node());
      }
      case Move.ModelSet set -> capacity.set(set.model());
      case Move.ClassSet set -> setClass(set.serviceClass());
      case Move.TenantSet set -> setTenant(set.tenant());
      case Move.ContractSet set -> setContract(set.contract());
      case Move.ClusterSet set -> {
        clusters.put(set.cluster(), set.paused());
        capacity.setPaused(set.cluster(), set.paused());
      }
      case Move.UsageSet set ->
          history.set(
              new Usage.Account(set.tenant(), set.model()),
              new History.Past(set.usage(), set.tick()));
      case Move.LossSet set -> {
        if (set.losses().isEmpty()) {
          losses.remove(set.model());
        } else {
          losses.put(set.model(), set.losses());
        }
        return;
      }
      case Move.DisruptionSet set ->
          disruptions.set(
              new Victims.Lot(set.tenant(), set.serviceClass()),
              set.at(),
              classes.get(set.serviceClass()),
              now);
    }
    if (move instanceof Move.NodeSet || move instanceof Move.ModelSet) {
      memory.fleetChanged();
    }
    if (!(move instanceof Move.LeaseMoved
        || move instanceof Move.UsageSet
        || move instanceof Move.DisruptionSet)) {
      memory.roomMayHaveGrown();
      lossesMayHaveChanged = true;
    }
  }

  /**
   * Whether losses have to be looked at: where there are some, where more is in use than works,
   * where what they depend on changed, and where a contract began or ended since an instant.
   */
  boolean lossesMayHaveChanged(long since) {
    boolean look =
        !entitlements.isEmpty()
            && (lossesMayHaveChanged
                || losses.size() > 0
                || entitlements.changes(new Span(since, now + 1)).size() > 1
                || Losses.isMoreInUseThanWorks(this));
    lossesMayHaveChanged = false;
    return look;
  }

  /** Takes an earmark out of the fleet without a move, while those before it are served. */
  void lift(Lease earmarked) {
    set(earmarked.withoutEarmark());
  }

  /** A version of a lease without a move, to see what then would be; to be undone. */
  void suppose(Lease lease) {
    set(lease);
  }

  /** A version of an occurrence without a move, to see what then would be; to be undone. */
  void suppose(Occurrence occurrence) {
    reserved.set(occurrence);
  }

  /** Puts a lifted earmark back as it was. */
  void putBack(Lease earmarked) {
    set(earmarked);
  }

  Capacity capacity() {
    return capacity;
  }

  TenantTree tree() {
    return tree;
  }

  Entitlements entitlements() {
    return entitlements;
  }

  Usage usage() {
    return usage;
  }

  History history() {
    return history;
  }

  Limits limits() {
    return limits;
  }

  Register register() {
    return register;
  }

  Reserved reserved() {
    return reserved;
  }

  Disruptions disruptions() {
    return disruptions;
  }

  Victims victims() {
    return victims;
  }

  Memory memory() {
    return memory;
  }

  /** Null for a cluster never heard of. */
  @Nullable Boolean clusterPaused(String cluster) {
    return clusters.get(cluster);
  }

  /** The class of a request; a request of an unknown class was refused at the door. */
  Terms terms(Ask ask, long createdAt) {
    ServiceClass serviceClass = classes.get(ask.serviceClass());
    if (serviceClass == null) {
      throw new IllegalStateException("no service class " + ask.serviceClass());
    }
    return new Terms(ask, serviceClass, createdAt);
  }

  Terms terms(Lease lease) {
    return terms(lease.ask(), lease.createdAt());
  }

  /**
   * Whether a waiting lease waits for longer than its class should let it, the longest of its kind.
   */
  boolean hasAged(Lease waiting, long at) {
    return Time.plus(waiting.createdAt(), terms(waiting).serviceClass().agingAfter()) <= at
        && register.isOldest(waiting);
  }

  private void set(Lease after) {
    Lease before = register.get(after.id());
    Set<Occurrence> touched = reserved.touchedBy(before, after.state().isFinal() ? null : after);
    touched.forEach(reserved::lift);
    history.moved(before, after, now);
    capacity.mix().moved(before, after);
    if (before != null) {
      holds.release(before, after);
      register.remove(before, classes);
    }
    if (!after.state().isFinal()) {
      register.add(after, classes, now);
      holds.claim(before, after);
    } else {
      memory.roomMayHaveGrown();
    }
    register.sawSequence(after.sequence());
    touched.forEach(reserved::lay);
    victims.moved(before, after);
  }

  /** Due instants depend on the class: they are entered anew. */
  private void setClass(ServiceClass serviceClass) {
    List<Lease> members =
        register.all().stream()
            .filter(lease -> lease.ask().serviceClass().equals(serviceClass.slug()))
            .toList();
    members.forEach(lease -> register.remove(lease, classes));
    disruptions.become(classes.get(serviceClass.slug()), serviceClass, now);
    classes.put(serviceClass.slug(), serviceClass);
    members.forEach(lease -> register.add(lease, classes, now));
  }

  /** What is used below a tenant that moves counts at its new ancestors from now on. */
  private void setTenant(Tenant tenant) {
    Tenant old = tree.get(tenant.slug());
    boolean moves = old != null && !Objects.equals(old.parent(), tenant.parent());
    List<Lease> moved =
        !moves
            ? List.of()
            : register.all().stream()
                .filter(lease -> lease.state().hasPromise())
                .filter(lease -> tree.path(lease.ask().tenant()).contains(tenant.slug()))
                .toList();
    List<Occurrence> set = moves ? setAsideBelow(tenant.slug()) : List.of();
    moved.forEach(usage::remove);
    set.forEach(usage::remove);
    tree.set(tenant);
    history.treeChanged();
    moved.forEach(usage::add);
    set.forEach(usage::add);
  }

  private List<Occurrence> setAsideBelow(String tenant) {
    return reserved.all().stream()
        .filter(each -> tree.path(each.tenant()).contains(tenant))
        .toList();
  }

  private void setContract(Contract contract) {
    Contract old = entitlements.get(contract.id());
    if (old != null) {
      register.dues().remove(old.valid().start(), Dues.Kind.LOOK, 0, old.id());
      register.dues().remove(old.valid().end(), Dues.Kind.LOOK, 0, old.id());
    }
    entitlements.set(contract);
    register.lookAt(contract.valid().start(), contract.id(), now);
    register.lookAt(contract.valid().end(), contract.id(), now);
  }
}
