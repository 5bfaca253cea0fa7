package io.leasehold.fleet;

import io.leasehold.engine.GpuModel;
import io.leasehold.engine.Move;
import io.leasehold.ledger.Ledger;
import io.leasehold.ledger.Ledger.Imposed;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Problem;
import java.util.List;
import org.springframework.stereotype.Service;

/** Adds GPU models. A model is never changed or removed, since leases lie on it. */
@Service
class GpuModelService {

  private final GpuModelRepository repository;
  private final GpuModels models;
  private final Ledger ledger;

  GpuModelService(GpuModelRepository repository, GpuModels models, Ledger ledger) {
    this.repository = repository;
    this.models = models;
    this.ledger = ledger;
  }

  GpuModel get(String name) {
    return repository.find(name).orElseThrow(Problem::notFound);
  }

  /** By slug. */
  Page<GpuModelResponse> page(PageRequest page) {
    return page.page(
        repository.page(page).stream().map(GpuModelResponse::of).toList(),
        model -> new PageRequest.Position(0, model.slug()));
  }

  /** Adds a model; 409 where one of its names is taken. */
  Written<GpuModel> create(GpuModel model, Origin origin) {
    Imposed imposed =
        ledger.impose(
            origin.actor(),
            origin.traceId(),
            "model:" + model.slug(),
            null,
            "model-created",
            List.of(new Move.ModelSet(model)),
            origin.key(),
            connection -> {
              if (!repository.add(connection, model, false)) {
                throw Problem.of(
                    409,
                    "id-taken",
                    "Taken",
                    "One of " + GpuModelRepository.namesOf(model) + " is a GPU model already.");
              }
              return "{}";
            });
    models.forget();
    return switch (imposed) {
      case Imposed.KeyReused reused -> throw Outcomes.keyReused();
      case Imposed.Written written ->
          new Written<>(
              get(model.slug()), written.replayed() ? Written.How.REPLAYED : Written.How.CREATED);
    };
  }

  /** The models known from the start; written by whichever replica comes first. */
  void seed() {
    List<String> known = repository.all().stream().map(GpuModel::slug).toList();
    List<GpuModel> missing =
        BuiltInModels.ALL.stream().filter(model -> !known.contains(model.slug())).toList();
    if (missing.isEmpty()) {
      return;
    }
    ledger.impose(
        Origin.SYSTEM.actor(),
        Origin.SYSTEM.traceId(),
        "models:built-in",
        null,
        "model-created",
        missing.stream().<Move>map(Move.ModelSet::new).toList(),
        null,
        connection -> {
          missing.forEach(model -> repository.add(connection, model, true));
          return "{}";
        });
    models.forget();
  }
}
