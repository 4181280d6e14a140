package io.strowger.core.tools;

import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.plugin.SchemaValidator;
import io.strowger.spi.plugin.SchemaValidator.Verdict;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a model wrote as the arguments of a call and checks it against the tool's schema. Safe
 * on any thread.
 *
 * @param schemaValidator checks the arguments; null for no check
 */
record ToolArguments(JsonCodec codec, @Nullable SchemaValidator schemaValidator) {
  /** The result of reading the arguments of a call. */
  sealed interface Result {
    /**
     * Arguments that the tool can be run with.
     *
     * @param note the problem of the tool's own schema, for the trace; null when there is none
     */
    record Valid(Json.Obj arguments, @Nullable String note) implements Result {}

    /**
     * Arguments that are wrong, with the reason for the model.
     *
     * @param problems the problems, each with its place; empty when the arguments are no object
     */
    record Invalid(String reason, List<String> problems) implements Result {}
  }

  /** Reads the arguments of a call; a blank text is read as an empty object. */
  Result read(Arguments source, ServerTool.Spec spec) {
    Json.Obj arguments =
        switch (source) {
          case Arguments.Value(Json value) -> value instanceof Json.Obj object ? object : null;
          case Arguments.Text(Json.Str jsonText) -> parse(jsonText.text());
        };
    if (arguments == null) {
      return new Result.Invalid("The arguments are no JSON object.", List.of());
    }
    SchemaValidator validator = schemaValidator;
    return switch (validator == null
        ? new Verdict.Valid()
        : validator.check(spec.parameters(), arguments)) {
      case Verdict.Valid fits -> new Result.Valid(arguments, null);
      case Verdict.Invalid(List<Problem> problems) ->
          new Result.Invalid(
              "The arguments do not fit the schema of the tool.",
              problems.stream().map(Problem::toString).toList());
      case Verdict.UnusableSchema(String reason) ->
          new Result.Valid(
              arguments,
              "the arguments of " + spec.type() + " are not checked: the schema " + reason);
    };
  }

  private Json.@Nullable Obj parse(String text) {
    if (text.isBlank()) {
      return Json.Obj.EMPTY;
    }
    try {
      return codec.parse(text.getBytes(StandardCharsets.UTF_8)) instanceof Json.Obj object
          ? object
          : null;
    } catch (JsonCodec.MalformedJsonException e) {
      return null;
    }
  }
}
