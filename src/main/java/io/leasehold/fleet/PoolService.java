package io.leasehold.fleet;

import io.leasehold.ledger.Ledger;
import io.leasehold.ledger.Ledger.Imposed;
import io.leasehold.ledger.Rider;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Problem;
import io.leasehold.web.WireTime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Creates and describes pools. A pool is never removed, and its slug never used again. */
@Service
public class PoolService {

  private final PoolRepository repository;
  private final Pools pools;
  private final Ledger ledger;

  PoolService(PoolRepository repository, Pools pools, Ledger ledger) {
    this.repository = repository;
    this.pools = pools;
    this.ledger = ledger;
  }

  PoolResponse get(String slug) {
    return response(find(slug));
  }

  Page<PoolResponse> page(PageRequest page) {
    return page.page(
        repository.page(page).stream().map(this::response).toList(),
        pool -> new PageRequest.Position(WireTime.micros(pool.createTime()), pool.slug()));
  }

  /** Creates the pool with its decider; 409 where there is one of this slug. */
  public Written<PoolResponse> create(String slug, String description, Origin origin) {
    try {
      Imposed imposed =
          ledger.createPool(
              slug,
              origin.actor(),
              origin.traceId(),
              origin.key(),
              connection -> {
                repository.describe(connection, slug, description, 0);
                return "{}";
              });
      return written(slug, imposed, Written.How.CREATED);
    } catch (Rider.Refused exists) {
      throw Taken.slug(slug);
    }
  }

  /** Creates the pool if there is none of this slug; else leaves it as it is. */
  public void ensure(String slug, String description, Origin origin) {
    if (repository.find(slug).isEmpty()) {
      create(slug, description, origin);
    }
  }

  Written<PoolResponse> put(String slug, String description, @Nullable Long seen, Origin origin) {
    Optional<Pool> standing = repository.find(slug);
    if (standing.isEmpty()) {
      Revisions.allow(0, seen);
      return create(slug, description, origin);
    }
    Pool pool = standing.get();
    if (pool.description().equals(description)) {
      Revisions.allow(pool.revision(), seen);
      return new Written<>(response(pool), Written.How.UNCHANGED);
    }
    Revisions.require(pool.revision(), seen);
    Imposed imposed =
        ledger.impose(
            origin.actor(),
            origin.traceId(),
            "pool:" + slug,
            null,
            "pool-changed",
            List.of(),
            origin.key(),
            connection -> {
              if (!repository.describe(connection, slug, description, pool.revision())) {
                throw Outcomes.changed();
              }
              return "{}";
            });
    return written(slug, imposed, Written.How.CHANGED);
  }

  private Written<PoolResponse> written(String slug, Imposed imposed, Written.How how) {
    pools.forget();
    return switch (imposed) {
      case Imposed.KeyReused reused -> throw Outcomes.keyReused();
      case Imposed.Written written ->
          new Written<>(get(slug), written.replayed() ? Written.How.REPLAYED : how);
    };
  }

  private Pool find(String slug) {
    return repository.find(slug).orElseThrow(Problem::notFound);
  }

  private PoolResponse response(Pool pool) {
    return PoolResponse.of(
        pool, repository.capacity(pool.slug()), repository.brokenPromises(pool.slug()));
  }
}
