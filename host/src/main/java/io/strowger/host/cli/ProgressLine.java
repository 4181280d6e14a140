package io.strowger.host.cli;

import io.strowger.host.show.Table;
import java.util.function.Supplier;

/**
 * Says on standard error how far something has come that takes seconds: on a terminal in one line
 * that is written over, otherwise in a line each second. Whatever is done within the first second
 * is not mentioned. For one thread.
 */
final class ProgressLine implements AutoCloseable {
  private static final long SECOND = 1_000_000_000;
  private static final long TENTH = SECOND / 10;
  private static final String ERASE = "\r\u001b[K";

  private final CommandContext context;
  private long due;
  private boolean shown;

  ProgressLine(CommandContext context) {
    this.context = context;
    this.due = context.ambient().nanoTime() + SECOND;
  }

  /**
   * Shows the text if it is time to.
   *
   * @param text one line; only asked for when it is shown
   */
  void show(Supplier<String> text) {
    long now = context.ambient().nanoTime();
    if (now - due < 0) {
      return;
    }
    if (context.terminal().rewrites()) {
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

  /** Takes the line away. */
  @Override
  public void close() {
    if (shown) {
      context.err().print(ERASE);
      context.err().flush();
      shown = false;
    }
  }
}
