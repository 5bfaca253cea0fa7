package io.leasehold;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.actuate.endpoint.web.ExposableWebEndpoint;
import org.springframework.boot.actuate.endpoint.web.WebEndpointsSupplier;
import org.springframework.stereotype.Component;

/** Health, info and metrics are shown, nothing else: a wider setting stops the start. */
@Component
class ActuatorExposure implements SmartInitializingSingleton {

  private static final Set<String> ALLOWED = Set.of("health", "info", "prometheus");

  private final ObjectProvider<WebEndpointsSupplier> endpoints;

  ActuatorExposure(ObjectProvider<WebEndpointsSupplier> endpoints) {
    this.endpoints = endpoints;
  }

  @Override
  public void afterSingletonsInstantiated() {
    check(
        endpoints.getObject().getEndpoints().stream()
            .map(ExposableWebEndpoint::getEndpointId)
            .map(id -> id.toLowerCaseString())
            .toList());
  }

  static void check(Collection<String> exposed) {
    Set<String> more = new TreeSet<>(exposed);
    more.removeAll(ALLOWED);
    if (!more.isEmpty()) {
      throw new CannotStart(
          "management.endpoints.web.exposure.include names %s; only health, info and prometheus"
                  .formatted(String.join(", ", more))
              + " may be exposed.");
    }
  }
}
