package io.strowger.core.inference;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.routing.TraceEntry;
import java.util.List;

/**
 * Writes and reads the trace note which says that a budget, not the caller, limits the length of an
 * answer.
 */
public final class BudgetCap {
  private static final String SOURCE = "engine";
  private static final String PREFIX = "output_capped_by_budget: ";
  private static final String SEPARATOR = " to ";

  private BudgetCap() {}

  /**
   * Returns the note about an attempt.
   *
   * @param tokens the output token limit that the budget allows
   */
  public static TraceEntry.Note note(Endpoint endpoint, int tokens) {
    return new TraceEntry.Note(SOURCE, PREFIX + endpoint.id() + SEPARATOR + tokens);
  }

  /** Returns whether a text is such a note. */
  public static boolean isNote(String text) {
    return text.startsWith(PREFIX);
  }

  /** Returns the last limit noted for an endpoint in a trace, in tokens; -1 when there is none. */
  public static int tokens(List<TraceEntry> trace, Endpoint endpoint) {
    String prefix = PREFIX + endpoint.id() + SEPARATOR;
    int tokens = -1;
    for (TraceEntry entry : trace) {
      if (entry instanceof TraceEntry.Note(String source, String text)
          && source.equals(SOURCE)
          && text.startsWith(prefix)) {
        tokens = Integer.parseInt(text.substring(prefix.length()));
      }
    }
    return tokens;
  }
}
