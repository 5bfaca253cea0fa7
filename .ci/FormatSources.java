import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Every source is as google-java-format writes it: {@code check} names those that are not. */
class FormatSources {

  public static void main(String[] args) throws Exception {
    boolean write = args[0].equals("write");
    List<Path> different = new ArrayList<>();
    try (Stream<Path> paths = Files.walk(Path.of(args[1]))) {
      for (Path source : paths.filter(path -> path.toString().endsWith(".java")).toList()) {
        String present = Files.readString(source);
        String wanted = format(present);
        if (!present.equals(wanted)) {
          different.add(source);
          if (write) {
            Files.writeString(source, wanted);
          }
        }
      }
    }
    different.forEach(source -> System.out.println((write ? "formatted " : "not formatted: ") + source));
    if (!write && !different.isEmpty()) {
      System.out.println("CONTRIBUTING.md names the command that formats them.");
      System.exit(1);
    }
  }

  private static String format(String source) throws Exception {
    String imports =
        RemoveUnusedImports.removeUnusedImports(
            ImportOrderer.reorderImports(source, JavaFormatterOptions.Style.GOOGLE));
    return new Formatter().formatSource(imports);
  }
}
