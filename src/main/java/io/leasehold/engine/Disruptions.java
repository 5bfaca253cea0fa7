package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** When leases of each tenant and class were preempted, where their class counts it. */
final class Disruptions {

  private final Table<Victims.Lot, List<Long>> past;
  private final Register register;

  Disruptions(Undo undo, Register register) {
    this.past = Table.sorted(undo);
    this.register = register;
  }

  Map<Victims.Lot, List<Long>> rows() {
    return past.rows();
  }

  /** How many more may be preempted at an instant. */
  int left(Victims.Lot lot, ServiceClass serviceClass, long now) {
    Disruption disruption = serviceClass.disruption();
    return disruption == null
        ? Disruption.ANY
        : disruption.most() - counted(lot, disruption, now).size();
  }

  /** Those that still count, with one more; null where the class does not count. */
  @Nullable List<Long> withOneMore(Victims.Lot lot, ServiceClass serviceClass, long now) {
    Disruption disruption = serviceClass.disruption();
    if (disruption == null || disruption.most() == Disruption.ANY) {
      return null;
    }
    List<Long> more = new ArrayList<>(counted(lot, disruption, now));
    more.add(now);
    return more;
  }

  private List<Long> counted(Victims.Lot lot, Disruption disruption, long now) {
    List<Long> times = past.get(lot);
    return times == null
        ? List.of()
        : times.stream().filter(at -> Time.plus(at, disruption.within()) > now).toList();
  }

  void set(Victims.Lot lot, List<Long> times, @Nullable ServiceClass serviceClass, long now) {
    forget(lot, serviceClass);
    past.put(lot, times);
    remember(lot, serviceClass, now);
  }

  /** A class counts in another way from now on. */
  void become(@Nullable ServiceClass before, ServiceClass after, long now) {
    List<Victims.Lot> lots =
        past.rows().keySet().stream()
            .filter(lot -> lot.serviceClass().equals(after.slug()))
            .toList();
    lots.forEach(lot -> forget(lot, before));
    lots.forEach(lot -> remember(lot, after, now));
    if (before != null && before.disruption() != null) {
      register
          .dues()
          .remove(before.disruption().nextQuietEnd(now), Dues.Kind.LOOK, 0, id(after.slug()));
    }
    lookPastQuiet(after, now);
  }

  /** Whoever waits for quiet hours to be over looks again then. */
  void lookPastQuiet(ServiceClass serviceClass, long now) {
    if (serviceClass.disruption() != null) {
      register.lookAt(serviceClass.disruption().nextQuietEnd(now), id(serviceClass.slug()), now);
    }
  }

  private void forget(Victims.Lot lot, @Nullable ServiceClass serviceClass) {
    List<Long> times = past.get(lot);
    if (times != null && serviceClass != null && serviceClass.disruption() != null) {
      for (long at : times) {
        long over = Time.plus(at, serviceClass.disruption().within());
        register
            .dues()
            .remove(over, Dues.Kind.LOOK, 0, id(lot.tenant() + "/" + lot.serviceClass()));
      }
    }
  }

  private void remember(Victims.Lot lot, @Nullable ServiceClass serviceClass, long now) {
    List<Long> times = past.get(lot);
    if (times != null && serviceClass != null && serviceClass.disruption() != null) {
      for (long at : times) {
        long over = Time.plus(at, serviceClass.disruption().within());
        register.lookAt(over, id(lot.tenant() + "/" + lot.serviceClass()), now);
      }
    }
  }

  private static UUID id(String name) {
    return UUID.nameUUIDFromBytes(("disruption:" + name).getBytes());
  }
}
