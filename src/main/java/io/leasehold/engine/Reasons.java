package io.leasehold.engine;

import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** Turns what a search found out into reasons with numbers. */
final class Reasons {

  private Reasons() {}

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
          case SHAPE -> "shape";
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

  private static boolean whole(long milli) {
    return milli % Units.PER_GPU == 0;
  }
}
