package io.leasehold.fleet;

import io.leasehold.engine.GpuModel;
import java.util.HashSet;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Whether leases lie on, or wait for, MIG profiles that a change of their model would change. Asked
 * under the locks of all pools, so that no lease comes in between.
 */
final class GpuModelUse {

  private static final String USERS =
      """
      select count(*) from lease l where l.live and (
        l.model = :slug and exists (
          select from json_array_elements(l.status #> '{booking,slots}') as slot,
                      json_array_elements(slot -> 'instances') as instance
           where instance ->> 'profile' in (:profiles))
        or l.state = 'WAITING' and l.ask #>> '{shape,slice,profile}' in (:profiles)
          and (coalesce(json_array_length(l.ask #> '{shape,models}'), 0) = 0 or exists (
            select from json_array_elements_text(l.ask #> '{shape,models}') as named
             where named = :slug)))
      """;

  private GpuModelUse() {}

  /** How many live leases stand in the way. */
  static int inTheWay(JdbcClient jdbc, GpuModel before, GpuModel after) {
    Set<String> profiles = changed(before, after);
    return profiles.isEmpty()
        ? 0
        : jdbc.sql(USERS)
            .param("slug", before.slug())
            .param("profiles", profiles)
            .query(Integer.class)
            .single();
  }

  /** Profiles that are not as they were; all of them where the card's slices change. */
  static Set<String> changed(GpuModel before, GpuModel after) {
    boolean otherSlices =
        before.memorySlices() != after.memorySlices()
            || before.computeSlices() != after.computeSlices();
    Set<String> changed = new HashSet<>();
    for (GpuModel.Profile profile : before.profiles()) {
      if (otherSlices || !after.profiles().contains(profile)) {
        changed.add(profile.name());
      }
    }
    return changed;
  }
}
