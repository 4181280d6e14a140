package io.strowger.providers.messages;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.OutputFormat;
import io.strowger.spi.model.Tool;
import io.strowger.spi.provider.Call;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tool that the gateway adds for endpoints that support tools but no structured outputs: the
 * schema of its input is the schema of the answer, and its input becomes the answer's text.
 * Translation fact sheet, section 1, row "json schema".
 */
final class AnswerTool {
  private static final String NAME = "json_answer";

  private AnswerTool() {}

  /**
   * Returns a name for the tool that no tool of the request has; null when this call does not need
   * the tool.
   */
  static @Nullable String nameFor(Call call) {
    InferenceRequest request = call.request();
    Endpoint endpoint = call.endpoint();
    if (request.dialect() == Dialect.MESSAGES
        || endpoint.supports(Parameter.STRUCTURED_OUTPUTS)
        || !endpoint.supports(Parameter.TOOLS)
        || !endpoint.supports(Parameter.TOOL_CHOICE)
        || schema(request.generationParameters().format()) == null) {
      return null;
    }
    String name = NAME;
    while (isTaken(name, request.tools())) {
      name += "_";
    }
    return name;
  }

  private static boolean isTaken(String name, List<Tool> tools) {
    return tools.stream().anyMatch(t -> t instanceof Tool.Function f && f.name().equals(name));
  }

  static Json.@Nullable Obj schema(@Nullable OutputFormat format) {
    return format instanceof OutputFormat.JsonSchema(var name, var description, var schema, var s)
        ? schema
        : null;
  }

  static Json.Obj tool(String name, Json.Obj schema) {
    return Json.object()
        .put("name", name)
        .put("description", "Gives the answer. Call it once, with all of the answer.")
        .put("input_schema", MessagesToolWriter.withObjectType(schema))
        .build();
  }
}
