package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Parts of what a lease has on one node, by the pieces that it asked for. */
final class Slicing {

  private final Book book;
  private final Shape shape;
  private final @Nullable GpuModel model;

  Slicing(Book book, Shape shape, @Nullable GpuModel model) {
    this.book = book;
    this.shape = shape;
    this.model = model;
  }

  /** How many GPUs, instances or fractions a slot is made of. */
  static int pieces(Booking.Slot slot, Shape shape, @Nullable GpuModel model) {
    return (int) (slot.units().size() / Need.milli(shape.scaled(1), model));
  }

  /** A GPU, an instance or a fraction. */
  private record Piece(Units units, Booking.@Nullable Instance instance, boolean healthy) {}

  /** So many pieces stay, healthy ones first, then in order; the others go. */
  Parting.Parts part(Booking.Slot slot, int keep) {
    List<Piece> pieces = new ArrayList<>(pieces(slot));
    pieces.sort(Comparator.comparing(piece -> !piece.healthy()));
    return new Parting.Parts(
        List.of(slot(slot, pieces.subList(0, keep), pieces.size())),
        List.of(slot(slot, pieces.subList(keep, pieces.size()), pieces.size())));
  }

  /** The pieces that meet a condition go, the others stay. */
  Parting.Parts part(Booking.Slot slot, Predicate<Booking.Slot> goes) {
    List<Piece> pieces = pieces(slot);
    Map<Boolean, List<Piece>> parts =
        pieces.stream()
            .collect(
                Collectors.partitioningBy(
                    piece -> goes.test(slot(slot, List.of(piece), pieces.size()))));
    return new Parting.Parts(
        together(slot, parts.get(false), pieces.size()),
        together(slot, parts.get(true), pieces.size()));
  }

  private static List<Booking.Slot> together(Booking.Slot whole, List<Piece> pieces, int of) {
    return pieces.isEmpty() ? List.of() : List.of(slot(whole, pieces, of));
  }

  /** Each piece by itself, in order. */
  List<Booking.Slot> pieceByPiece(Booking.Slot slot) {
    List<Piece> pieces = pieces(slot);
    return pieces.stream().map(piece -> slot(slot, List.of(piece), pieces.size())).toList();
  }

  private List<Piece> pieces(Booking.Slot slot) {
    Node node = book.node(slot.node());
    IntPredicate healthy =
        gpu ->
            node != null && gpu < node.gpus().size() && node.gpus().get(gpu).health() == Health.OK;
    List<Piece> pieces = new ArrayList<>();
    if (slot.mode() == Mode.MIG) {
      int perSlice = Units.PER_GPU / model.memorySlices();
      for (Booking.Instance each : slot.instances()) {
        int first = each.gpu() * Units.PER_GPU + each.start() * perSlice;
        Units units = Units.of(first, first + each.size() * perSlice);
        pieces.add(new Piece(units, each, healthy.test(each.gpu())));
      }
      return pieces;
    }
    int milli = (int) Need.milli(shape.scaled(1), model);
    for (long left = slot.units().gpus(); left != 0; left &= left - 1) {
      int gpu = Long.numberOfTrailingZeros(left);
      for (Units units : slot.units().on(gpu).cut(milli)) {
        pieces.add(new Piece(units, null, healthy.test(gpu)));
      }
    }
    return pieces;
  }

  private static Booking.Slot slot(Booking.Slot whole, List<Piece> pieces, int of) {
    Units units = Units.NONE;
    List<Booking.Instance> instances = new ArrayList<>();
    for (Piece piece : pieces) {
      units = units.and(piece.units());
      if (piece.instance() != null) {
        instances.add(piece.instance());
      }
    }
    return new Booking.Slot(
        whole.group(),
        whole.node(),
        whole.mode(),
        units,
        instances,
        whole.cpuMilli() * pieces.size() / of,
        whole.memoryMiB() * pieces.size() / of,
        whole.since());
  }
}
