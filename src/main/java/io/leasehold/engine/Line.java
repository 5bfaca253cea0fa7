package io.leasehold.engine;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
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
   * Requests of one group. While a line is served each only falls back, never gets ahead. Those for
   * whom there is no room now stand apart, by set of models: once its earmark is given they have
   * nothing to come for.
   */
  private final class Members {
    private final NavigableSet<Candidate> first =
        new TreeSet<>(
            Comparator.comparing(Line::rank)
                .thenComparing(candidate -> candidate.lease().sequence()));
    private final PriorityQueue<Standing> rest = new PriorityQueue<>();
    private final Map<List<String>, PriorityQueue<Standing>> hopeless = new HashMap<>();

    void add(Candidate candidate) {
      if (candidate.aged() || candidate.lease().earmark() != null) {
        first.add(candidate);
      } else {
        rest.add(standing(candidate));
      }
    }

    void addHopeless(Candidate candidate) {
      hopeless
          .computeIfAbsent(candidate.ask().shape().modelSet(), _ -> new PriorityQueue<>())
          .add(standing(candidate));
    }

    @Nullable Candidate poll() {
      if (!first.isEmpty()) {
        return first.pollFirst();
      }
      PriorityQueue<Standing> next = next();
      return next == null ? null : next.remove().candidate();
    }

    /** The queue whose head is next; null if nobody is. */
    private @Nullable PriorityQueue<Standing> next() {
      PriorityQueue<Standing> next = settled(rest);
      hopeless.keySet().removeIf(given);
      for (PriorityQueue<Standing> queue : hopeless.values()) {
        PriorityQueue<Standing> other = settled(queue);
        if (other != null && (next == null || other.peek().compareTo(next.peek()) < 0)) {
          next = other;
        }
      }
      return next;
    }

    /** With its head where it stands by now; null if it is empty. */
    private @Nullable PriorityQueue<Standing> settled(PriorityQueue<Standing> queue) {
      for (Standing known = queue.peek(); known != null; known = queue.peek()) {
        if (isInVain(known.candidate())) {
          queue.remove();
          continue;
        }
        if (isCurrent(known)) {
          return queue;
        }
        Standing standing = standing(known.candidate());
        if (standing.compareTo(known) == 0) {
          return queue;
        }
        queue.remove();
        queue.add(standing);
      }
      return null;
    }
  }

  private final Book book;
  private final Search search;
  private final long now;
  private final Map<Group, Members> groups = new TreeMap<>();
  private final Set<UUID> seen = new HashSet<>();
  private final Predicate<List<String>> given;
  private boolean anyAfter;
  private boolean hopefulOnly;

  /**
   * @param given the sets of models of which no further earmark is given
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
    for (NavigableSet<Lease> lane : book.register().lanes()) {
      add(lane.first());
    }
  }

  /**
   * All that waits and may get anything: devices now, or an earmark. Who is over its limits now, or
   * finds no room now and its set's earmark given, would be served in vain.
   */
  void addHopeful() {
    hopefulOnly = true;
    addEarmarked();
    Map<Shape, Boolean> mayFit = new HashMap<>();
    for (NavigableSet<Lease> lane : book.register().lanes()) {
      Lease lease = lane.first();
      if (!(lease.ask().when() instanceof Ask.When.Now) || !lease.ask().after().isEmpty()) {
        add(lease);
      } else if (!seen.contains(lease.id())) {
        boolean fits = mayFit.computeIfAbsent(lease.ask().shape(), search::mayFitNow);
        addHopeful(lease, fits);
      }
    }
  }

  private void addHopeful(Lease lease, boolean mayFit) {
    Candidate candidate = candidate(lease);
    if (!candidate.allowed()) {
      return;
    }
    seen.add(lease.id());
    Members members = members(candidate);
    if (mayFit || candidate.aged()) {
      members.add(candidate);
    } else {
      members.addHopeless(candidate);
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
    Search.Choice choice = search.choice(lease.ask());
    boolean aged =
        lease.state() == LeaseState.WAITING
            && Time.plus(lease.createdAt(), terms.serviceClass().agingAfter()) <= now
            && book.register().isOldest(lease);
    return new Candidate(lease, terms, choice.guaranteed(), choice.allowed(), aged, choice.model(), choice.need());
  }

  private Standing standing(Candidate candidate) {
    boolean fillsGaps = given.test(candidate.ask().shape().modelSet());
    long gap = fillsGaps ? candidate.length() : Standing.NO_GAP;
    return new Standing(
        candidate, FairKey.of(candidate, search.ladders()), gap, book.usage().changes());
  }

  /** Nothing has changed by which it was judged. */
  private boolean isCurrent(Standing standing) {
    boolean fillsGaps = standing.gap() != Standing.NO_GAP;
    return standing.asOf() == book.usage().changes()
        && fillsGaps == given.test(standing.candidate().ask().shape().modelSet());
  }

  /** By now the room for its shape is gone, and so is the earmark. */
  private boolean isInVain(Candidate candidate) {
    return hopefulOnly
        && !candidate.isNew()
        && candidate.ask().when() instanceof Ask.When.Now
        && given.test(candidate.ask().shape().modelSet())
        && search.isInVainNow(candidate.ask().shape());
  }

  private static int rank(Candidate candidate) {
    Lease.Earmark earmark = candidate.lease().earmark();
    return candidate.aged() || earmark == null ? 0 : earmark.rank();
  }
}
