package io.leasehold.fleet;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Knows the built-in GPU models before anything else is set up. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class BuiltInModelsAtStart implements ApplicationRunner {

  private final GpuModelService service;

  BuiltInModelsAtStart(GpuModelService service) {
    this.service = service;
  }

  @Override
  public void run(ApplicationArguments arguments) {
    service.seed();
  }
}
