package io.leasehold.contract;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Knows the built-in service classes before anything else is set up. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class BuiltInClassesAtStart implements ApplicationRunner {

  private final ServiceClassService service;

  BuiltInClassesAtStart(ServiceClassService service) {
    this.service = service;
  }

  @Override
  public void run(ApplicationArguments arguments) {
    service.seed();
  }
}
