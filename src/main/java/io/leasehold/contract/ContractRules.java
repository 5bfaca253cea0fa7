package io.leasehold.contract;

import io.leasehold.contract.ContractRequest.EntitlementRequest;
import io.leasehold.engine.Contract.Entitlement;
import io.leasehold.engine.GpuModel;
import io.leasehold.fleet.GpuModels;
import io.leasehold.fleet.ModelNames;
import io.leasehold.fleet.Pools;
import io.leasehold.tenancy.Tenants;
import io.leasehold.web.Problem;
import io.leasehold.web.Problem.Fault;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;

/** What a draft must keep to; all faults are told at once. */
@Component
class ContractRules {

  private static final int USUAL_WEIGHT = 1;

  private final Pools pools;
  private final Tenants tenants;
  private final GpuModels models;

  ContractRules(Pools pools, Tenants tenants, GpuModels models) {
    this.pools = pools;
    this.tenants = tenants;
    this.models = models;
  }

  ContractTerms check(ContractRequest request) {
    List<Fault> faults = new ArrayList<>();
    if (!pools.all().contains(request.pool())) {
      faults.add(Fault.at("/pool", "unknown-pool", "there is no pool '" + request.pool() + "'"));
    }
    if (!tenants.exists(request.tenant())) {
      faults.add(
          Fault.at("/tenant", "unknown-tenant", "there is no tenant '" + request.tenant() + "'"));
    }
    if (tenants.isRetired(request.tenant())) {
      faults.add(
          Fault.at("/tenant", "retired-tenant", "'" + request.tenant() + "' gets nothing new"));
    }
    if (!request.startTime().isBefore(request.endTime())) {
      faults.add(Fault.at("/endTime", "end-before-start", "a contract ends after its start"));
    }
    List<Entitlement> entitlements = entitlements(request.entitlements(), faults);
    if (!faults.isEmpty()) {
      throw Problem.invalid(faults);
    }
    return new ContractTerms(
        request.pool(), request.tenant(), request.startTime(), request.endTime(), entitlements);
  }

  private List<Entitlement> entitlements(List<EntitlementRequest> requests, List<Fault> faults) {
    List<Entitlement> entitlements = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < requests.size(); i++) {
      EntitlementRequest request = requests.get(i);
      String pointer = "/entitlements/" + i + "/model";
      Optional<GpuModel> model = models.find(request.model());
      if (model.isEmpty()) {
        faults.add(Fault.at(pointer, "unknown-model", ModelNames.unknown(request.model(), models)));
      } else if (!seen.add(model.get().slug())) {
        faults.add(Fault.at(pointer, "duplicate", "'" + request.model() + "' is here twice"));
      } else {
        entitlements.add(entitlement(model.get(), request));
      }
    }
    return entitlements;
  }

  private static Entitlement entitlement(GpuModel model, EntitlementRequest request) {
    return new Entitlement(
        model.slug(),
        request.guaranteed(),
        request.borrowingLimit(),
        request.lendingLimit(),
        Objects.requireNonNullElse(request.weight(), USUAL_WEIGHT));
  }
}
