package io.leasehold.contract;

import io.leasehold.engine.Move;
import io.leasehold.engine.ServiceClass;
import io.leasehold.fleet.Origin;
import io.leasehold.fleet.Revisions;
import io.leasehold.fleet.Written;
import io.leasehold.ledger.Ledger;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Problem;
import io.leasehold.web.WireTime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Sets service classes, in every pool at once. A class is never removed. */
@Service
class ServiceClassService {

  private final ServiceClassRepository repository;
  private final ServiceClasses classes;
  private final Ledger ledger;

  ServiceClassService(ServiceClassRepository repository, ServiceClasses classes, Ledger ledger) {
    this.repository = repository;
    this.classes = classes;
    this.ledger = ledger;
  }

  ServiceClassResponse get(String slug) {
    return repository.find(slug).map(ServiceClassResponse::of).orElseThrow(Problem::notFound);
  }

  Page<ServiceClassResponse> page(PageRequest page) {
    return page.page(
        repository.page(page).stream().map(ServiceClassResponse::of).toList(),
        each -> new PageRequest.Position(WireTime.micros(each.createTime()), each.slug()));
  }

  /** Creates the class, or replaces what it says. */
  Written<ServiceClassResponse> put(
      String slug, ServiceClassRequest request, @Nullable Long seen, Origin origin) {
    Optional<ClassRecord> standing = repository.find(slug);
    if (standing.isEmpty()) {
      Revisions.allow(0, seen);
      write(request.applied(slug, null), 0, "class-created", origin);
      return new Written<>(get(slug), Written.How.CREATED);
    }
    ClassRecord record = standing.get();
    ServiceClass after = request.applied(slug, record.serviceClass());
    if (after.equals(record.serviceClass())) {
      Revisions.allow(record.revision(), seen);
      return new Written<>(ServiceClassResponse.of(record), Written.How.UNCHANGED);
    }
    Revisions.require(record.revision(), seen);
    write(after, record.revision(), "class-changed", origin);
    return new Written<>(get(slug), Written.How.CHANGED);
  }

  /** The classes that are there from the start; written by whichever replica comes first. */
  void seed() {
    List<String> known = repository.all().stream().map(ServiceClass::slug).toList();
    List<ServiceClass> missing =
        BuiltInClasses.ALL.stream().filter(each -> !known.contains(each.slug())).toList();
    if (missing.isEmpty()) {
      return;
    }
    ledger.impose(
        Origin.SYSTEM.actor(),
        Origin.SYSTEM.traceId(),
        "classes:built-in",
        null,
        "class-created",
        missing.stream().<Move>map(Move.ClassSet::new).toList(),
        null,
        connection -> {
          missing.forEach(each -> repository.put(connection, each, 0));
          return "{}";
        });
    classes.forget();
  }

  private void write(ServiceClass serviceClass, long seen, String cause, Origin origin) {
    ledger.impose(
        origin.actor(),
        origin.traceId(),
        "class:" + serviceClass.slug(),
        null,
        cause,
        List.of(new Move.ClassSet(serviceClass)),
        null,
        connection -> {
          if (!repository.put(connection, serviceClass, seen)) {
            throw Problem.changedMeanwhile("The class was changed meanwhile; read it again.");
          }
          return "{}";
        });
    classes.forget();
  }
}
