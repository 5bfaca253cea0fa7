package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;

/** A book loaded from the facts and leases of another, as after a restart. */
final class Rebuilt {

  private Rebuilt() {}

  static Book of(Book book) {
    List<Move> facts = new ArrayList<>();
    book.capacity().models().forEach(slug -> facts.add(new Move.ModelSet(book.model(slug))));
    book.tree().all().forEach(each -> facts.add(new Move.TenantSet(each)));
    for (String slug : List.of("realtime", "interactive", "batch", "spare")) {
      facts.add(new Move.ClassSet(book.serviceClass(slug)));
    }
    book.nodes().forEach(each -> facts.add(new Move.NodeSet(each)));
    facts.add(new Move.ClusterSet("east", Boolean.TRUE.equals(book.clusterPaused("east"))));
    book.contracts().forEach(each -> facts.add(new Move.ContractSet(each)));
    book.history()
        .written()
        .forEach(
            (account, past) ->
                facts.add(
                    new Move.UsageSet(
                        account.tenant(), account.model(), past.used(), past.tick())));
    book.occurrences().forEach(each -> facts.add(new Move.OccurrenceMoved(each, "loaded")));
    book.losses().forEach((model, losses) -> facts.add(new Move.LossSet(model, losses)));
    book.disruptions()
        .rows()
        .forEach(
            (lot, at) -> facts.add(new Move.DisruptionSet(lot.tenant(), lot.serviceClass(), at)));
    book.leases().forEach(each -> facts.add(new Move.LeaseMoved(null, each, "loaded")));
    Book rebuilt = new Book();
    rebuilt.apply(book.now(), facts);
    if (book.isDecided()) {
      rebuilt.decided();
    }
    rebuilt.settle();
    return rebuilt;
  }
}
