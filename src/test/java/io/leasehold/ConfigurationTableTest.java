package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** The README's table of settings names all there are, and none that is not there. */
class ConfigurationTableTest {

  @Test
  void namesEverySettingAndNoOther() throws Exception {
    assertThat(named()).isEqualTo(real());
  }

  private static Set<String> real() throws URISyntaxException {
    Set<String> settings = new TreeSet<>();
    for (JavaClass type :
        new ClassFileImporter()
            .importPath(
                Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI()))) {
      if (type.isAnnotatedWith(ConfigurationProperties.class)) {
        ConfigurationProperties properties =
            type.reflect().getAnnotation(ConfigurationProperties.class);
        add(properties.value() + properties.prefix(), type.reflect(), settings);
      }
    }
    return settings;
  }

  private static void add(String prefix, Class<?> type, Set<String> settings) {
    for (RecordComponent component : type.getRecordComponents()) {
      String name = prefix + "." + kebab(component.getName());
      Class<?> element = elementOf(component);
      if (element.isRecord()) {
        add(name + (element == component.getType() ? "" : "[n]"), element, settings);
      } else {
        settings.add(name);
      }
    }
  }

  private static Class<?> elementOf(RecordComponent component) {
    return component.getType() == List.class
            && component.getGenericType()
                instanceof java.lang.reflect.ParameterizedType parameterized
            && parameterized.getActualTypeArguments()[0] instanceof Class<?> element
        ? element
        : component.getType();
  }

  private static String kebab(String name) {
    return name.replaceAll("([A-Z])", "-$1").toLowerCase();
  }

  /** {@code `leasehold.web.body.usual`, `.batch`} names two settings with one parent. */
  private static Set<String> named() throws IOException {
    Set<String> settings = new TreeSet<>();
    List<String> section =
        Files.readAllLines(Path.of("README.md")).stream()
            .dropWhile(line -> !line.equals("### Configuration"))
            .skip(1)
            .takeWhile(line -> !line.startsWith("#"))
            .toList();
    for (String row : section) {
      if (row.startsWith("| `leasehold.")) {
        List<String> words = quoted(row.split("\\|")[1]);
        String first = words.getFirst();
        String parent = first.substring(0, first.lastIndexOf('.'));
        settings.addAll(
            words.stream()
                .map(word -> word.startsWith(".") ? parent + word : word)
                .collect(Collectors.toSet()));
      }
    }
    return settings;
  }

  private static List<String> quoted(String cell) {
    List<String> words = new ArrayList<>();
    Matcher matcher = Pattern.compile("`([^`]+)`").matcher(cell);
    while (matcher.find()) {
      words.add(matcher.group(1));
    }
    return words;
  }
}
