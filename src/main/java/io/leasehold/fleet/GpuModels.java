package io.leasehold.fleet;

import io.leasehold.engine.GpuModel;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Service;

/** The GPU models known, for the other features. Cached for a second. */
@Service
public class GpuModels {

  /** By slug, canonical name or alias, in any case. */
  public Optional<GpuModel> find(String name) {
    throw new UnsupportedOperationException();
  }

  public List<GpuModel> all() {
    throw new UnsupportedOperationException();
  }
}
