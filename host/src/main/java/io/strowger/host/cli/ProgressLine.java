package io.strowger.host.cli;

import io.strowger.host.show.Table;
import java.util.function.Supplier;

/**
 * Shows the progress of a long operation on standard error: on a terminal in one line that is
 * overwritten, otherwise in a new line each second. Shows nothing during the first second. Confined
 * to one thread.
 */
public final class ProgressLine implements AutoCloseable {
  private static final long SECOND = 1_000_000_000;
  private static final long TENTH = SECOND / 10;
  private static final String ERASE = "\r\u001b[K";

  private final CommandContext context;
  private long due;
  private boolean shown;

  public ProgressLine(CommandContext context) {
    this.context = context;
    this.due = context.ambient().nanoTime() + SECOND;
  }

  /**
   * Shows the text if the next update is due.
   *
   * @param text supplies the text, one line; called only when it is shown
   */
  public void show(Supplier<String> text) {
    long now = context.ambient().nanoTime();
    if (now - due < 0) {
      return;
    }
    if (context.terminal().canOverwrite()) {
      due = now + TENTH;
      String line = text.get();
      String fitting = line.substring(0, Math.min(line.length(), Table.WIDTH - 1));
      context.err().print(ERASE + context.terminal().err().faint(fitting));
      context.err().flush();
      shown = true;
    } else {
      due = now + SECOND;
      context.err().println(text.get());
    }
  }

  /** Erases the line, if one is shown. */
  @Override
  public void close() {
    if (shown) {
      context.err().print(ERASE);
      context.err().flush();
      shown = false;
    }
  }
}
