package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Puts what was decided into words and numbers. */
final class Answers {

  private final Book book;
  private final Never never;
  private final Alternatives alternatives;
  private final long now;

  Answers(Book book, Search search, long now) {
    this.book = book;
    this.never = new Never(book, search, now);
    this.alternatives = new Alternatives(book, search, now);
    this.now = now;
  }

  /** Nobody asks what would work instead. */
  void withoutAlternatives() {
    alternatives.none();
  }

  /** A new line is served. */
  void begin(List<Lease> earmarked) {
    alternatives.begin(earmarked);
  }

  @Nullable List<Answer.Reason> never(Ask ask) {
    return never.why(ask);
  }

  Answer booked(Lease lease, boolean starts) {
    return booked(lease, starts, List.of());
  }

  Answer booked(Lease lease, boolean starts, List<Answer.Alternative> instead) {
    Span window = lease.window();
    return new Answer(
        starts ? Verdict.ADMITTED : Verdict.PLANNED,
        null,
        now,
        window == null ? null : window.start(),
        false,
        lent(lease),
        List.of(),
        instead);
  }

  private List<Answer.Reason> lent(Lease lease) {
    Booking booking = lease.booking();
    return lease.ask().reservation() == null
            && booking != null
            && book.reserved().isSetAside(booking)
        ? List.of(
            Reasons.plain(
                "lent", "its devices are set aside for others, who may ask for them back"))
        : List.of();
  }

  /** Booked by the end of others: until then, or from now where nobody had begun. */
  Answer preempting(Lease lease, boolean starts, Toll toll) {
    return new Answer(
        starts ? Verdict.ADMITTED : Verdict.PLANNED,
        null,
        now,
        Objects.requireNonNull(lease.window()).start(),
        false,
        toll.victims().isEmpty() ? List.of() : List.of(Reasons.preempting(toll)),
        toll.victims().stream().map(Reasons::blocker).toList(),
        List.of());
  }

  /** Why a lease ends before its time: by what right, and what its tenant has then. */
  Answer preempted(VictimWalk.Victim victim, Candidate by, Book book) {
    return new Answer(
        Verdict.ADMITTED,
        null,
        now,
        Objects.requireNonNull(victim.lease().window()).start(),
        false,
        Reasons.ofVictim(victim, by, book),
        List.of(),
        List.of());
  }

  /** It keeps its end after all. */
  static Answer reprieved(Lease lease, long now) {
    return told(
        lease,
        now,
        Reasons.plain(Reprieve.CAUSE, "its devices are not needed for another any more"));
  }

  /** It borrowed what the owner draws on now. */
  static Answer takenBack(Lease lease, long now) {
    return told(
        lease,
        now,
        Reasons.plain("taken-back", "its devices are set aside for another, who draws on them"));
  }

  private static Answer told(Lease lease, long now, Answer.Reason why) {
    return new Answer(
        Verdict.ADMITTED,
        null,
        now,
        Objects.requireNonNull(lease.window()).start(),
        false,
        List.of(why),
        List.of(),
        List.of());
  }

  /** What would work instead of a planned start, as things stand before that is booked. */
  List<Answer.Alternative> alternatives(Candidate candidate, Attempt.Fits planned) {
    return alternatives.to(candidate, planned);
  }

  /** What would work instead, as things stand before the request itself waits. */
  List<Answer.Alternative> alternatives(Candidate candidate, Attempt.Short missing) {
    return alternatives.to(candidate, missing);
  }

  Answer waiting(Lease lease, Attempt.Short missing, List<Answer.Alternative> alternatives) {
    Lease.Earmark earmark = lease.earmark();
    return waiting(earmark == null ? null : earmark.start(), missing, alternatives);
  }

  private Answer waiting(
      @Nullable Long start, Attempt.Short missing, List<Answer.Alternative> alternatives) {
    List<Answer.Reason> reasons = new ArrayList<>(missing.reasons());
    if (start == null
        && missing.blockers().stream().anyMatch(each -> each.until() == Span.FOREVER)) {
      reasons.add(Reasons.plain("held-open-ended", "held by leases that have no end"));
    }
    return new Answer(
        Verdict.WAITING, null, now, start, true, reasons, missing.blockers(), alternatives);
  }

  /** The same for one that waits already, with what its place says of its start. */
  Answer explained(Candidate candidate, Attempt.Short missing, @Nullable Long start) {
    Attempt.Short told =
        candidate.aged()
            ? missing.and(
                Reasons.plain(
                    "aged", "it has waited for so long that no other class comes before it"))
            : missing;
    return waiting(start, told, alternatives(candidate, missing));
  }

  Answer shortage(Candidate candidate, Attempt.Short missing) {
    return new Answer(
        Verdict.REFUSED,
        Answer.Refusal.SHORTAGE,
        now,
        null,
        false,
        missing.reasons(),
        missing.blockers(),
        alternatives(candidate, missing));
  }

  Answer refusedForEver(Candidate candidate, List<Answer.Reason> reasons, Attempt.Short missing) {
    return new Answer(
        Verdict.REFUSED,
        Answer.Refusal.NEVER,
        now,
        null,
        false,
        reasons,
        List.of(),
        alternatives.toNever(candidate, missing));
  }

  Answer refused(Answer.Refusal refusal, List<Answer.Reason> reasons) {
    return new Answer(Verdict.REFUSED, refusal, now, null, false, reasons, List.of(), List.of());
  }

  /**
   * @param next steps that the next search may take
   */
  Answer undecided(long steps, long next) {
    return new Answer(
        Verdict.UNDECIDED,
        null,
        now,
        null,
        false,
        List.of(Reasons.budget(steps, next)),
        List.of(),
        List.of());
  }
}
