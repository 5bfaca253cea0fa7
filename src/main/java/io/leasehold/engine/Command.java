package io.leasehold.engine;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What somebody wants changed: a person, a cluster's report, or time. */
public sealed interface Command {

  /** Asks for a lease. */
  record Create(Ask ask) implements Command {}

  /** Asks for several leases, all or none; at most 100. */
  record CreateAtomic(List<Ask> asks) implements Command {}

  /** A later end, a new request for the time added, on the same devices. */
  record Extend(UUID lease, long newEnd) implements Command {}

  record Shorten(UUID lease, long newEnd) implements Command {}

  /**
   * Another size: more beside what it has, all or nothing; or less, given back by whole nodes and
   * groups where that can be.
   *
   * @param size groups, or GPUs (instances, fractions) where there are none
   * @param keepNodes where nothing is given back
   */
  record Resize(UUID lease, int size, List<UUID> keepNodes) implements Command {}

  /** Other nodes instead of these; what lies elsewhere stays where it is. */
  record Replace(UUID lease, List<UUID> nodes, String reason) implements Command {}

  /** Another tenant has it from now on, admitted against that one's limits. */
  record Transfer(UUID lease, String tenant) implements Command {}

  /** The tenant gives it back, in any live state. */
  record Release(UUID lease) implements Command {}

  /** Taken back before it is active. */
  record Cancel(UUID lease) implements Command {}

  /** An operator ends it. */
  record Revoke(UUID lease, String reason) implements Command {}

  /**
   * Its holder has not been heard from.
   *
   * @param heardAt when last, or since when he could be (microseconds)
   */
  record Silence(UUID lease, long heardAt) implements Command {}

  /** Name, labels and the like changed: only the revision moves. */
  record Annotate(UUID lease) implements Command {}

  /**
   * Time passed: due starts, ends and waits. Every batch does this first; this alone asks for it.
   */
  record Tick() implements Command {}

  /**
   * What a cluster says of a lease. Older generations are ignored.
   *
   * @param what the news
   */
  record Report(UUID lease, int generation, News what) implements Command {
    public enum News {
      /** The adapter took the publish order. */
      ACCEPTED,
      /** The tenant can use it. */
      USABLE,
      /** Nothing of it is left in the cluster. */
      WITHDRAWN,
      /** Its devices are not free there, as often as it was tried; nothing of it is there. */
      NO_ROOM,
      /** Deliveries of the order failed until it was parked; an operator must look. */
      PARKED
    }
  }

  /**
   * Nodes as they are from now on (new or changed, health and retirement included).
   *
   * @param shrink what to do where leases use what goes away
   */
  record SetNodes(List<Node> nodes, Shrink shrink) implements Command {}

  enum Shrink {
    /** Refuse the change, naming what is in the way. */
    REFUSE,
    /** Do it: planned leases are bound elsewhere, active ones degraded. */
    DEGRADE
  }

  /**
   * Nothing new on these nodes; they must be empty at the deadline.
   *
   * @param deadline microseconds; null undrains
   */
  record Drain(List<UUID> nodes, @Nullable Long deadline) implements Command {}

  /** A contract takes effect; refused with the shortfall where guarantees can not be held. */
  record Sign(Contract contract) implements Command {}

  /** A contract ends at an instant. */
  record Terminate(UUID contract, long at) implements Command {}

  /** Sets capacity aside. */
  record Reserve(List<Occurrence.Ask> occurrences, Misfit misfit) implements Command {

    public Reserve {
      occurrences = List.copyOf(occurrences);
    }

    /** What to do where an occurrence does not fit. */
    public enum Misfit {
      /** Set nothing aside, and say which. */
      REFUSE_ALL,
      /** Write it down as refused; the others are set aside. */
      RECORD
    }
  }

  /** Another time or size of one occurrence. */
  record ChangeOccurrence(UUID occurrence, Span window, Shape shape) implements Command {}

  /** Takes what was set aside back; all of these, or none while leases draw on any. */
  record CancelOccurrences(List<UUID> occurrences) implements Command {

    public CancelOccurrences {
      occurrences = List.copyOf(occurrences);
    }
  }

  /**
   * An approved plan: exactly these moves, so that the request would fit; the request itself is not
   * made.
   */
  record Consolidate(Ask ask, List<Relocation> moves) implements Command {}

  record SetCluster(String cluster, boolean paused) implements Command {}
}
