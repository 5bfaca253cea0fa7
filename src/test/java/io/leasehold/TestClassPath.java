package io.leasehold;

import java.io.File;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The class path of this test, for a process of its own. */
public final class TestClassPath {

  private TestClassPath() {}

  /** Without empty entries, which would mean the working directory. */
  public static String get() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.isEmpty())
        .collect(Collectors.joining(File.pathSeparator));
  }
}
