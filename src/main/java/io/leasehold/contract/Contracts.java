package io.leasehold.contract;

import io.leasehold.fleet.Recent;
import io.leasehold.tenancy.Tenants;
import java.util.Collections;
import java.util.Map;
import java.util.SortedSet;
import org.springframework.stereotype.Service;

/** Signed contracts, for the other features. Cached for a second. */
@Service
public class Contracts {

  private final Tenants tenants;
  private final Recent<Map<String, SortedSet<String>>> pools;

  Contracts(ContractRepository repository, Tenants tenants) {
    this.tenants = tenants;
    this.pools = new Recent<>(repository::poolsByTenant);
  }

  /**
   * The pools a tenant may use: those of its nearest ancestor-or-self with a contract valid now or
   * later.
   */
  public SortedSet<String> poolsOf(String tenant) {
    Map<String, SortedSet<String>> byTenant = pools.get();
    return tenants.selfAndAncestors(tenant).stream()
        .filter(byTenant::containsKey)
        .findFirst()
        .map(byTenant::get)
        .map(Collections::unmodifiableSortedSet)
        .orElseGet(Collections::emptySortedSet);
  }

  void forget() {
    pools.forget();
  }
}
