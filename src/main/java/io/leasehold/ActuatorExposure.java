package io.leasehold;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.ExposableWebEndpoint;
import org.springframework.boot.actuate.endpoint.web.WebEndpointsSupplier;
import org.springframework.stereotype.Component;

/** Health, info and metrics are shown, nothing else: a wider setting stops the start. */
@Component
class ActuatorExposure {

  private static final Set<String> ALLOWED = Set.of("health", "info", "prometheus");

  ActuatorExposure(WebEndpointsSupplier endpoints) {
    check(endpoints.getEndpoints());
  }

  private static void check(Collection<ExposableWebEndpoint> endpoints) {
    Set<String> more = new TreeSet<>();
    endpoints.stream()
        .map(ExposableWebEndpoint::getEndpointId)
        .map(EndpointId::toLowerCaseString)
        .filter(id -> !ALLOWED.contains(id))
        .forEach(more::add);
    if (!more.isEmpty()) {
      throw new CannotStart(
          "management.endpoints.web.exposure.include names %s; only health, info and prometheus may be exposed."
              .formatted(String.join(", ", more)));
    }
  }
}
