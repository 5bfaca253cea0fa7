package io.leasehold;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.leasehold.planted.Planted;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The arrows between packages and the habits that keep decisions repeatable. Each rule is shown to
 * find the fault planted for it in {@code io.leasehold.planted}.
 */
class ArchitectureTest {

  private static final JavaClasses PRODUCT = classesBeside(Main.class);
  private static final JavaClasses TESTS = withoutPlanted(classesBeside(ArchitectureTest.class));
  private static final JavaClasses FAULTS = new ClassFileImporter().importPackagesOf(Planted.class);

  private static final Path SOURCES = Path.of("src/main/java/io/leasehold");
  private static final Path PLANTED = Path.of("src/test/java/io/leasehold/planted");

  // --- Arrows

  @Test
  void thePackagesUseEachOtherAsTheReadmeShows() throws IOException {
    assertThat(arrows(PRODUCT)).isEqualTo(arrowsOfReadme());
  }

  @Test
  void findsAnArrowThatTheReadmeLacks() throws IOException {
    assertThat(arrows(FAULTS)).contains("planted -> engine");
    assertThat(arrowsOfReadme()).doesNotContain("planted -> engine");
  }

  @Test
  void noArrowsMakeACircle() throws IOException {
    assertThat(circle(arrowsOfReadme())).isEmpty();
    assertThat(circle(Set.of("a -> b", "b -> c", "c -> a"))).isNotEmpty();
  }

  private static Set<String> arrows(JavaClasses classes) {
    Set<String> arrows = new TreeSet<>();
    for (JavaClass origin : classes) {
      String from = packageOf(origin);
      origin.getDirectDependenciesFromSelf().stream()
          .map(dependency -> dependency.getTargetClass().getBaseComponentType())
          .filter(target -> target.getPackageName().startsWith("io.leasehold"))
          .map(ArchitectureTest::packageOf)
          .filter(to -> !to.equals(from))
          .forEach(to -> arrows.add(from + " -> " + to));
    }
    // The sample may use every feature; the picture says so in words.
    arrows.removeIf(arrow -> arrow.startsWith("sample -> "));
    return arrows;
  }

  /** The first word below {@code io.leasehold}; {@code main} for the start itself. */
  private static String packageOf(JavaClass type) {
    String[] words = type.getPackageName().split("\\.");
    return words.length < 3 ? "main" : words[2];
  }

  /** Lines such as {@code ledger -> engine} of the README's picture. */
  private static Set<String> arrowsOfReadme() throws IOException {
    Set<String> arrows = new TreeSet<>();
    Matcher lines =
        Pattern.compile("(?m)^(\\w+)/? +-> ([\\w, ]+)$")
            .matcher(Files.readString(Path.of("README.md")));
    while (lines.find()) {
      for (String to : lines.group(2).split(",")) {
        arrows.add(lines.group(1) + " -> " + to.strip());
      }
    }
    return arrows;
  }

  private static Set<String> circle(Set<String> arrows) {
    Map<String, Set<String>> targets = new HashMap<>();
    for (String arrow : arrows) {
      String[] ends = arrow.split(" -> ");
      targets.computeIfAbsent(ends[0], _ -> new HashSet<>()).add(ends[1]);
    }
    boolean shrinks = true;
    while (shrinks) { // Takes away what points to nothing; what is left points round.
      shrinks = targets.values().removeIf(Set::isEmpty);
      for (Set<String> ends : targets.values()) {
        shrinks |= ends.retainAll(targets.keySet());
      }
    }
    return targets.keySet();
  }

  // --- The engine is a function

  private static final ArchRule ENGINE_KNOWS_NOTHING =
      noClasses()
          .that(resideIn("engine"))
          .should()
          .dependOnClassesThat(
              outside("java.", "io.leasehold.engine", "org.jspecify.")
                  .or(below("java.io", "java.nio", "java.net", "java.sql")));

  /** L13: replicas with wrong clocks agree, since nobody looks at them. Ids only sort by theirs. */
  private static final ArchRule NOBODY_READS_THE_MACHINES_CLOCK =
      noClasses()
          .should()
          .accessTargetWhere(
              DescribedPredicate.describe(
                  "is the machine's time of day", access -> isTimeOfDay(access.getTarget())));

  private static boolean isTimeOfDay(AccessTarget target) {
    String owner = target.getOwner().getName();
    return owner.equals("java.lang.System") && target.getName().equals("currentTimeMillis")
        || owner.startsWith("java.time.") && target.getName().matches("now|system.*")
        || target instanceof AccessTarget.CodeUnitAccessTarget made
            && made.getFullName().equals("java.util.Date.<init>()");
  }

  @Test
  void theEngineKnowsNothingButJava() {
    ENGINE_KNOWS_NOTHING.check(PRODUCT);
    assertFinds(ENGINE_KNOWS_NOTHING, "org.springframework.util.StringUtils");
    assertFinds(ENGINE_KNOWS_NOTHING, "java.nio.file.Files");
  }

  @Test
  void nobodyReadsAnyClockButTheDatabases() {
    NOBODY_READS_THE_MACHINES_CLOCK.check(PRODUCT);
    for (String fault :
        List.of(
            "java.time.Instant.now()",
            "java.lang.System.currentTimeMillis()",
            "java.time.Clock.systemUTC()",
            "java.util.Date.<init>()")) {
      assertFinds(NOBODY_READS_THE_MACHINES_CLOCK, fault);
    }
  }

  // --- One writer

  private static final Pattern WRITE_TO_LEDGER =
      Pattern.compile(
          "(?i)(?:insert\\s+into|update|delete\\s+from|truncate(?:\\s+table)?|merge\\s+into|copy)\\s+(?:only\\s+)?"
              + "(pool|fact|lease|allocation|allocation_history|occupancy|batch|move|audit_fact"
              + "|idempotency_key|cluster_order)\\b");

  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");
  private static final Pattern TEXT =
      Pattern.compile("(?s)\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"");

  @Test
  void nobodyButTheLedgerWritesItsTables() throws IOException {
    assertThat(writesToTheLedgersTables(SOURCES)).isEmpty();
  }

  @Test
  void findsAWriterOfTheLedgersTables() throws IOException {
    assertThat(writesToTheLedgersTables(PLANTED))
        .containsExactly("WriterOfLeases: lease", "WriterOfLeases: allocation");
  }

  private static List<String> writesToTheLedgersTables(Path sources) throws IOException {
    List<String> found = new ArrayList<>();
    for (Path source : javaFiles(sources)) {
      if (source.startsWith(SOURCES.resolve("ledger"))) {
        continue;
      }
      String code = COMMENT.matcher(Files.readString(source)).replaceAll("");
      Matcher texts = TEXT.matcher(code);
      while (texts.find()) {
        Matcher writes = WRITE_TO_LEDGER.matcher(texts.group());
        while (writes.find()) {
          found.add(nameOf(source) + ": " + writes.group(1));
        }
      }
    }
    return found;
  }

  // --- Tests

  /** A benchmark runs for a time; a test waits for a fact. */
  private static final ArchRule TESTS_DO_NOT_SLEEP =
      noClasses()
          .that()
          .haveNameNotMatching(".*Benchmark(\\$.*)?|.*jmh_generated.*")
          .should()
          .callMethod(Thread.class, "sleep", long.class)
          .orShould()
          .callMethod(Thread.class, "sleep", java.time.Duration.class)
          .orShould()
          .callMethod(TimeUnit.class, "sleep", long.class);

  private static final ArchRule NOTHING_IS_MOCKED =
      noClasses().should().dependOnClassesThat(below("org.mockito"));

  @Test
  void noTestSleeps() {
    TESTS_DO_NOT_SLEEP.check(TESTS);
    assertFinds(TESTS_DO_NOT_SLEEP, "java.lang.Thread.sleep(long)");
  }

  @Test
  void nothingIsMocked() {
    NOTHING_IS_MOCKED.check(TESTS);
    assertFinds(NOTHING_IS_MOCKED, "org.mockito.Mockito");
  }

  // --- Words

  private static final ArchRule NAMES_SAY_SOMETHING =
      noClasses()
          .should()
          .haveNameMatching(".*(Impl|Manager|Helper|Utils?|Base|Dto|Info|Data)(\\$.*)?");

  @Test
  void namesSaySomething() {
    NAMES_SAY_SOMETHING.check(PRODUCT);
    assertFinds(NAMES_SAY_SOMETHING, "LeaseManagerImpl");
  }

  @Test
  void everyPackageSaysWhatItDecidesAndIsNullMarked() throws IOException {
    assertThat(unexplained(SOURCES)).isEmpty();
    assertThat(unexplained(Path.of("src/test/java/io/leasehold"))).contains("leasehold");
  }

  private static Set<String> unexplained(Path sources) throws IOException {
    Set<String> names = new TreeSet<>();
    for (Path source : javaFiles(sources)) {
      Path explanation = source.resolveSibling("package-info.java");
      if (Files.notExists(explanation)
          || !Files.readString(explanation).contains("@NullMarked\npackage")) {
        names.add(source.getParent().getFileName().toString());
      }
    }
    return names;
  }

  // --- How the rules look

  private static void assertFinds(ArchRule rule, String fault) {
    List<String> found = rule.evaluate(FAULTS).getFailureReport().getDetails();
    assertThat(found).anyMatch(detail -> detail.contains(fault));
  }

  /** A package of the product; what is planted counts as being in every package. */
  private static DescribedPredicate<JavaClass> resideIn(String... names) {
    Set<String> wanted = new HashSet<>(List.of(names));
    wanted.add("planted");
    return DescribedPredicate.describe(
        "are in " + String.join(" or ", names), type -> wanted.contains(packageOf(type)));
  }

  private static DescribedPredicate<JavaClass> below(String... packages) {
    return DescribedPredicate.describe(
        "are below " + String.join(", ", packages),
        type -> Stream.of(packages).anyMatch(name -> isBelow(type, name)));
  }

  private static boolean isBelow(JavaClass type, String name) {
    return type.getPackageName().equals(name) || type.getPackageName().startsWith(name + ".");
  }

  private static DescribedPredicate<JavaClass> outside(String... prefixes) {
    return DescribedPredicate.describe(
        "are outside " + String.join(", ", prefixes),
        type -> {
          JavaClass element = type.getBaseComponentType();
          return !element.isPrimitive()
              && Stream.of(prefixes).noneMatch(element.getName()::startsWith);
        });
  }

  private static JavaClasses classesBeside(Class<?> type) {
    try {
      return new ClassFileImporter()
          .importPath(Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()));
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JavaClasses withoutPlanted(JavaClasses classes) {
    return classes.that(
        DescribedPredicate.describe("are not planted", type -> !packageOf(type).equals("planted")));
  }

  private static List<Path> javaFiles(Path sources) throws IOException {
    try (Stream<Path> paths = Files.walk(sources)) {
      return paths.filter(path -> path.toString().endsWith(".java")).sorted().toList();
    }
  }

  private static String nameOf(Path source) {
    return source.getFileName().toString().replace(".java", "");
  }
}
