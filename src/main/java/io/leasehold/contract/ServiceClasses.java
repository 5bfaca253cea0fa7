package io.leasehold.contract;

import io.leasehold.engine.ServiceClass;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Service;

/** The service classes, for the other features. Cached for a second. */
@Service
public class ServiceClasses {

  public Optional<ServiceClass> find(String slug) {
    throw new UnsupportedOperationException();
  }

  public List<ServiceClass> all() {
    throw new UnsupportedOperationException();
  }
}
