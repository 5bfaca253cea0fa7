package io.leasehold.replay;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A CSV file (RFC 4180, UTF-8) with a header line. Columns stand in any order and more than asked
 * for may be there; each fault is told with file, line and column.
 */
final class Rows {

  private final Path file;
  private final Map<String, Integer> columns = new HashMap<>();
  private int width;

  private Rows(Path file) {
    this.file = file;
  }

  /** One line; its fields by the name of the column. */
  final class Row {
    private final CsvRecord fields;

    private Row(CsvRecord fields) {
      this.fields = fields;
    }

    boolean has(String column) {
      return columns.containsKey(column);
    }

    /** The field, stripped; empty where the file lacks the column. */
    String text(String column) {
      Integer at = columns.get(column);
      return at == null ? "" : fields.getField(at).strip();
    }

    /** A whole number from 0 up to a largest; the field must be there. */
    long count(String column, long most) {
      long value = Math.round(number(column, most));
      if (value != Double.parseDouble(text(column))) {
        throw fault(column, "is not a whole number");
      }
      return value;
    }

    /** The same, with what an empty field means. */
    long count(String column, long most, long otherwise) {
      return text(column).isEmpty() ? otherwise : count(column, most);
    }

    /** A number from 0 up to a largest. */
    double number(String column, double most) {
      try {
        double value = Double.parseDouble(text(column));
        if (value >= 0 && value <= most) {
          return value;
        }
      } catch (NumberFormatException e) {
        // told below
      }
      throw fault(column, "is not a number from 0 to %.0f".formatted(most));
    }

    BadInput fault(String column, String what) {
      return new BadInput(
          "%s, line %d, column %s: \"%s\" %s"
              .formatted(file, fields.getStartingLineNumber(), column, text(column), what));
    }
  }

  /** Reads all lines below the header; these columns must be there. */
  static <T> List<T> read(Path file, List<String> required, Function<Row, T> parse) {
    Rows rows = new Rows(file);
    List<T> parsed = new ArrayList<>();
    try (CsvReader<CsvRecord> reader =
        CsvReader.builder()
            .skipEmptyLines(true)
            .allowMissingFields(true)
            .allowExtraFields(true)
            .ofCsvRecord(Files.readString(file))) {
      for (CsvRecord line : reader) {
        if (rows.columns.isEmpty()) {
          rows.header(line, required);
        } else {
          parsed.add(parse.apply(rows.row(line)));
        }
      }
    } catch (NoSuchFileException e) {
      throw new BadInput(file + ": no such file");
    } catch (CharacterCodingException e) {
      throw new BadInput(file + " is not UTF-8");
    } catch (CsvParseException | IOException e) {
      throw new BadInput(file + " can not be read: " + e.getMessage());
    }
    if (parsed.isEmpty()) {
      throw new BadInput(file + " has no line below a header");
    }
    return parsed;
  }

  private void header(CsvRecord line, List<String> required) {
    width = line.getFieldCount();
    for (int i = 0; i < width; i++) {
      String name = line.getField(i).strip();
      columns.put(i == 0 && name.startsWith("\uFEFF") ? name.substring(1) : name, i);
    }
    for (String name : required) {
      if (!columns.containsKey(name)) {
        throw new BadInput(
            "%s, line %d: no column %s".formatted(file, line.getStartingLineNumber(), name));
      }
    }
  }

  private Row row(CsvRecord line) {
    if (line.getFieldCount() != width) {
      throw new BadInput(
          "%s, line %d: %d fields, the header has %d"
              .formatted(file, line.getStartingLineNumber(), line.getFieldCount(), width));
    }
    return new Row(line);
  }
}
