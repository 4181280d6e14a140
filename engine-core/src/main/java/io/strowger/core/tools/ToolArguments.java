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
 * @param schemas checks the arguments; null for no check
 */
record ToolArguments(JsonCodec codec, @Nullable SchemaValidator schemas) {
  /** The result of reading the arguments of a call. */
  sealed interface Read {
    /**
     * Arguments that the tool can be run with.
     *
     * @param note the problem of the tool's own schema, for the trace; null when there is none
     */
    record Good(Json.Obj arguments, @Nullable String note) implements Read {}

    /**
     * Arguments that are wrong, with the reason for the model.
     *
     * @param problems the problems, each with its place; empty when the arguments are no object
     */
    record Bad(String why, List<String> problems) implements Read {}
  }

  /** Reads the arguments of a call; a blank text is read as an empty object. */
  Read read(Arguments given, ServerTool.Spec spec) {
    Json.Obj arguments =
        switch (given) {
          case Arguments.Value(Json value) -> value instanceof Json.Obj object ? object : null;
          case Arguments.Text(Json.Str written) -> parsed(written.text());
        };
    if (arguments == null) {
      return new Read.Bad("The arguments are no JSON object.", List.of());
    }
    SchemaValidator validator = schemas;
    return switch (validator == null
        ? new Verdict.Fits()
        : validator.check(spec.parameters(), arguments)) {
      case Verdict.Fits fits -> new Read.Good(arguments, null);
      case Verdict.Misfit(List<Problem> problems) ->
          new Read.Bad(
              "The arguments do not fit the schema of the tool.",
              problems.stream().map(Problem::toString).toList());
      case Verdict.Unusable(String reason) ->
          new Read.Good(
              arguments,
              "the arguments of " + spec.type() + " are not checked: the schema " + reason);
    };
  }

  private Json.@Nullable Obj parsed(String text) {
    if (text.isBlank()) {
      return Json.Obj.EMPTY;
    }
    try {
      return codec.parse(text.getBytes(StandardCharsets.UTF_8)) instanceof Json.Obj object
          ? object
          : null;
    } catch (JsonCodec.MalformedJsonException byTheModel) {
      return null;
    }
  }
}
