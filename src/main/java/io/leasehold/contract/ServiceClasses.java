package io.leasehold.contract;

import io.leasehold.engine.ServiceClass;
import io.leasehold.fleet.Recent;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Service;

/** The service classes, for the other features. Cached for a second. */
@Service
public class ServiceClasses {

  private final Recent<List<ServiceClass>> classes;

  ServiceClasses(ServiceClassRepository repository) {
    this.classes = new Recent<>(repository::all);
  }

  public Optional<ServiceClass> find(String slug) {
    return classes.get().stream().filter(each -> each.slug().equals(slug)).findFirst();
  }

  /** By priority, the highest first. */
  public List<ServiceClass> all() {
    return classes.get();
  }

  void forget() {
    classes.forget();
  }
}
