package io.strowger.core.inference;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.routing.TraceEntry;
import java.util.List;

/**
 * The note that money, and not the caller, limits how long an answer may be: how it is written into
 * a trace and read from it.
 */
public final class BudgetCap {
  private static final String SOURCE = "engine";
  private static final String BEGINNING = "output_capped_by_budget: ";
  private static final String TO = " to ";

  private BudgetCap() {}

  /**
   * Returns the note about an attempt.
   *
   * @param tokens most output tokens it was asked for
   */
  public static TraceEntry.Note note(Endpoint endpoint, int tokens) {
    return new TraceEntry.Note(SOURCE, BEGINNING + endpoint.id() + TO + tokens);
  }

  /** Whether a note has this text. */
  public static boolean isNote(String text) {
    return text.startsWith(BEGINNING);
  }

  /** Returns what the answer of an endpoint was last capped to, in tokens; -1 when it was not. */
  public static int tokens(List<TraceEntry> trace, Endpoint endpoint) {
    String beginning = BEGINNING + endpoint.id() + TO;
    int tokens = -1;
    for (TraceEntry entry : trace) {
      if (entry instanceof TraceEntry.Note(String source, String text)
          && source.equals(SOURCE)
          && text.startsWith(beginning)) {
        tokens = Integer.parseInt(text.substring(beginning.length()));
      }
    }
    return tokens;
  }
}
