package io.leasehold.engine;

import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** Turns what a search found out into reasons with numbers. */
final class Reasons {

  static final String SHAPE = "shape";

  private Reasons() {}

  /** Whether a limit of the tenant or of a level above is in the way, not the fleet. */
  static boolean isOfLimits(Answer.Reason reason) {
    return switch (reason.code()) {
      case "guarantee", "borrowing-limit", "lending-limit" -> true;
      default -> false;
    };
  }

  /** The search was cut short; and with how many steps it is tried again, 0 = not by itself. */
  static Answer.Reason budget(long steps, long next) {
    String then =
        next > steps
            ? "and is tried again with " + next
            : "and is tried again when something changes";
    return new Answer.Reason(
        "budget",
        "the search was cut short after " + steps + " steps " + then,
        "pool",
        "",
        null,
        steps,
        next > steps ? Long.valueOf(next) : null,
        "step");
  }

  static Answer.Reason over(Limits.Standing.Over over, String model) {
    String unit = whole(over.need()) && whole(over.used()) ? "gpu" : "gpu-milli";
    long per = unit.equals("gpu") ? Units.PER_GPU : 1;
    String detail =
        switch (over.code()) {
          case "guarantee" ->
              "a lease that may not be preempted must fit the guarantee of "
                  + over.tenant()
                  + " for "
                  + model;
          case "lending-limit" -> "others do not lend that much " + model;
          default -> "more than " + over.tenant() + " may borrow of " + model;
        };
    return new Answer.Reason(
        over.code(),
        detail,
        "tenant",
        over.tenant(),
        over.need() / per,
        over.used() / per,
        over.limit() / per,
        unit);
  }

  static Answer.Reason noRoom(Found.None none, String model, Shape shape) {
    String code =
        switch (none.kind()) {
          case COUNT -> "capacity";
          case SHAPE -> SHAPE;
          case HOST -> "host";
          case MODE -> "sharing-mode";
        };
    return new Answer.Reason(
        code,
        model + ": " + none.detail(),
        none.scope(),
        none.name(),
        (long) shape.pieces(),
        null,
        none.free(),
        "gpu");
  }

  static Answer.Reason after(List<UUID> before) {
    return new Answer.Reason(
        "after",
        "waits until " + before.size() + " other leases are over",
        "pool",
        "",
        0L,
        (long) before.size(),
        0L,
        "lease");
  }

  static Answer.Reason limit(
      String code, String detail, String serviceClass, long need, long most) {
    return new Answer.Reason(
        code,
        detail,
        "class",
        serviceClass,
        need / Time.SECOND,
        null,
        most / Time.SECOND,
        "second");
  }

  static Answer.Reason plain(String code, String detail) {
    return new Answer.Reason(code, detail, "pool", "", null, null, null, "lease");
  }

  /** Of a request that was declined before it was looked at. */
  static String code(Decision.Declined declined) {
    return declined.why().name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** A promise lasts until the end of its hold; one without an end, for ever. */
  static Answer.Blocker blocker(Lease holder) {
    Booking taken = holder.taken();
    long milli = taken == null ? 0 : taken.gpuMilli();
    long until = taken == null ? Span.FOREVER : taken.hold().end();
    return new Answer.Blocker(holder.id(), holder.ask().tenant(), milli, until);
  }

  static Answer.Blocker blocker(VictimWalk.Victim victim) {
    Lease lease = victim.lease();
    return new Answer.Blocker(lease.id(), lease.ask().tenant(), victim.milli(), victim.freeAt());
  }

  /** By the end of whom a request gets its devices. */
  static Answer.Reason preempting(Toll toll) {
    return new Answer.Reason(
        "preempting",
        preempted(toll.ended(), toll.victims().size() - toll.ended()),
        "cluster",
        toll.fits().booking().cluster(),
        toll.fits().booking().gpuMilli() / Units.PER_GPU,
        null,
        toll.milli() / Units.PER_GPU,
        "gpu");
  }

  private static String preempted(long ended, long reduced) {
    String end =
        ended == 1
            ? "a lease of lower precedence is ended for it"
            : ended + " leases of lower precedence are ended for it";
    String give =
        reduced == 1
            ? "a gang of lower precedence gives of its surplus"
            : reduced + " gangs of lower precedence give of their surplus";
    return reduced == 0 ? end : ended == 0 ? give : end + ", and " + give;
  }

  /** Why something is taken of a lease: by what right, what goes on, what its tenant has then. */
  static List<Answer.Reason> ofVictim(VictimWalk.Victim victim, Candidate by, Book book) {
    return victim.ends()
        ? List.of(right(victim, by), share(victim, book))
        : List.of(right(victim, by), surplus(victim), share(victim, book));
  }

  /** A gang goes on with less, and with no fewer than it may start with. */
  private static Answer.Reason surplus(VictimWalk.Victim victim) {
    Shape shape = victim.lease().ask().shape();
    int has = shape.size();
    int keeps = has - victim.given().size();
    String unit = shape.groups() > 0 ? "group" : "gpu";
    return new Answer.Reason(
        "surplus",
        "it goes on with " + keeps + " of " + has + "; its least is " + shape.minCount(),
        "class",
        victim.lease().ask().serviceClass(),
        (long) keeps,
        (long) has,
        (long) shape.minCount(),
        unit);
  }

  /** By what right a lease is taken; the priorities are those of the two classes. */
  private static Answer.Reason right(VictimWalk.Victim victim, Candidate by) {
    boolean reclaimed = victim.right() == Mandate.Right.GUARANTEE;
    return new Answer.Reason(
        reclaimed ? "reclaimed" : "preempted",
        reclaimed
            ? "borrowed from a tenant whose request is inside its guarantee"
            : "its devices are needed by a class of higher priority",
        "class",
        victim.lease().ask().serviceClass(),
        (long) by.terms().serviceClass().priority(),
        (long) victim.rank().priority(),
        null,
        "priority");
  }

  /** What its tenant has before and after, beside what it is guaranteed. */
  private static Answer.Reason share(VictimWalk.Victim victim, Book book) {
    Lease lease = victim.lease();
    String tenant = lease.ask().tenant();
    Booking booking = lease.booking();
    long at = Math.max(victim.effectiveAt(), lease.window().start());
    long before = book.usage().of(tenant, booking.model()).at(at) / Units.PER_GPU;
    long guaranteed = book.entitlements().at(tenant, booking.model(), at).guaranteed();
    long after = before - victim.milli() / Units.PER_GPU;
    return new Answer.Reason(
        "share",
        tenant + " has " + before + " GPUs before and " + after + " after",
        "tenant",
        tenant,
        after,
        before,
        guaranteed / Units.PER_GPU,
        "gpu");
  }

  private static boolean whole(long milli) {
    return milli % Units.PER_GPU == 0;
  }
}
