package io.leasehold.fleet;

import io.leasehold.engine.GpuModel;
import io.leasehold.engine.Move;
import io.leasehold.ledger.Ledger;
import io.leasehold.ledger.Ledger.Imposed;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Problem;
import io.leasehold.web.Problem.Fault;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Adds GPU models and changes them. A model is never removed, since leases lie on it, and nothing
 * of it changes that a live lease uses.
 */
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

  GpuModelResponse get(String name) {
    return repository.find(name).map(GpuModelResponse::of).orElseThrow(Problem::notFound);
  }

  /** By slug. */
  Page<GpuModelResponse> page(PageRequest page) {
    return page.page(
        repository.page(page).stream().map(GpuModelResponse::of).toList(),
        model -> new PageRequest.Position(0, model.slug()));
  }

  /** Adds a model; 409 where one of its names is taken. */
  Written<GpuModelResponse> create(GpuModel model, Origin origin) {
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
                throw taken(model);
              }
              return "{}";
            });
    return written(model.slug(), imposed, Written.How.CREATED);
  }

  /** Adds the model, or replaces all but its canonical name. */
  Written<GpuModelResponse> put(GpuModel model, @Nullable Long seen, Origin origin) {
    Optional<GpuModelRecord> standing =
        repository.find(model.slug()).filter(kept -> kept.model().slug().equals(model.slug()));
    if (standing.isEmpty()) {
      Revisions.allow(0, seen);
      return create(model, origin);
    }
    GpuModelRecord kept = standing.get();
    if (kept.model().equals(model)) {
      Revisions.allow(kept.revision(), seen);
      return new Written<>(GpuModelResponse.of(kept), Written.How.UNCHANGED);
    }
    Revisions.require(kept.revision(), seen);
    if (!kept.model().canonical().equals(model.canonical())) {
      throw Problem.invalid(
          Fault.at(
              "/canonical",
              "canonical-is-fixed",
              "the model stays '" + kept.model().canonical() + "'; other names can be aliases"));
    }
    Imposed imposed =
        ledger.impose(
            origin.actor(),
            origin.traceId(),
            "model:" + model.slug(),
            null,
            "model-changed",
            List.of(new Move.ModelSet(model)),
            origin.key(),
            connection -> replace(Statements.on(connection), kept, model));
    return written(model.slug(), imposed, Written.How.CHANGED);
  }

  private String replace(JdbcClient rows, GpuModelRecord kept, GpuModel model) {
    if (GpuModelRepository.isTaken(rows, model)) {
      throw taken(model);
    }
    int inTheWay = GpuModelUse.inTheWay(rows, kept.model(), model);
    if (inTheWay > 0) {
      throw Problem.of(
          409,
          "in-use",
          "In use",
          "%s live leases use the MIG profiles %s, which would change."
              .formatted(inTheWay, GpuModelUse.changed(kept.model(), model)));
    }
    if (!repository.replace(rows, model, kept.revision())) {
      throw Outcomes.changed();
    }
    return "{}";
  }

  private static Problem taken(GpuModel model) {
    return Problem.of(
        409,
        "id-taken",
        "Taken",
        "One of " + GpuModelRepository.namesOf(model) + " is a GPU model already.");
  }

  private Written<GpuModelResponse> written(String slug, Imposed imposed, Written.How how) {
    models.forget();
    return switch (imposed) {
      case Imposed.KeyReused reused -> throw Outcomes.keyReused();
      case Imposed.Written written ->
          new Written<>(get(slug), written.replayed() ? Written.How.REPLAYED : how);
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
