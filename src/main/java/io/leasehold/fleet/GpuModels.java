package io.leasehold.fleet;

import io.leasehold.engine.GpuModel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Service;

/** The GPU models known, for the other features. Cached for a second. */
@Service
public class GpuModels {

  private final Recent<Catalogue> catalogue;

  GpuModels(GpuModelRepository repository) {
    this.catalogue = new Recent<>(() -> Catalogue.of(repository.all()));
  }

  /** By slug, canonical name or alias, in any case. */
  public Optional<GpuModel> find(String name) {
    return Optional.ofNullable(catalogue.get().byName().get(GpuModelRepository.folded(name)));
  }

  public List<GpuModel> all() {
    return catalogue.get().models();
  }

  void forget() {
    catalogue.forget();
  }

  private record Catalogue(List<GpuModel> models, Map<String, GpuModel> byName) {

    static Catalogue of(List<GpuModel> models) {
      Map<String, GpuModel> byName = new HashMap<>();
      for (GpuModel model : models) {
        GpuModelRepository.namesOf(model).forEach(name -> byName.put(name, model));
      }
      return new Catalogue(List.copyOf(models), Map.copyOf(byName));
    }
  }
}
