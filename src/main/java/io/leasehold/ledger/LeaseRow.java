package io.leasehold.ledger;

import io.leasehold.engine.Answer;
import io.leasehold.engine.Ask;
import io.leasehold.engine.Book;
import io.leasehold.engine.GpuModel;
import io.leasehold.engine.Lease;
import io.leasehold.engine.Shape;
import io.leasehold.engine.Units;
import io.leasehold.engine.Verdict;
import java.util.List;
import java.util.Map;

/** How a lease's record follows from what a batch did to it. */
final class LeaseRow {

  private static final LeaseText NO_TEXT =
      new LeaseText(null, null, Map.of(), Map.of(), List.of(), "{}", "{}");

  private LeaseRow() {}

  static LeaseRecord created(String pool, Draft.Net net, long revision, long now) {
    Submission creator = net.creator;
    return new LeaseRecord(
        pool, net.after, text(net), answer(net, now), revision, creator.actor(), now);
  }

  static LeaseText text(Draft.Net net) {
    return net.creator == null
        ? NO_TEXT
        : net.creator.texts().getOrDefault(net.after.id(), NO_TEXT);
  }

  static Answer answer(Draft.Net net, long now) {
    return net.answer != null
        ? net.answer
        : new Answer(Verdict.UNDECIDED, null, now, null, false, List.of(), List.of(), List.of());
  }

  /** Booked, or as asked for; a MIG profile counts as its share of the first model that has it. */
  static long gpuMilli(Lease lease, Book book) {
    if (lease.booking() != null) {
      return lease.booking().gpuMilli();
    }
    Ask ask = lease.ask();
    return (long) ask.shape().pieces() * milli(ask.shape(), book);
  }

  private static int milli(Shape shape, Book book) {
    return switch (shape.slice()) {
      case Shape.Slice.Whole whole -> Units.PER_GPU;
      case Shape.Slice.Share share -> share.milli();
      case Shape.Slice.Mig mig ->
          shape.models().stream()
              .map(book::model)
              .filter(model -> model != null && model.memorySlices() > 0)
              .flatMap(model -> model.profiles().stream().map(p -> share(model, p, mig)))
              .filter(share -> share > 0)
              .findFirst()
              .orElse(Units.PER_GPU);
    };
  }

  private static int share(GpuModel model, GpuModel.Profile profile, Shape.Slice.Mig wanted) {
    return profile.name().equals(wanted.profile())
        ? profile.size() * Units.PER_GPU / model.memorySlices()
        : 0;
  }
}
