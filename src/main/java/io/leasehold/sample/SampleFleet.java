package io.leasehold.sample;

import io.leasehold.contract.ContractRequest;
import io.leasehold.contract.ContractRequest.EntitlementRequest;
import io.leasehold.contract.ContractService;
import io.leasehold.contract.SigningService;
import io.leasehold.fleet.ClusterRequest;
import io.leasehold.fleet.ClusterService;
import io.leasehold.fleet.ImportRequest;
import io.leasehold.fleet.ImportService;
import io.leasehold.fleet.Origin;
import io.leasehold.fleet.PoolService;
import io.leasehold.tenancy.TenantService;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.Profile;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * The fleet that the sample starts with: two pools, two simulated clusters, a tree of tenants, and
 * signed contracts that guarantee two thirds. What is there already is left as it is.
 */
@Component
@Profile("sample")
@Order(0)
class SampleFleet implements ApplicationRunner {

  private static final Instant START = Instant.parse("2020-01-01T00:00:00Z");
  private static final Instant END = Instant.parse("2100-01-01T00:00:00Z");

  private final PoolService pools;
  private final ClusterService clusters;
  private final ImportService imports;
  private final TenantService tenants;
  private final ContractService contracts;
  private final SigningService signatures;

  SampleFleet(
      PoolService pools,
      ClusterService clusters,
      ImportService imports,
      TenantService tenants,
      ContractService contracts,
      SigningService signatures) {
    this.pools = pools;
    this.clusters = clusters;
    this.imports = imports;
    this.tenants = tenants;
    this.contracts = contracts;
    this.signatures = signatures;
  }

  @Override
  public void run(ApplicationArguments arguments) {
    cluster("main", "Training and large inference", "k8s-east", SampleNodes.east());
    cluster("edge", "Small inference", "slurm-west", SampleNodes.west());
    tenant("acme", null);
    tenant("research", "acme");
    tenant("vision", "research");
    tenant("nlp", "research");
    tenant("products", "acme");
    tenant("search", "products");
    contract("main", "acme", Map.of("h100", 84, "a100", 42));
    contract("main", "research", Map.of("h100", 60, "a100", 30));
    contract("main", "vision", Map.of("h100", 30, "a100", 15));
    contract("main", "nlp", Map.of("h100", 30, "a100", 15));
    contract("main", "products", Map.of("h100", 24, "a100", 12));
    contract("main", "search", Map.of("h100", 24, "a100", 12));
    contract("edge", "acme", Map.of("a30", 21));
    contract("edge", "research", Map.of("a30", 12));
    contract("edge", "nlp", Map.of("a30", 12));
    contract("edge", "products", Map.of("a30", 9));
    contract("edge", "search", Map.of("a30", 9));
  }

  private void cluster(String pool, String description, String cluster, ImportRequest nodes) {
    pools.ensure(pool, description, Origin.SYSTEM);
    clusters.ensure(cluster, new ClusterRequest(pool, "simulated", null, null), Origin.SYSTEM);
    imports.fill(cluster, nodes, Origin.SYSTEM);
  }

  private void tenant(String slug, @Nullable String parent) {
    tenants.plant(Origin.SYSTEM.actor(), Origin.SYSTEM.traceId(), slug, parent);
  }

  private void contract(String pool, String tenant, Map<String, Integer> guaranteed) {
    List<EntitlementRequest> entitlements =
        guaranteed.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(each -> new EntitlementRequest(each.getKey(), each.getValue(), null, null, null))
            .toList();
    signatures.ensure(new ContractRequest(pool, tenant, START, END, entitlements), Origin.SYSTEM);
  }
}
