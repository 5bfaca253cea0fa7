package io.leasehold.fleet;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import io.leasehold.engine.Domain;
import io.leasehold.web.Problem.Fault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads an inventory from CSV with a header line. Columns, in any order, written as here or as the
 * fields in JSON ({@code gpuCount}):
 *
 * <ul>
 *   <li>{@code name} (or {@code sn}), {@code model}, {@code gpu_count} (or {@code gpu}): required
 *   <li>{@code cluster}: unless one is given for all
 *   <li>{@code cpu_milli}, {@code memory_mib}: optional
 *   <li>{@code region}, {@code zone}, {@code block}, {@code rack}, {@code nvlink}: optional; if one
 *       of the columns is there, a row tells its whole place
 *   <li>{@code gpu_uuids}: optional, separated by spaces, one for each GPU
 * </ul>
 */
final class CsvInventory {

  private static final int HEADER_LINE = 1;
  private static final int LONGEST_NUMBER = 18;

  private static final Map<String, String> FIELDS =
      Map.ofEntries(
          Map.entry("name", "name"),
          Map.entry("sn", "name"),
          Map.entry("model", "model"),
          Map.entry("gpu_count", "gpuCount"),
          Map.entry("gpu", "gpuCount"),
          Map.entry("cluster", "cluster"),
          Map.entry("cpu_milli", "cpuMilli"),
          Map.entry("memory_mib", "memoryMiB"),
          Map.entry("region", "region"),
          Map.entry("zone", "zone"),
          Map.entry("block", "block"),
          Map.entry("rack", "rack"),
          Map.entry("nvlink", "nvlink"),
          Map.entry("gpu_uuids", "gpuUuids"));
  private static final List<String> REQUIRED = List.of("name", "model", "gpuCount");
  private static final Set<String> PLACE = Set.of("region", "zone", "block", "rack", "nvlink");

  private final Map<String, Integer> columns = new HashMap<>();
  private final List<InventoryEntry> entries = new ArrayList<>();
  private final List<Fault> faults = new ArrayList<>();
  private int width;

  private CsvInventory() {}

  static Inventory.Unchecked read(byte[] csv) {
    CsvInventory inventory = new CsvInventory();
    inventory.readText(csv);
    return new Inventory.Unchecked(inventory.entries, inventory.faults);
  }

  private void readText(byte[] csv) {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(csv)).toString();
    } catch (CharacterCodingException notUtf8) {
      faults.add(fault(HEADER_LINE, 1, "not-utf-8", "the file is not UTF-8"));
      return;
    }
    readRecords(text.startsWith("\uFEFF") ? text.substring(1) : text);
  }

  private void readRecords(String text) {
    long line = 0;
    try (CsvReader<CsvRecord> reader =
        CsvReader.builder()
            .skipEmptyLines(true)
            .allowMissingFields(true)
            .allowExtraFields(true)
            .ofCsvRecord(text)) {
      for (CsvRecord row : reader) {
        line = row.getStartingLineNumber();
        if (width == 0) {
          readHeader(row);
        } else if (entries.size() == InventoryRules.MOST_NODES) {
          faults.add(
              fault(
                  line, 1, "too-many", "at most " + InventoryRules.MOST_NODES + " nodes at once"));
          return;
        } else {
          readRow(row);
        }
        if (!isHeaderSound()) {
          return;
        }
      }
    } catch (CsvParseException malformed) {
      faults.add(fault(line + 1, 1, "malformed", "not CSV from here on: is a quote left open?"));
      return;
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    if (width == 0) {
      faults.add(fault(HEADER_LINE, 1, "no-header", "the first line names the columns"));
    }
  }

  private void readHeader(CsvRecord header) {
    int line = (int) header.getStartingLineNumber();
    width = header.getFieldCount();
    for (int i = 0; i < width; i++) {
      String title = header.getField(i).strip().toLowerCase(Locale.ROOT);
      String field = field(title);
      if (field == null) {
        faults.add(
            fault(line, i + 1, "unknown-column", "'" + title + "'; known: " + knownTitles()));
      } else if (columns.putIfAbsent(field, i) != null) {
        faults.add(fault(line, i + 1, "duplicate-column", "'" + title + "' is here twice"));
      }
    }
    for (String field : REQUIRED) {
      if (!columns.containsKey(field)) {
        faults.add(fault(line, 1, "missing-column", "no column for " + field));
      }
    }
  }

  private boolean isHeaderSound() {
    return !entries.isEmpty() || faults.isEmpty() || columns.keySet().containsAll(REQUIRED);
  }

  private void readRow(CsvRecord row) {
    int line = (int) row.getStartingLineNumber();
    if (row.getFieldCount() != width) {
      faults.add(
          fault(
              line,
              Math.min(row.getFieldCount(), width) + 1,
              "wrong-field-count",
              row.getFieldCount() + " fields, but the header has " + width));
      return;
    }
    entries.add(
        new InventoryEntry(
            (field, code, detail) -> fault(line, columns.getOrDefault(field, 0) + 1, code, detail),
            text(row, "cluster"),
            text(row, "name"),
            text(row, "model"),
            number(row, line, "gpuCount"),
            number(row, line, "cpuMilli"),
            number(row, line, "memoryMiB"),
            domain(row),
            uuids(row)));
  }

  private @Nullable String text(CsvRecord row, String field) {
    Integer column = columns.get(field);
    String text = column == null ? "" : row.getField(column).strip();
    return text.isEmpty() ? null : text;
  }

  private @Nullable Long number(CsvRecord row, int line, String field) {
    String text = text(row, field);
    if (text == null) {
      return null;
    }
    if (!text.matches("-?[0-9]{1," + LONGEST_NUMBER + "}")) {
      faults.add(
          fault(line, columns.get(field) + 1, "not-a-number", "'" + text + "' is no whole number"));
      return 1L;
    }
    return Long.parseLong(text);
  }

  private @Nullable Domain domain(CsvRecord row) {
    if (PLACE.stream().noneMatch(columns::containsKey)) {
      return null;
    }
    return new Domain(
        text(row, "region"),
        text(row, "zone"),
        text(row, "block"),
        text(row, "rack"),
        text(row, "nvlink"));
  }

  private @Nullable List<String> uuids(CsvRecord row) {
    String text = text(row, "gpuUuids");
    return text == null ? null : Stream.of(text.split("\\s+")).toList();
  }

  /** As in the tables ({@code gpu_count}) or as in JSON ({@code gpuCount}). */
  private static @Nullable String field(String title) {
    String bare = title.replace("_", "");
    return FIELDS.entrySet().stream()
        .filter(known -> known.getKey().replace("_", "").equals(bare))
        .map(Map.Entry::getValue)
        .findAny()
        .orElse(null);
  }

  private static String knownTitles() {
    return String.join(", ", new TreeSet<>(FIELDS.keySet()));
  }

  private static Fault fault(long line, int column, String code, String detail) {
    return new Fault(null, null, (int) line, column, code, detail);
  }
}
