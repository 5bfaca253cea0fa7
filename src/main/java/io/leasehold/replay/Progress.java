package io.leasehold.replay;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Says on a stream how far a replay is: not more often than every two seconds, and at its end. */
final class Progress {

  private static final long PAUSE = TimeUnit.SECONDS.toNanos(2);
  private static final int BETWEEN_LOOKS = 256;

  private final PrintStream out;
  private String what = "";
  private long began;
  private long last;
  private long calls;

  Progress(PrintStream out) {
    this.out = out;
  }

  /** Another run begins. */
  void begin(String run) {
    what = run;
    began = System.nanoTime();
    last = began;
  }

  void at(long done, long total) {
    if (++calls % BETWEEN_LOOKS == 0 && System.nanoTime() - last >= PAUSE) {
      last = System.nanoTime();
      say("%s: %d %% (%,d of %,d)", what, 100 * done / Math.max(1, total), done, total);
    }
  }

  /** The run is over. */
  void end() {
    say("%s: done in %.1f s", what, seconds());
  }

  double seconds() {
    return (System.nanoTime() - began) / 1e9;
  }

  private void say(String text, Object... values) {
    out.println(String.format(Locale.ROOT, text, values));
  }
}
