package io.leasehold.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the laws speak of, as it stands in a book at one instant. What is in a book are records that
 * never change, so an image is little more than lists of them: it is taken on the decider's thread
 * in passing, and looked at on another while the book goes on.
 */
public final class Image {

  /** So many instants of the use by tenants are looked at in one part, or one tenant's. */
  private static final int MOST_INSTANTS = 4_096;

  /** What is set aside, and what of it nobody has. */
  record Aside(Occurrence occurrence, List<Booking> undrawn) {}

  private final List<Lease> leases;
  private final List<Aside> occurrences = new ArrayList<>();
  private final Map<UUID, Node> nodes = new HashMap<>();
  private final List<Tenant> tenants;
  private final Map<Usage.Account, Long> usage;
  private final List<Part> parts = new ArrayList<>();
  private final List<Move.LossSet> unrecorded;
  private final Map<String, List<Loss>> losses;

  private Image(Book book, int mostInstants) {
    leases = List.copyOf(book.leases());
    for (Occurrence each : book.occurrences()) {
      occurrences.add(new Aside(each, book.undrawn(each.id())));
    }
    book.nodes().forEach(node -> nodes.put(node.id(), node));
    tenants = List.copyOf(book.tree().all());
    usage = book.usage().fingerprints();
    parts(book.usage(), mostInstants);
    unrecorded = new Losses(book, book.now()).changes();
    losses = Map.copyOf(book.losses());
  }

  /** Of a book between two decisions. */
  public static Image of(Book book) {
    return of(book, MOST_INSTANTS);
  }

  static Image of(Book book, int mostInstants) {
    return new Image(book, mostInstants);
  }

  private void parts(Usage of, int most) {
    List<Usage.Account> part = new ArrayList<>();
    int instants = 0;
    for (Usage.Account account : new TreeSet<>(usage.keySet())) {
      int more = of.of(account.tenant(), account.model()).size();
      if (!part.isEmpty() && instants + more > most) {
        parts.add(new Part(part));
        part = new ArrayList<>();
        instants = 0;
      }
      part.add(account);
      instants += more;
    }
    if (!part.isEmpty()) {
      parts.add(new Part(part));
    }
  }

  /** By sequence. */
  public List<Lease> leases() {
    return leases;
  }

  /** The revision of everything live in it, by id. */
  public Map<UUID, Long> revisions() {
    Map<UUID, Long> revisions = HashMap.newHashMap(leases.size() + occurrences.size());
    leases.forEach(lease -> revisions.put(lease.id(), lease.revision()));
    occurrences.forEach(
        each -> revisions.put(each.occurrence().id(), each.occurrence().revision()));
    return revisions;
  }

  /** The laws I1, I2 and I8; empty when they hold. One sentence for each fault. */
  public List<String> faults() {
    return new Audit(this).faults();
  }

  /** What is too much to take along, and is looked at in the book itself, part by part. */
  public List<Part> parts() {
    return parts;
  }

  /** Some tenants' use over time, which holds by itself at any instant: law I8 again. */
  public static final class Part {

    private final List<Usage.Account> accounts;

    private Part(List<Usage.Account> accounts) {
      this.accounts = accounts;
    }

    /** As it is by now. On the decider's thread. */
    public List<String> faults(Book book) {
      List<String> faults = new ArrayList<>();
      for (Usage.Account each : accounts) {
        if (!book.usage().of(each.tenant(), each.model()).isWhole()) {
          faults.add(
              "I8: the usage of %s of %s is not what was added to it"
                  .formatted(each.tenant(), each.model()));
        }
      }
      return faults;
    }
  }

  List<Aside> occurrences() {
    return occurrences;
  }

  @Nullable Node node(UUID id) {
    return nodes.get(id);
  }

  TenantTree tree() {
    TenantTree tree = new TenantTree(new Undo());
    tenants.forEach(tree::set);
    return tree;
  }

  /** The fingerprint of what counts as used, by tenant and model. */
  Map<Usage.Account, Long> usage() {
    return usage;
  }

  /** What the record of losses should say and does not. */
  List<Move.LossSet> unrecorded() {
    return unrecorded;
  }

  /** What it says of a model. */
  List<Loss> losses(String model) {
    return losses.getOrDefault(model, List.of());
  }
}
