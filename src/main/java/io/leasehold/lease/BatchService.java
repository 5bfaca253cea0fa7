package io.leasehold.lease;

import io.leasehold.engine.Ask;
import io.leasehold.engine.Command;
import io.leasehold.engine.Decision;
import io.leasehold.engine.Decision.Decided;
import io.leasehold.engine.Decision.DecidedAtomic;
import io.leasehold.engine.Decision.Declined;
import io.leasehold.lease.BatchReader.Element;
import io.leasehold.lease.BatchResponse.Result;
import io.leasehold.lease.Translation.Translated;
import io.leasehold.ledger.LeaseRecord;
import io.leasehold.ledger.LeaseText;
import io.leasehold.ledger.Ledger;
import io.leasehold.ledger.Outcome;
import io.leasehold.ledger.Outcome.Committed;
import io.leasehold.ledger.Submission;
import io.leasehold.web.Problem;
import io.leasehold.web.ProblemBody;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;

/** Creates several leases in one call: each by itself, or all or none. */
@Service
class BatchService {

  private static final String INSTANCE = "/api/v1/leases/batch";

  private final BatchReader reader;
  private final Ledger ledger;
  private final LeaseReads reads;
  private final FirstAnswers first;
  private final SameRequest sameRequest;
  private final Presentation presentation;

  BatchService(
      BatchReader reader,
      Ledger ledger,
      LeaseReads reads,
      FirstAnswers first,
      SameRequest sameRequest,
      Presentation presentation) {
    this.reader = reader;
    this.ledger = ledger;
    this.reads = reads;
    this.first = first;
    this.sameRequest = sameRequest;
    this.presentation = presentation;
  }

  BatchResponse create(BatchRequest sent, Call call) {
    List<Element> elements = reader.read(sent);
    return Boolean.TRUE.equals(sent.atomic()) ? atomic(elements, call) : each(elements, call);
  }

  private BatchResponse each(List<Element> elements, Call call) {
    BatchKeys keys = new BatchKeys(call.key(), ledger.pools(), reads);
    keys.requireSameBody();
    List<Outcome> before =
        elements.stream().allMatch(element -> element.asked() != null)
            ? List.of()
            : keys.answered();
    return before.isEmpty() ? decide(elements, keys, call) : replay(elements, before, call);
  }

  private BatchResponse decide(List<Element> elements, BatchKeys keys, Call call) {
    Map<Integer, Result> results = new TreeMap<>();
    Map<String, List<Element>> byPool = new TreeMap<>();
    for (Element element : elements) {
      if (element.asked() == null) {
        results.put(element.index(), failed(element, element.problem(), call));
      } else {
        byPool.computeIfAbsent(element.asked().pool(), pool -> new ArrayList<>()).add(element);
      }
    }
    for (Map.Entry<String, List<Element>> pool : byPool.entrySet()) {
      List<Submission> submissions =
          pool.getValue().stream()
              .map(element -> LeaseService.submission(element.asked(), call))
              .toList();
      List<Outcome> outcomes = ledger.submitAll(pool.getKey(), submissions, keys.in(pool.getKey()));
      for (int i = 0; i < submissions.size(); i++) {
        Element element = pool.getValue().get(i);
        Outcome outcome = outcomes.get(i);
        results.put(element.index(), result(element, outcome, call));
      }
    }
    return new BatchResponse(List.copyOf(results.values()));
  }

  /**
   * A retry whose body has become stale (a start that has passed): what was created then is found
   * by the request it came from.
   */
  private BatchResponse replay(List<Element> elements, List<Outcome> before, Call call) {
    ReplayMark.put();
    List<LeaseRecord> created =
        before.stream()
            .filter(Committed.class::isInstance)
            .flatMap(outcome -> ((Committed) outcome).leases().stream())
            .collect(Collectors.toCollection(ArrayList::new));
    List<Result> results = new ArrayList<>();
    for (Element element : elements) {
      LeaseRecord lease =
          created.stream()
              .filter(each -> each.text().request().equals(element.raw()))
              .findFirst()
              .orElse(null);
      created.remove(lease);
      results.add(
          lease == null ? failed(element, stale(element), call) : shown(element, lease, call));
    }
    return new BatchResponse(results);
  }

  private static Problem stale(Element element) {
    return element.problem() != null
        ? element.problem()
        : Problem.of(
            409,
            "refused-before",
            "Refused before",
            "The first request with this Idempotency-Key got nothing for this element.");
  }

  private Result shown(Element element, LeaseRecord lease, Call call) {
    try {
      return decided(element, lease);
    } catch (Problem refused) {
      return failed(element, refused, call);
    }
  }

  private Result result(Element element, Outcome outcome, Call call) {
    try {
      Translated asked = element.asked();
      Committed committed = presentation.outcomes().committed(outcome, asked.pool(), asked.text());
      return switch (committed.decision()) {
        case Decided _ -> decided(element, committed.leases().getFirst());
        case Declined declined when declined.why() == Declined.Why.ID_TAKEN -> again(element);
        case Declined declined ->
            throw presentation
                .outcomes()
                .declined(declined, asked.pool(), committed.bookRevision(), asked.text(), null);
        case DecidedAtomic _,
            Decision.Done _,
            Decision.Changed _,
            Decision.Consolidated _,
            Decision.Reserved _,
            Decision.Shortfalls _ ->
            throw new IllegalStateException("The engine answered a request with " + committed);
      };
    } catch (Problem problem) {
      // A key that was reused, or a ledger that is away, concerns the batch as a whole.
      if (problem.status() == 422 || problem.code().equals("key-in-flight")) {
        throw problem;
      }
      return failed(element, problem, call);
    }
  }

  private Result decided(Element element, LeaseRecord lease) {
    int status = Outcomes.status(lease.answer().verdict());
    if (status == 409) {
      throw presentation.outcomes().refused(lease);
    }
    return new Result(element.index(), status, presentation.full(lease), null);
  }

  /** An id of the client's own that exists: the same request again finds what it made. */
  private Result again(Element element) {
    LeaseRecord taken = reads.find(element.asked().ask().lease()).orElseThrow(Outcomes::idTaken);
    boolean same =
        presentation.sees(taken) && sameRequest.test(taken.text().request(), element.raw());
    if (!same) {
      throw Outcomes.idTaken();
    }
    return new Result(element.index(), 200, presentation.full(taken), null);
  }

  private static Result failed(Element element, Problem problem, Call call) {
    return new Result(
        element.index(), problem.status(), null, ProblemBody.of(problem, INSTANCE, call.traceId()));
  }

  private BatchResponse atomic(List<Element> elements, Call call) {
    try {
      return atomic(elements, onePool(elements), call);
    } catch (Problem fault) {
      return answeredBefore(fault, call).orElseThrow(() -> fault);
    }
  }

  /** A batch whose starts have passed by now: what was kept of it then is still so. */
  private Optional<BatchResponse> answeredBefore(Problem fault, Call call) {
    return fault.status() != 400
        ? Optional.empty()
        : first
            .to(call.key())
            .filter(committed -> committed.decision() instanceof DecidedAtomic d && d.kept())
            .map(committed -> kept(committed.leases()));
  }

  private BatchResponse atomic(List<Element> elements, String pool, Call call) {
    Map<UUID, LeaseText> texts = new LinkedHashMap<>();
    List<Ask> asks = new ArrayList<>();
    boolean urgent = false;
    Long ifBook = null;
    for (Element element : elements) {
      Translated asked = element.asked();
      asks.add(asked.ask());
      texts.put(asked.ask().lease(), asked.text());
      urgent |= LeaseService.isUrgent(asked.serviceClass());
      ifBook = asked.ifBook() == null ? ifBook : asked.ifBook();
    }
    Submission submission =
        new Submission(
            new Command.CreateAtomic(asks),
            call.actor(),
            call.traceId(),
            null,
            texts,
            null,
            ifBook,
            urgent,
            Heartbeats.expecting(asks));
    Committed committed =
        presentation
            .outcomes()
            .committed(
                ledger.submit(pool, submission, call.key()),
                pool,
                elements.getFirst().asked().text());
    return switch (committed.decision()) {
      case DecidedAtomic decided when decided.kept() -> kept(committed.leases());
      case DecidedAtomic decided -> throw notKept(elements, decided, committed, call);
      case Declined declined ->
          throw presentation
              .outcomes()
              .declined(
                  declined,
                  pool,
                  committed.bookRevision(),
                  elements.getFirst().asked().text(),
                  null);
      case Decided _,
          Decision.Done _,
          Decision.Changed _,
          Decision.Consolidated _,
          Decision.Reserved _,
          Decision.Shortfalls _ ->
          throw new IllegalStateException("The engine answered an atomic batch with " + committed);
    };
  }

  private BatchResponse kept(List<LeaseRecord> leases) {
    List<Result> results = new ArrayList<>();
    for (LeaseRecord lease : leases) {
      results.add(
          new Result(
              results.size(),
              Outcomes.status(lease.answer().verdict()),
              presentation.full(lease),
              null));
    }
    return new BatchResponse(results);
  }

  /** All faults of all elements at once, and one pool for all. */
  private static String onePool(List<Element> elements) {
    List<Problem.Fault> faults = new ArrayList<>();
    for (Element element : elements) {
      if (element.problem() != null && element.problem().faults().isEmpty()) {
        throw element.problem();
      }
      if (element.problem() != null) {
        faults.addAll(element.problem().faults());
      }
    }
    if (!faults.isEmpty()) {
      throw Problem.invalid(faults);
    }
    SortedSet<String> pools =
        elements.stream()
            .map(element -> element.asked().pool())
            .collect(Collectors.toCollection(TreeSet::new));
    if (pools.size() > 1) {
      throw Problem.invalid(
          Problem.Fault.at(
              "/leases", "one-pool", "All or none is decided in one pool; these are " + pools));
    }
    return pools.first();
  }

  private Problem notKept(
      List<Element> elements, DecidedAtomic decided, Committed committed, Call call) {
    List<Result> results = new ArrayList<>();
    boolean mayFitLater = true;
    for (int i = 0; i < elements.size(); i++) {
      Problem problem = notKept(elements.get(i), decided.each().get(i), committed.bookRevision());
      mayFitLater &= problem.isRetryable();
      results.add(failed(elements.get(i), problem, call));
    }
    Problem none =
        Problem.of(
                409,
                "refused-atomic",
                "None was kept",
                "Not all of this atomic batch could be booked, so none was kept: see results.")
            .with("results", results);
    return mayFitLater ? none.retryable(null) : none;
  }

  /** All or none are booked: what would have to wait fails too. */
  private Problem notKept(Element element, Decided decided, long bookRevision) {
    return Outcomes.status(decided.answer().verdict()) == 201
        ? Problem.of(
                409,
                "not-kept",
                "Not kept",
                "Another request of this atomic batch could not be booked, so this was not kept.")
            .retryable(null)
        : presentation
            .outcomes()
            .refused(
                decided.answer(), element.asked().pool(), bookRevision, element.asked().text());
  }
}
