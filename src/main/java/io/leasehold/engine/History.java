package io.leasehold.engine;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What each tenant has used of each model, fading with a half-life of a day: for each tick of a
 * minute {@code h = floor(h x M / 2^32) + use}, in thousandths of GPUs times milliseconds (engine
 * rule 7). Kept for a tenant's own leases; a tenant that is above others has the sum of theirs.
 *
 * <p>A lease that runs counts by its window, so only what ends has to be written down: then the
 * tenant is brought to the running tick, and of that tick the lease is charged what it had of it.
 * Until then whoever asks is charged the whole tick in advance: that is the charge of an entry, and
 * an early end gives the rest back.
 */
final class History {

  static final long TICK = Time.MINUTE;

  /** Milliseconds of a tick. */
  static final long TICK_MILLIS = TICK / 1_000;

  /**
   * 2^32 x 2^(-1/1440): after 1,440 ticks, a day, half of it is left; after 20 days, a millionth.
   */
  private static final long M = 4_292_900_401L;

  /** The weight of all ticks together: what a use that never changes comes to, divided by it. */
  static final long WEIGHT = 2_078 * TICK_MILLIS;

  /** What is over, brought to the beginning of a tick; and of that tick, what has ended in it. */
  record Past(long used, long tick) {
    static final Past NONE = new Past(0, 0);
  }

  /** What a promised lease uses. */
  record Use(Usage.Account account, Span window, long milli) {

    static List<Use> promised(@Nullable Lease lease) {
      if (lease == null || !lease.state().hasPromise()) {
        return List.of();
      }
      Booking booking = Objects.requireNonNull(lease.booking());
      Usage.Account account = new Usage.Account(lease.ask().tenant(), booking.model());
      return Charge.of(booking, Objects.requireNonNull(lease.window())).stream()
          .map(charge -> new Use(account, charge.span(), charge.milli()))
          .toList();
    }

    /** The part of it that another version of the same lease does not go on with. */
    private Use without(List<Use> others) {
      long left = milli;
      for (Use other : others) {
        boolean goesOn = account.equals(other.account) && window.start() == other.window.start();
        left -= goesOn ? Math.min(left, other.milli) : 0;
      }
      return left == milli ? this : new Use(account, window, left);
    }

    boolean beginsAs(Use other) {
      return account.equals(other.account)
          && window.start() == other.window.start()
          && milli == other.milli;
    }
  }

  private static final long UNKNOWN = Long.MIN_VALUE;

  private final Table<Usage.Account, Past> pasts;
  private final Map<Usage.Account, Profile> running = new HashMap<>();
  private final TenantTree tree;
  private final Undo undo;

  /** Only remembered: what is above, brought further, and its sums up the tree at one tick. */
  private final Map<Usage.Account, Past> brought = new HashMap<>();

  private final Map<Usage.Account, Long> sums = new HashMap<>();
  private long summedAt = UNKNOWN;

  History(TenantTree tree, Undo undo) {
    this.tree = tree;
    this.undo = undo;
    pasts = Table.hashed(undo);
  }

  /** What a tenant and all below it have used until the tick of an instant. */
  long of(String tenant, String model, long now) {
    long tick = tick(now);
    if (summedAt != tick) {
      sum(tick);
    }
    return sums.getOrDefault(new Usage.Account(tenant, model), 0L);
  }

  /** As it is written down. */
  Past written(Usage.Account account) {
    Past past = pasts.get(account);
    return past == null ? Past.NONE : past;
  }

  Map<Usage.Account, Past> written() {
    return pasts.rows();
  }

  void set(Usage.Account account, Past past) {
    if (!past.equals(pasts.get(account))) {
      pasts.put(account, past);
      forget(account);
      undo.record(() -> forget(account));
    }
  }

  /** A lease gets, changes or loses its promise. */
  void moved(@Nullable Lease before, Lease after, long now) {
    List<Use> was = Use.promised(before);
    List<Use> is = Use.promised(after);
    over(before, after, now).forEach(use -> settle(use, now));
    if (was.equals(is)) {
      return;
    }
    was.forEach(use -> change(use, -1));
    is.forEach(use -> change(use, 1));
    if (!beginAlike(was, is)) {
      was.forEach(this::forgetIfChanged);
      is.forEach(this::forgetIfChanged);
    }
  }

  /**
   * The uses, or parts of them, that had begun and that a move ends: they are written down. What is
   * planned anew has not begun.
   */
  static List<Use> over(@Nullable Lease before, Lease after, long now) {
    if (before == null || before.state() == LeaseState.PLANNED && after.state().hasPromise()) {
      return List.of();
    }
    List<Use> is = Use.promised(after);
    return Use.promised(before).stream()
        .filter(use -> use.window().start() < now)
        .map(use -> use.without(is))
        .filter(use -> use.milli() > 0)
        .toList();
  }

  private static boolean beginAlike(List<Use> was, List<Use> is) {
    if (was.size() != is.size()) {
      return false;
    }
    for (int i = 0; i < was.size(); i++) {
      if (!was.get(i).beginsAs(is.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Something below which others lie has moved: sums up the tree are made anew. */
  void treeChanged() {
    summedAt = UNKNOWN;
    undo.record(() -> summedAt = UNKNOWN);
  }

  private void settle(Use ended, long now) {
    Usage.Account account = ended.account();
    long tick = tick(now);
    Past until = at(account, tick);
    Span window = ended.window();
    long had = millis(Math.min(now, window.end())) - millis(Math.max(window.start(), tick * TICK));
    long charge = Math.multiplyExact(ended.milli(), Math.max(0, had));
    Past past = new Past(Math.addExact(until.used(), charge), tick);
    pasts.put(account, past);
    brought.put(account, past);
    undo.record(() -> forget(account));
    if (summedAt == tick) {
      addUp(account, charge);
    }
  }

  private void change(Use use, int sign) {
    if (use.milli() != 0) {
      add(use, sign);
      undo.record(
          () -> {
            add(use, -sign);
            forgetIfChanged(use);
          });
    }
  }

  private void add(Use use, int sign) {
    Profile profile = running.computeIfAbsent(use.account(), _ -> new Profile());
    profile.add(use.window(), sign * use.milli());
    if (profile.isEmpty()) {
      running.remove(use.account());
    }
  }

  /** What is remembered beyond what is written down may have counted a use that has changed. */
  private void forgetIfChanged(Use use) {
    Past known = brought.get(use.account());
    long remembered = Math.max(summedAt, known == null ? UNKNOWN : known.tick());
    if (Math.max(tick(use.window().start()), written(use.account()).tick()) < remembered) {
      forget(use.account());
    }
  }

  private void forget(Usage.Account account) {
    brought.remove(account);
    summedAt = UNKNOWN;
  }

  private void sum(long tick) {
    sums.clear();
    pasts.rows().keySet().forEach(account -> addUp(account, at(account, tick).used()));
    for (Usage.Account account : running.keySet()) {
      if (pasts.get(account) == null) {
        addUp(account, at(account, tick).used());
      }
    }
    summedAt = tick;
  }

  private void addUp(Usage.Account account, long used) {
    if (used != 0) {
      for (String level : tree.path(account.tenant())) {
        sums.merge(new Usage.Account(level, account.model()), used, Math::addExact);
      }
    }
  }

  /** An account at the beginning of a tick. */
  private Past at(Usage.Account account, long tick) {
    Past from = brought.get(account);
    if (from == null || from.tick() > tick) {
      from = written(account);
    }
    if (from.tick() < tick) {
      from = bring(from, tick, running.get(account));
      brought.put(account, from);
    }
    return from;
  }

  private static Past bring(Past from, long to, @Nullable Profile profile) {
    long used = from.used();
    long tick = from.tick();
    while (tick < to) {
      long start = tick * TICK;
      long change = profile == null ? Span.FOREVER : profile.nextChange(start);
      long steady = Math.min(to, change / TICK);
      if (steady > tick) {
        long use = profile == null ? 0 : profile.at(start) * TICK_MILLIS;
        used = steady(used, use, steady - tick);
        tick = steady;
      } else {
        used = Math.addExact(faded(used), sum(profile, start, start + TICK));
        tick++;
      }
    }
    return new Past(used, to);
  }

  /** Many ticks of the same use, until that changes nothing any more. */
  private static long steady(long used, long use, long ticks) {
    long at = used;
    for (long n = 0; n < ticks; n++) {
      long next = Math.addExact(faded(at), use);
      if (next == at) {
        return at;
      }
      at = next;
    }
    return at;
  }

  private static long faded(long used) {
    return Math.multiplyHigh(used, M) << 32 | used * M >>> 32;
  }

  private static long sum(Profile profile, long start, long end) {
    long sum = 0;
    NavigableSet<Long> changes = profile.changes(new Span(start, end));
    for (long from : changes) {
      Long next = changes.higher(from);
      long millis = millis(next == null ? end : next) - millis(from);
      sum = Math.addExact(sum, Math.multiplyExact(profile.at(from), millis));
    }
    return sum;
  }

  private static long tick(long instant) {
    return Math.floorDiv(instant, TICK);
  }

  private static long millis(long instant) {
    return Math.floorDiv(instant, 1_000);
  }
}
