package io.leasehold.lease;

import io.leasehold.contract.Contracts;
import io.leasehold.contract.ServiceClasses;
import io.leasehold.engine.Ask;
import io.leasehold.engine.Ask.Shortage;
import io.leasehold.engine.Ask.When;
import io.leasehold.engine.GpuModel;
import io.leasehold.engine.ServiceClass;
import io.leasehold.engine.Shape;
import io.leasehold.fleet.GpuModels;
import io.leasehold.fleet.Pools;
import io.leasehold.ledger.LeaseText;
import io.leasehold.web.WallClock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Turns a request into the engine's {@link Ask}: fills in every default, resolves every name, and
 * names every fault by JSON pointer and code, all at once.
 */
@Component
class Translation {

  static final String DEFAULT_CLASS = "batch";
  private static final long LONGEST_WAIT = 366 * 86_400L * Wire.SECOND;
  private static final long SHORTEST_SILENCE = 10 * Wire.SECOND;
  private static final long LONGEST_SILENCE = 7 * 86_400L * Wire.SECOND;
  private static final int MOST_COST = 1_000;
  private static final long DEFAULT_WAIT = 7 * 86_400L * Wire.SECOND;

  private final Function<String, Optional<ServiceClass>> classes;
  private final Supplier<? extends Collection<ServiceClass>> everyClass;
  private final Function<String, Optional<GpuModel>> models;
  private final Supplier<? extends Collection<GpuModel>> everyModel;
  private final Function<String, SortedSet<String>> poolsOf;
  private final Function<String, ? extends Collection<String>> clustersOf;
  private final LongSupplier now;
  private final JsonMapper json;

  @Autowired
  Translation(
      ServiceClasses classes,
      GpuModels models,
      Contracts contracts,
      Pools pools,
      WallClock clock,
      JsonMapper json) {
    this(
        classes::find,
        classes::all,
        models::find,
        models::all,
        contracts::poolsOf,
        pools::clustersOf,
        clock::micros,
        json);
  }

  Translation(
      Function<String, Optional<ServiceClass>> classes,
      Supplier<? extends Collection<ServiceClass>> everyClass,
      Function<String, Optional<GpuModel>> models,
      Supplier<? extends Collection<GpuModel>> everyModel,
      Function<String, SortedSet<String>> poolsOf,
      Function<String, ? extends Collection<String>> clustersOf,
      LongSupplier now,
      JsonMapper json) {
    this.classes = classes;
    this.everyClass = everyClass;
    this.models = models;
    this.everyModel = everyModel;
    this.poolsOf = poolsOf;
    this.clustersOf = clustersOf;
    this.now = now;
    this.json = json;
  }

  /**
   * A request as the ledger takes it.
   *
   * @param ifBook the pool's revision that the caller saw
   */
  record Translated(
      String pool, Ask ask, LeaseText text, ServiceClass serviceClass, @Nullable Long ifBook) {}

  /**
   * @param tenant known to the caller, who may act for it
   * @param raw the request exactly as sent
   * @param at pointer to the request in the body; empty for the whole
   */
  Translated translate(
      LeaseRequest sent, String raw, String tenant, UUID id, List<UUID> after, String at) {
    Faults faults = new Faults(at);
    long instant = now.getAsLong();
    String pool = pool(sent.pool(), tenant, faults);
    ServiceClass serviceClass = serviceClass(sent.serviceClass(), faults);
    Shape shape =
        new ShapeReader(faults, models, everyModel.get(), clustersOf.apply(pool)).read(sent);
    When when = new WhenReader(sent, faults, instant, serviceClass.mayBeOpenEnded()).read();
    Shortage onShortage =
        faults.word("/onShortage", sent.onShortage(), Shortage.class).orElse(Shortage.WAIT);
    boolean preemptible = preemptible(sent.preemptible(), serviceClass, faults);
    int cost = preemptionCost(sent.preemptionCost(), preemptible, faults);
    Long ifBook = ifBook(sent.ifBook(), pool, faults);
    OptionalLong maxWait = faults.duration("/maxWait", sent.maxWait(), Wire.SECOND, LONGEST_WAIT);
    OptionalLong silence =
        faults.duration(
            "/heartbeatTimeout", sent.heartbeatTimeout(), SHORTEST_SILENCE, LONGEST_SILENCE);
    new TextReader(faults).check(sent);
    Optional<UUID> reservation = reservation(sent.reservation(), faults);
    faults.throwIfAny();

    long waitUntil = maxWait.isPresent() ? instant + maxWait.getAsLong() : lastStart(when, instant);
    Ask ask =
        new Ask(
            id,
            tenant,
            serviceClass.slug(),
            shape,
            when,
            preemptible,
            onShortage,
            waitUntil,
            after,
            cost,
            reservation.orElse(null),
            Boolean.TRUE.equals(sent.movable()),
            silence.isPresent() ? silence.getAsLong() : null);
    return new Translated(pool, ask, text(sent, raw, ask, pool), serviceClass, ifBook);
  }

  String pool(@Nullable String sent, String tenant, Faults faults) {
    SortedSet<String> usable = poolsOf.apply(tenant);
    if (sent == null && usable.size() == 1) {
      return usable.first();
    }
    if (usable.isEmpty()) {
      faults.add("/tenant", "no-pool", "No contract lets " + tenant + " use a pool.");
    } else if (sent == null) {
      faults.required("/pool", tenant + " can use several pools: " + String.join(", ", usable));
    } else if (!usable.contains(sent)) {
      faults.add(
          "/pool",
          "unknown-pool",
          Faults.quote(sent)
              + " is no pool that "
              + tenant
              + " can use. There are: "
              + String.join(", ", usable));
    } else {
      return sent;
    }
    return "";
  }

  /** Whether there is such a reservation, and whose, is judged with the decision. */
  private static Optional<UUID> reservation(@Nullable String sent, Faults faults) {
    Optional<UUID> id = Optional.ofNullable(sent).flatMap(Wire::id);
    if (sent != null && id.isEmpty()) {
      faults.add("/reservation", "malformed", Faults.quote(sent) + " is no id.");
    }
    return id;
  }

  private ServiceClass serviceClass(@Nullable String sent, Faults faults) {
    String slug = sent == null ? DEFAULT_CLASS : sent;
    return classes
        .apply(slug)
        .orElseGet(
            () -> {
              List<String> known =
                  everyClass.get().stream().map(ServiceClass::slug).sorted().toList();
              faults.add(
                  "/serviceClass",
                  "unknown-class",
                  Faults.quote(slug)
                      + " is no service class. There are: "
                      + String.join(", ", known));
              return new ServiceClass(slug, 0, false, true, false, 0, 0, 0, 0, 0, 0, 0);
            });
  }

  /** Who is never preempted may offer to be; who may be preempted can not opt out. */
  private static boolean preemptible(
      @Nullable Boolean sent, ServiceClass serviceClass, Faults faults) {
    if (sent == null || sent == serviceClass.mayBePreempted()) {
      return serviceClass.mayBePreempted();
    }
    if (!sent) {
      faults.add(
          "/preemptible",
          "not-allowed",
          "The class "
              + serviceClass.slug()
              + " may be preempted; take a class that is not, or leave this out.");
    }
    return sent;
  }

  /** What is never preempted has no cost of it to hint at. */
  private static int preemptionCost(@Nullable Long sent, boolean preemptible, Faults faults) {
    if (sent == null) {
      return 0;
    }
    if (sent < 0 || sent > MOST_COST) {
      faults.add("/preemptionCost", "out-of-range", "It is between 0 and " + MOST_COST + ".");
      return 0;
    }
    if (sent > 0 && !preemptible) {
      faults.add(
          "/preemptionCost",
          "not-allowed",
          "A lease that is never preempted has none; leave it out, or offer it as preemptible.");
    }
    return sent.intValue();
  }

  static @Nullable Long ifBook(@Nullable String sent, String pool, Faults faults) {
    if (sent == null) {
      return null;
    }
    int colon = sent.lastIndexOf(':');
    String digits = sent.substring(colon + 1);
    if (colon < 1
        || digits.isEmpty()
        || digits.length() > 18
        || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      faults.add("/ifBook", "malformed", Faults.quote(sent) + " is not a book such as main:88213.");
    } else if (!sent.substring(0, colon).equals(pool)) {
      faults.add("/ifBook", "other-pool", Faults.quote(sent) + " is the book of another pool.");
    } else {
      return Long.valueOf(digits);
    }
    return null;
  }

  /** The latest start that still makes sense; for a lease from now on, seven days. */
  private static long lastStart(When when, long now) {
    return switch (when) {
      case When.Now _ -> now + DEFAULT_WAIT;
      case When.NowUntil(long end) -> end;
      case When.At(var span) -> span.start();
      case When.Within(var span, long length) -> span.end() - length;
    };
  }

  private LeaseText text(LeaseRequest sent, String raw, Ask ask, String pool) {
    LeaseRequest effective =
        new Requests(slug -> models.apply(slug).map(GpuModel::canonical).orElse(slug))
            .of(ask, pool, sent);
    return new LeaseText(
        sent.name(),
        sent.owner(),
        orEmpty(sent.labels()),
        orEmpty(sent.annotations()),
        sent.notifyBefore() == null ? List.of() : sent.notifyBefore(),
        raw,
        json.writeValueAsString(effective));
  }

  private static Map<String, String> orEmpty(@Nullable Map<String, String> sent) {
    return sent == null ? Map.of() : sent;
  }
}
