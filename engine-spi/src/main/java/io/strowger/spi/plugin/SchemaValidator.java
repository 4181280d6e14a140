package io.strowger.spi.plugin;

import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import java.util.List;

/**
 * Checks values that models wrote against JSON Schemas of callers and of tools. Safe on any thread.
 *
 * <p>Value and schema may be hostile: an implementation loads no other document, runs patterns in
 * linear time and bounds its work for every schema.
 */
@FunctionalInterface
public interface SchemaValidator {
  /** Checks a value against a schema. Never throws, for any schema and value. */
  Verdict check(Json.Obj schema, Json value);

  /** The result of a check. */
  sealed interface Verdict {
    /** The value fits. */
    record Valid() implements Verdict {}

    /**
     * The value does not fit.
     *
     * @param problems the problems found before the check stopped, with pointers into the value; at
     *     least one
     */
    record Invalid(List<Problem> problems) implements Verdict {
      public Invalid {
        problems = List.copyOf(problems);
      }
    }

    /**
     * The value could not be checked: the schema is malformed, refers to another document, has a
     * pattern that does not run in linear time, or would cost too much.
     *
     * @param reason which of these, as the rest of a sentence that begins with "the schema"
     */
    record UnusableSchema(String reason) implements Verdict {}
  }
}
