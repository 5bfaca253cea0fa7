package io.leasehold.engine;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Requests in order of precedence: who has aged by arrival; then what is inside its guarantee
 * before borrowers, by class; in a class who holds an earmark by rank, then tenants by their fair
 * shares, and where these are about equal the shortest of those that only fill gaps. Of equal
 * requests of one tenant only the first stands in line; the next follows once it is served.
 */
final class Line {

  private record Group(boolean aged, boolean guaranteed, int priority)
      implements Comparable<Group> {

    private static final Comparator<Group> ORDER =
        Comparator.comparing((Group group) -> !group.aged())
            .thenComparing(group -> !group.guaranteed())
            .thenComparing(group -> -(long) group.priority());

    static Group of(Candidate candidate) {
      return candidate.aged()
          ? new Group(true, true, 0)
          : new Group(false, candidate.guaranteed(), candidate.terms().serviceClass().priority());
    }

    @Override
    public int compareTo(Group other) {
      return ORDER.compare(this, other);
    }
  }

  /**
   * A place among those without an earmark. In a band of equal shares the first by share and
   * arrival comes first as long as its models still have an earmark to give; once they have none,
   * those left have only gaps to fill, and the shortest goes first.
   *
   * @param gap how long a gap it needs; {@code NO_GAP} while there is an earmark to be had
   * @param asOf the promises it was judged by
   */
  private record Standing(Candidate candidate, FairKey key, long gap, long asOf)
      implements Comparable<Standing> {

    private static final long NO_GAP = -1;

    boolean fillsGaps() {
      return gap != NO_GAP;
    }

    @Override
    public int compareTo(Standing other) {
      int order = FairKey.BY_BAND.compare(key, other.key);
      if (order == 0) {
        order = Long.compare(gap, other.gap);
      }
      if (order == 0) {
        order = key.compareTo(other.key);
      }
      return order != 0
          ? order
          : Long.compare(candidate.lease().sequence(), other.candidate.lease().sequence());
    }
  }

  /**
   * Requests of one shape in a group, the next one first. Once there is no room for the shape and
   * no earmark for its models, none of them has anything to come for.
   */
  private final class Alike implements Comparable<Alike> {
    private final Shape shape;
    private final List<String> set;
    private final PriorityQueue<Standing> queue = new PriorityQueue<>();
    private boolean isInLine;

    Alike(Shape shape) {
      this.shape = shape;
      this.set = shape.modelSet();
    }

    Standing standing(Candidate candidate) {
      return Line.this.standing(candidate, given.test(set));
    }

    Standing head() {
      return queue.element();
    }

    /** Whether its head stands where it is by now; it falls back otherwise, or goes. */
    boolean isSettled() {
      Standing known = head();
      boolean fillsGaps = given.test(set);
      if (fillsGaps && hopefulOnly && isInVain(known)) {
        return false;
      }
      if (known.asOf() == book.usage().changes() && fillsGaps == known.fillsGaps()) {
        return true;
      }
      Standing standing = standing(known.candidate());
      if (standing.compareTo(known) == 0) {
        return true;
      }
      queue.remove();
      queue.add(standing);
      return false;
    }

    /**
     * All that is asked for now is of one mind; the others are asked one by one. Looked into before
     * all of them are put into the order of gaps, and once somebody has failed.
     */
    private boolean isInVain(Standing known) {
      boolean worthALook = !known.fillsGaps() || search.hasFailed(shape);
      if (!worthALook || !wantsRoomOnly(known.candidate()) || !search.isInVainNow(shape)) {
        return false;
      }
      queue.removeIf(other -> wantsRoomOnly(other.candidate()));
      return true;
    }

    @Override
    public int compareTo(Alike other) {
      return head().compareTo(other.head());
    }
  }

  /** Requests of one group. While a line is served each only falls back, never gets ahead. */
  private final class Members {
    private final NavigableSet<Candidate> first =
        new TreeSet<>(
            Comparator.comparing(Line::rank)
                .thenComparing(candidate -> candidate.lease().sequence()));
    private final Map<Shape, Alike> shapes = new HashMap<>();
    private final PriorityQueue<Alike> rest = new PriorityQueue<>();
    private final Set<Alike> fresh = new LinkedHashSet<>();

    void add(Candidate candidate) {
      if (candidate.aged() || candidate.lease().earmark() != null) {
        first.add(candidate);
        return;
      }
      Alike alike = shapes.computeIfAbsent(candidate.ask().shape(), Alike::new);
      Standing standing = alike.standing(candidate);
      if (!alike.queue.isEmpty() && alike.isInLine && standing.compareTo(alike.head()) < 0) {
        rest.remove(alike);
        alike.isInLine = false;
      }
      alike.queue.add(standing);
      if (!alike.isInLine) {
        fresh.add(alike);
      }
    }

    @Nullable Candidate poll() {
      if (!first.isEmpty()) {
        return first.pollFirst();
      }
      fresh.forEach(this::putInLine);
      fresh.clear();
      for (Alike next = rest.poll(); next != null; next = rest.poll()) {
        next.isInLine = false;
        boolean settled = next.isSettled();
        Candidate candidate = settled ? next.queue.remove().candidate() : null;
        putInLine(next);
        if (candidate != null) {
          return candidate;
        }
      }
      return null;
    }

    private void putInLine(Alike alike) {
      if (!alike.isInLine && !alike.queue.isEmpty()) {
        alike.isInLine = true;
        rest.add(alike);
      }
    }
  }

  private final Book book;
  private final Search search;
  private final long now;
  private final Map<Group, Members> groups = new TreeMap<>();
  private final Set<UUID> seen = new HashSet<>();
  private final Predicate<List<String>> given;
  private BooleanSupplier hunts = () -> true;
  private boolean anyAfter;
  private boolean hopefulOnly;

  /**
   * @param given the sets of models of which no further earmark is given
   * @param hunts whether others may still be ended for those that wait
   */
  Line(Book book, Search search, long now, Predicate<List<String>> given) {
    this.given = given;
    this.book = book;
    this.search = search;
    this.now = now;
  }

  /** All that waits. */
  void addWaiting() {
    addEarmarked();
    book.register().lanes().forEachFirst(this::add);
  }

  /**
   * All that waits and may get anything: devices now, or an earmark. Who is over its limits now, or
   * finds no room now and its set's earmark given, would be served in vain.
   *
   * @param hunts whether others may still be ended for those that wait
   */
  void addHopeful(BooleanSupplier hunts) {
    this.hunts = hunts;
    hopefulOnly = true;
    addEarmarked();
    book.register().lanes().forEachFirst(this::addHopeful);
  }

  private void addHopeful(Lease lease) {
    if (!isForNow(lease)) {
      add(lease);
    } else if (!seen.contains(lease.id())) {
      Candidate candidate = candidate(lease);
      if (candidate.allowed() || mayTake(candidate)) {
        seen.add(lease.id());
        members(candidate).add(candidate);
      }
    }
  }

  /** Those whose turn may come by itself: who holds an earmark, and whose search was cut short. */
  void addEarmarked() {
    book.register().earmarked().forEach(this::add);
    book.register().undecided().forEach(this::add);
  }

  void add(Lease lease) {
    if (seen.add(lease.id())) {
      Candidate candidate = candidate(lease);
      anyAfter |= !lease.ask().after().isEmpty();
      members(candidate).add(candidate);
    }
  }

  private Members members(Candidate candidate) {
    return groups.computeIfAbsent(Group.of(candidate), _ -> new Members());
  }

  /** Whether any of them waits for other leases to be over. */
  boolean anyAfter() {
    return anyAfter;
  }

  /** Who is next; null if nobody is. */
  @Nullable Candidate poll() {
    for (Members members : groups.values()) {
      Candidate next = members.poll();
      if (next != null) {
        return next;
      }
    }
    return null;
  }

  /** The next of its equals takes its place. */
  void follow(Candidate candidate) {
    if (!candidate.isNew()) {
      Lease next = book.register().next(candidate.lease());
      if (next != null) {
        add(next);
      }
    }
  }

  Candidate candidate(Lease lease) {
    Terms terms = book.terms(lease);
    Choice choice = search.choice(lease.ask());
    boolean aged = lease.state() == LeaseState.WAITING && book.hasAged(lease, now);
    return new Candidate(
        lease, terms, choice.guaranteed(), choice.allowed(), aged, choice.model(), choice.need());
  }

  private Standing standing(Candidate candidate, boolean fillsGaps) {
    long gap = fillsGaps ? candidate.length() : Standing.NO_GAP;
    return new Standing(
        candidate, FairKey.of(candidate, search.ladders()), gap, book.usage().changes());
  }

  private boolean wantsRoomOnly(Candidate candidate) {
    return !candidate.isNew() && isForNow(candidate.lease()) && !mayTake(candidate);
  }

  /** Whether others might have to make room for it: then it is not in vain where there is none. */
  private boolean mayTake(Candidate candidate) {
    return hunts.getAsBoolean()
        && (candidate.terms().serviceClass().mayPreempt() || mayReclaim(candidate));
  }

  /** Of a single model it is known already where no limit is in the way. */
  private boolean mayReclaim(Candidate candidate) {
    boolean isKnown = candidate.allowed() && candidate.ask().shape().models().size() == 1;
    return isKnown
        ? candidate.guaranteed() && !book.entitlements().isEmpty()
        : search.mayReclaim(candidate.ask());
  }

  /** Of the open fleet, at once: what equal shapes have in common. */
  private static boolean isForNow(Lease lease) {
    return lease.ask().when() instanceof Ask.When.Now
        && lease.ask().after().isEmpty()
        && lease.ask().reservation() == null;
  }

  private static int rank(Candidate candidate) {
    Lease.Earmark earmark = candidate.lease().earmark();
    return candidate.aged() || earmark == null ? 0 : earmark.rank();
  }
}
