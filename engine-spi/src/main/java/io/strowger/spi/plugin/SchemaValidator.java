package io.strowger.spi.plugin;

import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import java.util.List;

/**
 * Checks values that models wrote against JSON Schemas of callers and of tools. Safe on any thread.
 *
 * <p>Both sides may be hostile: an implementation reads no document from elsewhere, runs patterns
 * in linear time and bounds its work whatever the schema says.
 */
@FunctionalInterface
public interface SchemaValidator {
  /** Says whether a value fits a schema. Never throws for what schema and value hold. */
  Verdict check(Json.Obj schema, Json value);

  /** What a check came to. */
  sealed interface Verdict {
    /** The value fits. */
    record Fits() implements Verdict {}

    /**
     * The value does not fit.
     *
     * @param problems all there are as far as they were looked for, with pointers into the value;
     *     at least one
     */
    record Misfit(List<Problem> problems) implements Verdict {
      public Misfit {
        problems = List.copyOf(problems);
      }
    }

    /**
     * Nobody can say: the schema is malformed, refers to another document, has a pattern that does
     * not run in linear time, or would cost too much.
     *
     * @param reason which of these, as the rest of a sentence that begins with "the schema"
     */
    record Unusable(String reason) implements Verdict {}
  }
}
