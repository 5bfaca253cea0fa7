package io.leasehold.fleet;

import io.leasehold.engine.Command;
import io.leasehold.ledger.Ledger;
import io.leasehold.ledger.Outcome;
import io.leasehold.ledger.Rider;
import io.leasehold.ledger.Submission;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Problem;
import io.leasehold.web.Problem.Fault;
import io.leasehold.web.WireTime;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Registers clusters. A cluster stays in its pool and is never removed. */
@Service
public class ClusterService {

  private final ClusterRepository repository;
  private final Pools pools;
  private final Ledger ledger;

  ClusterService(ClusterRepository repository, Pools pools, Ledger ledger) {
    this.repository = repository;
    this.pools = pools;
    this.ledger = ledger;
  }

  ClusterResponse get(String slug) {
    return repository.find(slug).map(ClusterResponse::of).orElseThrow(Problem::notFound);
  }

  Page<ClusterResponse> page(PageRequest page, @Nullable String pool) {
    return page.page(
        repository.page(page, pool).stream().map(ClusterResponse::of).toList(),
        cluster -> new PageRequest.Position(WireTime.micros(cluster.createTime()), cluster.slug()));
  }

  /** Registers the cluster; 409 where there is one of this slug. */
  public Written<ClusterResponse> create(String slug, ClusterRequest request, Origin origin) {
    requirePool(request);
    try {
      return write(slug, request, 0, origin);
    } catch (Outcomes.LostRace taken) {
      throw Taken.slug(slug);
    }
  }

  /** Registers the cluster if there is none of this slug; else leaves it as it is. */
  public void ensure(String slug, ClusterRequest request, Origin origin) {
    if (repository.find(slug).isEmpty()) {
      create(slug, request, origin);
    }
  }

  /** Creates the cluster, or replaces what may change about it. */
  public Written<ClusterResponse> put(
      String slug, ClusterRequest request, @Nullable Long seen, Origin origin) {
    Optional<Cluster> standing = repository.find(slug);
    if (standing.isEmpty()) {
      Revisions.allow(0, seen);
      return create(slug, request, origin);
    }
    Cluster cluster = standing.get();
    if (request.describes(cluster)) {
      Revisions.allow(cluster.revision(), seen);
      return new Written<>(ClusterResponse.of(cluster), Written.How.UNCHANGED);
    }
    Revisions.require(cluster.revision(), seen);
    requireSamePool(cluster, request);
    try {
      return write(slug, request, cluster.revision(), origin);
    } catch (Outcomes.LostRace changed) {
      throw Outcomes.changed();
    }
  }

  private Written<ClusterResponse> write(
      String slug, ClusterRequest request, long seen, Origin origin) {
    Rider rider =
        connection -> {
          if (!repository.put(connection, slug, request, seen)) {
            throw new Rider.Refused("cluster " + slug + " is not at revision " + seen);
          }
        };
    Submission submission =
        new Submission(
            new Command.SetCluster(slug, request.isPaused()),
            origin.actor(),
            origin.traceId(),
            "cluster:" + slug,
            Map.of(),
            null,
            null,
            false,
            rider);
    Outcome.Committed committed =
        Outcomes.committed(ledger.submit(request.pool(), submission, origin.key()));
    Outcomes.changed(committed);
    pools.forget();
    return new Written<>(get(slug), how(committed, seen));
  }

  private void requirePool(ClusterRequest request) {
    if (!pools.all().contains(request.pool())) {
      throw Problem.invalid(
          Fault.at("/pool", "unknown-pool", "there is no pool '" + request.pool() + "'"));
    }
  }

  private static void requireSamePool(Cluster cluster, ClusterRequest request) {
    if (!cluster.pool().equals(request.pool())) {
      throw Problem.invalid(
          Fault.at("/pool", "pool-is-fixed", "the cluster stays in pool '" + cluster.pool() + "'"));
    }
  }

  private static Written.How how(Outcome.Committed committed, long seen) {
    if (committed.replayed()) {
      return Written.How.REPLAYED;
    }
    return seen == 0 ? Written.How.CREATED : Written.How.CHANGED;
  }
}
