package io.leasehold.sample;

import io.leasehold.CannotStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * PostgreSQL refuses to run as root. Who is not root runs it as themselves; root runs it in a user
 * namespace of its own, where it has no rights over others, or as an existing user without rights.
 *
 * @param prefix the words before each of the server's commands
 * @param other the user that must own the files; empty = whoever runs this
 */
record ServerUser(List<String> prefix, String other) {

  private static final List<String> WITHOUT_RIGHTS = List.of("postgres", "nobody");

  static ServerUser choose() throws IOException, InterruptedException {
    if (!isRoot()) {
      return new ServerUser(List.of(), "");
    }
    if (succeeds("unshare", "-U", "true")) {
      return new ServerUser(List.of("unshare", "-U"), "");
    }
    for (String name : WITHOUT_RIGHTS) {
      List<String> prefix =
          List.of("setpriv", "--reuid", name, "--regid", groupOf(name), "--clear-groups");
      List<String> attempt = new ArrayList<>(prefix);
      attempt.add("true");
      if (succeeds(attempt.toArray(String[]::new))) {
        return new ServerUser(prefix, name);
      }
    }
    throw new CannotStart(
        "PostgreSQL refuses to run as root, and neither `unshare -U` nor `setpriv` works here."
            + " Start the sample as another user.");
  }

  List<String> command(List<String> words) {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(words);
    return command;
  }

  /** Makes the tree belong to the server's user, where that is not the present one. */
  void own(Path tree) throws IOException {
    if (other.isEmpty()) {
      return;
    }
    var principal =
        tree.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(other);
    try (Stream<Path> paths = Files.walk(tree)) {
      for (Path path : paths.toList()) {
        Files.setOwner(path, principal);
      }
    }
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  private static String groupOf(String name) throws IOException, InterruptedException {
    Process id = new ProcessBuilder("id", "-g", name).start();
    String group = new String(id.getInputStream().readAllBytes()).strip();
    id.waitFor();
    return group.isEmpty() ? "0" : group;
  }

  private static boolean succeeds(String... command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(5, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
