package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.LeaseState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The README's table of states shows the moves that are legal, and no other. */
class LifeTableTest {

  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([A-Z]+)` \\|([ `A-Z]*)\\|");
  private static final Pattern WORD = Pattern.compile("[A-Z]+");

  @Test
  void showsTheLegalMoves() throws IOException {
    Map<LeaseState, Set<LeaseState>> legal = new EnumMap<>(LeaseState.class);
    for (LeaseState state : LeaseState.values()) {
      legal.put(state, state.mayBecome());
    }
    assertThat(shown()).isEqualTo(legal);
  }

  private static Map<LeaseState, Set<LeaseState>> shown() throws IOException {
    Map<LeaseState, Set<LeaseState>> shown = new EnumMap<>(LeaseState.class);
    for (MatchResult row : ROW.matcher(Files.readString(Path.of("README.md"))).results().toList()) {
      Set<LeaseState> next = EnumSet.noneOf(LeaseState.class);
      WORD.matcher(row.group(2))
          .results()
          .forEach(word -> next.add(LeaseState.valueOf(word.group())));
      shown.put(LeaseState.valueOf(row.group(1)), next);
    }
    return shown;
  }
}
