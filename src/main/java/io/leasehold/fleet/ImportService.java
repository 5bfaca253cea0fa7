package io.leasehold.fleet;

import io.leasehold.engine.Command.Shrink;
import io.leasehold.ledger.Outcome;
import io.leasehold.web.Problem;
import io.leasehold.web.Problem.Fault;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/**
 * Makes the nodes known agree with an inventory: all of it or nothing, and a second time changes
 * nothing. An import concerns clusters of one pool.
 */
@Service
public class ImportService {

  private final InventoryRules rules;
  private final NodeRepository repository;
  private final NodeLedger ledger;
  private final Replies replies;

  ImportService(
      InventoryRules rules, NodeRepository repository, NodeLedger ledger, Replies replies) {
    this.rules = rules;
    this.repository = repository;
    this.ledger = ledger;
    this.replies = replies;
  }

  /**
   * How an import is done.
   *
   * @param cluster the one for entries that name none; null = each names its own
   * @param prune retire what is in the cluster and not in the inventory; needs a cluster
   */
  record Options(@Nullable String cluster, boolean prune, Shrink shrink, NodeLedger.Run run) {

    Options {
      if (prune && cluster == null) {
        throw Problem.invalid(
            Fault.in("prune", "prune-without-cluster", "prune=true needs ?cluster= to be given"));
      }
    }
  }

  /** Imports into a cluster that never had a node; else leaves it as it is. */
  public void fill(String cluster, ImportRequest request, Origin origin) {
    if (!repository.hasHadNodes(cluster)) {
      Options options = new Options(cluster, false, Shrink.REFUSE, NodeLedger.Run.REAL);
      run(request.inventory(), options, origin);
    }
  }

  Written<ImportReport> run(Inventory.Unchecked unchecked, Options options, Origin origin) {
    Inventory inventory = rules.check(unchecked, options.cluster());
    try {
      return attempt(inventory, options, origin);
    } catch (Outcomes.LostRace first) {
      try {
        return attempt(inventory, options, origin);
      } catch (Outcomes.LostRace again) {
        throw again.asProblem();
      }
    }
  }

  private Written<ImportReport> attempt(Inventory inventory, Options options, Origin origin) {
    InventoryDiff diff =
        InventoryDiff.of(
            inventory, known(inventory, options), options.prune() ? options.cluster() : null);
    List<NodeChange> changes = diff.changes(repository.ordinals(diff.added().size()));
    ImportReport report = ImportReport.of(diff, options.run());
    if (inventory.pool() == null || (changes.isEmpty() && origin.key() == null)) {
      return new Written<>(report, Written.How.UNCHANGED);
    }
    Outcome.Committed committed =
        ledger.set(
            inventory.pool(),
            changes,
            options.shrink(),
            options.run(),
            "inventory:" + inventory.pool(),
            origin,
            report);
    if (committed.replayed()) {
      ImportReport first = replies.find(origin.key(), ImportReport.class);
      return new Written<>(first.with(AffectedLease.of(committed)), Written.How.REPLAYED);
    }
    return new Written<>(report.with(AffectedLease.of(committed)), Written.How.CHANGED);
  }

  private List<NodeRecord> known(Inventory inventory, Options options) {
    return Stream.concat(
            inventory.nodes().stream().map(Inventory.Wanted::cluster),
            Stream.ofNullable(options.cluster()))
        .distinct()
        .flatMap(cluster -> repository.live(cluster).stream())
        .toList();
  }
}
