package io.leasehold.fleet;

import io.leasehold.engine.GpuModel;
import java.util.stream.Collectors;

/** Says which GPU models there are, to somebody who named one that there is not. */
public final class ModelNames {

  private ModelNames() {}

  public static String unknown(String name, GpuModels models) {
    return "there is no GPU model '"
        + name
        + "'; there are: "
        + models.all().stream().map(ModelNames::names).collect(Collectors.joining(", "));
  }

  private static String names(GpuModel model) {
    return model.aliases().isEmpty()
        ? model.slug()
        : model.slug() + " (" + String.join(", ", model.aliases()) + ")";
  }
}
