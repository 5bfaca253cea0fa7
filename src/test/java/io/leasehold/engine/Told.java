package io.leasehold.engine;

import java.util.List;
import java.util.stream.Collectors;

/** A batch in few words, for whoever reads what went wrong: times in seconds of the story. */
final class Told {

  private Told() {}

  static String of(List<Command> commands, Batch batch) {
    StringBuilder text = new StringBuilder("at " + at(batch.at()) + "\n");
    commands.forEach(each -> text.append("  ").append(of(each)).append('\n'));
    batch.moves().forEach(each -> text.append("    ").append(of(each)).append('\n'));
    return text.toString();
  }

  private static String of(Command command) {
    return command instanceof Command.Create create
        ? "Create " + of(create.ask())
        : times(command.toString());
  }

  private static String of(Move move) {
    return switch (move) {
      case Move.LeaseMoved moved ->
          moved.cause()
              + (moved.before() == null ? "" : " " + moved.before().state())
              + " -> "
              + of(moved.after());
      case Move.UsageSet _ -> "usage";
      default -> times(move.toString());
    };
  }

  static String of(Lease lease) {
    StringBuilder text = new StringBuilder(lease.id().getLeastSignificantBits() + " ");
    text.append(lease.state()).append(' ').append(lease.ask().serviceClass());
    text.append(' ').append(lease.ask().tenant());
    if (lease.window() != null) {
      text.append(' ').append(of(lease.window()));
    }
    if (lease.taken() != null) {
      text.append(lease.earmark() == null ? " has " : " earmarks ").append(of(lease.taken()));
    }
    if (lease.leaving() != null) {
      text.append(" leaves ").append(of(lease.leaving()));
    }
    return text + (lease.degraded() ? " degraded" : "");
  }

  private static String of(Ask ask) {
    String shape = ask.shape().toString().replaceAll("(Shape|Where)\\[|=\\[\\]|\\]", "");
    return ask.lease().getLeastSignificantBits()
        + " "
        + ask.tenant()
        + " "
        + ask.serviceClass()
        + " "
        + shape
        + " "
        + times(ask.when().toString())
        + " until "
        + at(ask.waitUntil())
        + (ask.preemptible() ? "" : " protected")
        + (ask.reservation() == null ? "" : " on " + ask.reservation())
        + (ask.after().isEmpty() ? "" : " after " + ask.after());
  }

  private static String of(Booking booking) {
    return of(booking.hold())
        + booking.slots().stream()
            .map(slot -> " " + slot.node().getLeastSignificantBits() + ":" + slot.units())
            .collect(Collectors.joining());
  }

  private static String of(Span span) {
    return "[" + at(span.start()) + "," + at(span.end()) + ")";
  }

  private static String at(long instant) {
    return instant == Span.FOREVER ? "ever" : String.valueOf((instant - Story.T) / 1e6);
  }

  private static String times(String text) {
    return java.util.regex.Pattern.compile("18\\d{14}")
        .matcher(text)
        .replaceAll(found -> at(Long.parseLong(found.group())));
  }
}
