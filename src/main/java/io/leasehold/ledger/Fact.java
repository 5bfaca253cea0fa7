package io.leasehold.ledger;

import io.leasehold.engine.Move;
import org.jspecify.annotations.Nullable;

/**
 * Under which kind and key a move that is not a lease's is kept in {@code fact}; an occurrence, in
 * a table of its own, is named alike.
 */
record Fact(String kind, String key) {

  static Fact of(Move move) {
    return switch (move) {
      case Move.NodeSet set -> new Fact("node", set.node().id().toString());
      case Move.ModelSet set -> new Fact("model", set.model().slug());
      case Move.ClassSet set -> new Fact("class", set.serviceClass().slug());
      case Move.TenantSet set -> new Fact("tenant", set.tenant().slug());
      case Move.ContractSet set -> new Fact("contract", set.contract().id().toString());
      case Move.ClusterSet set -> new Fact("cluster", set.cluster());
      case Move.UsageSet set -> new Fact("usage", set.tenant() + "/" + set.model());
      case Move.OccurrenceMoved moved -> new Fact("occurrence", moved.after().id().toString());
      case Move.LossSet set -> new Fact("loss", set.model());
      case Move.DisruptionSet set ->
          new Fact("disruption", set.tenant() + "/" + set.serviceClass());
      case Move.LeaseMoved moved -> throw new IllegalArgumentException("a lease is not a fact");
    };
  }

  /** Whose it is; null for what is everybody's. */
  static @Nullable String tenant(Move move) {
    return switch (move) {
      case Move.ContractSet set -> set.contract().tenant();
      case Move.TenantSet set -> set.tenant().slug();
      case Move.UsageSet set -> set.tenant();
      case Move.OccurrenceMoved moved -> moved.after().tenant();
      case Move.DisruptionSet set -> set.tenant();
      case Move.LeaseMoved moved -> moved.after().ask().tenant();
      case Move.NodeSet set -> null;
      case Move.ModelSet set -> null;
      case Move.ClassSet set -> null;
      case Move.ClusterSet set -> null;
      case Move.LossSet set -> null;
    };
  }

  String subject() {
    return kind + ":" + key;
  }

  String cause() {
    return kind + "-set";
  }
}
