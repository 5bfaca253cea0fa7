package io.leasehold.lease;

import io.leasehold.lease.Translation.Translated;
import io.leasehold.ledger.LeaseRecord;
import io.leasehold.web.Ids;
import io.leasehold.web.JsonFaults;
import io.leasehold.web.Problem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads the elements of a batch, each by itself: the faults of one do not touch the others. */
@Component
class BatchReader {

  static final int MOST = 1_000;
  static final int MOST_ATOMIC = 100;
  private static final int MOST_AFTER = 100;

  private final Translation translation;
  private final LeaseReads reads;
  private final ActingTenant tenants;
  private final Viewer viewer;
  private final JsonMapper json;

  BatchReader(
      Translation translation,
      LeaseReads reads,
      ActingTenant tenants,
      Viewer viewer,
      JsonMapper json) {
    this.translation = translation;
    this.reads = reads;
    this.tenants = tenants;
    this.viewer = viewer;
    this.json = json;
  }

  /** An element: a request, or what is wrong with it. */
  record Element(int index, String raw, @Nullable Translated asked, @Nullable Problem problem) {}

  List<Element> read(BatchRequest sent) {
    List<JsonNode> nodes = sent.leases() == null ? List.of() : sent.leases();
    boolean atomic = Boolean.TRUE.equals(sent.atomic());
    int most = atomic ? MOST_ATOMIC : MOST;
    if (nodes.isEmpty() || nodes.size() > most) {
      throw Problem.invalid(
          Problem.Fault.at(
              "/leases",
              nodes.isEmpty() ? "required" : "too-many",
              nodes.size()
                  + " requests; a batch has 1 to "
                  + most
                  + (atomic ? " if atomic." : ".")));
    }
    Followed followed = followed(ids(nodes.stream().flatMap(BatchReader::after)));
    Set<UUID> used = new HashSet<>();
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      elements.add(element(i, nodes.get(i), followed, used));
    }
    return elements;
  }

  private Element element(int index, JsonNode node, Followed followed, Set<UUID> used) {
    String raw = node.toString();
    try {
      Translated asked = translated(node, raw, "/leases/" + index, followed, used);
      followed.live().put(asked.ask().lease(), asked.pool());
      return new Element(index, raw, asked, null);
    } catch (Problem problem) {
      return new Element(index, raw, null, problem);
    }
  }

  /**
   * What {@code after} may name: leases that are there, and what stands earlier in the batch and is
   * sound, so nothing waits for itself or for what never comes.
   *
   * @param live with the pool each lies in; no other pool sees it end
   */
  private record Followed(Map<UUID, String> live, Set<UUID> over) {

    boolean isKnown(UUID id) {
      return live.containsKey(id) || over.contains(id);
    }

    boolean endsIn(String pool, UUID id) {
      return over.contains(id) || pool.equals(live.get(id));
    }
  }

  private Translated translated(
      JsonNode node, String raw, String at, Followed followed, Set<UUID> used) {
    if (!(node instanceof ObjectNode object)) {
      throw Problem.invalid(Problem.Fault.at(at, "wrong-type", "A request is an object."));
    }
    Faults faults = new Faults(at);
    UUID id = id(object.get("id"), used, faults);
    List<UUID> after = after(object, followed, faults);
    faults.throwIfAny();
    LeaseRequest request = bound(object, at);
    String tenant = tenants.actingFor(request.tenant(), at);
    Translated asked = translation.translate(request, raw, tenant, id, after, at);
    for (int i = 0; i < after.size(); i++) {
      if (!followed.endsIn(asked.pool(), after.get(i))) {
        faults.add("/after/" + i, "other-pool", "This lease is not in pool " + asked.pool() + ".");
      }
    }
    faults.throwIfAny();
    return asked;
  }

  private LeaseRequest bound(ObjectNode object, String at) {
    ObjectNode request = object.deepCopy();
    request.remove(List.of("id", "after"));
    try {
      return json.treeToValue(request, LeaseRequest.class);
    } catch (JacksonException cause) {
      throw Problem.invalid(
          JsonFaults.of(cause).faults().stream()
              .map(
                  fault ->
                      Problem.Fault.at(
                          at + (fault.pointer() == null ? "" : fault.pointer()),
                          fault.code(),
                          fault.detail()))
              .toList());
    }
  }

  private static UUID id(@Nullable JsonNode sent, Set<UUID> used, Faults faults) {
    if (sent == null || sent.isNull()) {
      return Ids.next();
    }
    Optional<UUID> id = sent.isString() ? Wire.chosenId(sent.stringValue()) : Optional.empty();
    if (id.isEmpty()) {
      faults.add("/id", "malformed", "An id is a UUID of version 4 or 7.");
    } else if (!used.add(id.get())) {
      faults.add("/id", "duplicate", id.get() + " is the id of another request in this batch.");
    }
    return id.orElseGet(Ids::next);
  }

  private static List<UUID> after(ObjectNode object, Followed followed, Faults faults) {
    List<JsonNode> nodes = after(object).toList();
    faults.size("/after", nodes, MOST_AFTER);
    List<UUID> after = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      Optional<UUID> id = read(nodes.get(i)).filter(followed::isKnown);
      if (id.isEmpty()) {
        faults.add(
            "/after/" + i,
            "unknown-lease",
            "This is no lease of yours and no sound request earlier in this batch.");
      } else {
        after.add(id.get());
      }
    }
    return after;
  }

  private static Stream<JsonNode> after(JsonNode node) {
    JsonNode after = node.get("after");
    return after == null || after.isNull()
        ? Stream.of()
        : after.isArray() ? after.valueStream() : Stream.of(after);
  }

  private static Set<UUID> ids(Stream<JsonNode> nodes) {
    return nodes
        .filter(java.util.Objects::nonNull)
        .flatMap(node -> read(node).stream())
        .collect(Collectors.toSet());
  }

  private static Optional<UUID> read(JsonNode node) {
    return node.isString() ? Wire.id(node.stringValue()) : Optional.empty();
  }

  private Followed followed(Set<UUID> ids) {
    Sight sight = viewer.sight();
    Followed followed = new Followed(new HashMap<>(), new HashSet<>());
    for (LeaseRecord lease : reads.findAll(ids)) {
      UUID id = lease.lease().id();
      if (sight.sees(lease.lease().ask().tenant())) {
        if (lease.lease().state().isFinal()) {
          followed.over().add(id);
        } else {
          followed.live().put(id, lease.pool());
        }
      }
    }
    return followed;
  }
}
