package io.leasehold.web;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Stops the start when a path of ours declares no operation, or one that the matrix lacks. */
final class DeclaredOperations implements SmartInitializingSingleton {

  private final RequestMappingHandlerMapping mapping;
  private final Rights rights;

  DeclaredOperations(RequestMappingHandlerMapping mapping, Rights rights) {
    this.mapping = mapping;
    this.rights = rights;
  }

  @Override
  public void afterSingletonsInstantiated() {
    Set<String> faults = faults(mapping.getHandlerMethods(), rights.operations());
    if (!faults.isEmpty()) {
      throw new IllegalStateException(
          "Controller methods without an operation of the matrix: " + String.join("; ", faults));
    }
  }

  static Set<String> faults(
      Map<RequestMappingInfo, HandlerMethod> methods, Set<String> operations) {
    Set<String> faults = new TreeSet<>();
    methods.forEach(
        (path, method) -> {
          Requires requires = method.getMethodAnnotation(Requires.class);
          boolean ours = path.getPatternValues().stream().anyMatch(p -> p.startsWith("/api/"));
          if (requires == null ? ours : !operations.contains(requires.value())) {
            faults.add(
                method.getShortLogMessage()
                    + (requires == null ? " declares none" : " declares " + requires.value()));
          }
        });
    return faults;
  }
}
