package io.strowger.plugins.advisor;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Tool;
import io.strowger.spi.plugin.InnerCall;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.routing.ModelRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks a model on behalf of another one, by one inner call: an adviser, which answers a question,
 * or a subagent, which does a task and has tools for it. The calling model always gets a result and
 * continues: {@code {"status":"ok","advice":...}} or {@code {"status":"error","error":...}}.
 *
 * <p>The answer is read as a whole, so {@code stream} of the declaration has no effect. A subagent
 * that calls an inherited function ends there, because only the caller can run the function: the
 * calls are returned to the calling model as {@code function_calls}.
 *
 * <p>Contract: plugins fact sheet, section 12, {@code advisor} and {@code subagent}.
 */
final class ModelCallingTool implements ServerTool {
  /** The most time one inner call may take. */
  private static final Duration MAX_TIME = Duration.ofMinutes(5);

  private final Kind kind;
  private final Spec spec;

  /** The kind of model that is called. */
  private enum Kind {
    ADVISOR(
        "router:advisor",
        "advice",
        "question",
        "Asks an experienced adviser, another model, a question and returns the advice.",
        "What the adviser should answer, with all it needs to know.",
        "You advise another model that works on a task. Answer its question to the point."),
    SUBAGENT(
        "router:subagent",
        "outcome",
        "task",
        "Hands a task to a subagent, another model, and returns the outcome.",
        "What the subagent should do, with all it needs to know.",
        "You work on a task for another model. Do it, then answer with the outcome alone.");

    private final String type;
    private final String result;
    private final String argument;
    private final String description;
    private final String argumentDescription;
    private final String instructions;

    Kind(
        String type,
        String result,
        String argument,
        String description,
        String argumentDescription,
        String instructions) {
      this.type = type;
      this.result = result;
      this.argument = argument;
      this.description = description;
      this.argumentDescription = argumentDescription;
      this.instructions = instructions;
    }
  }

  private ModelCallingTool(Kind kind) {
    this.kind = kind;
    Json.Obj argument =
        Json.object()
            .put("type", "string")
            .put("minLength", 1)
            .put("description", kind.argumentDescription)
            .build();
    this.spec =
        new Spec(
            kind.type,
            kind.description,
            Json.object()
                .put("type", "object")
                .put("properties", Json.object().put(kind.argument, argument).build())
                .put("required", Json.array(Json.of(kind.argument)))
                .put("additionalProperties", false)
                .build());
  }

  static ServerTool advisor() {
    return new ModelCallingTool(Kind.ADVISOR);
  }

  static ServerTool subagent() {
    return new ModelCallingTool(Kind.SUBAGENT);
  }

  @Override
  public Spec spec() {
    return spec;
  }

  @Override
  public boolean makesInnerCalls() {
    return true;
  }

  @Override
  public Json run(Invocation call, Chain chain) throws ToolException {
    String question = call.arguments().text(kind.argument);
    if (question == null || question.isBlank()) {
      throw new ToolException(kind.argument + " must be a text that is not empty");
    }
    String name = call.parameters().text("name");
    List<ModelRef> models = models(call);
    if (models.isEmpty()) {
      return error("the declaration of the tool names no model");
    }
    var inner =
        new InnerCall(
            name == null ? kind.type : kind.type + " " + name, request(call, models, question));
    return toJson(chain.callAll(List.of(inner), timeLimit(chain.remaining())).getFirst());
  }

  private static List<ModelRef> models(Invocation call) {
    String model = call.parameters().text("model");
    return model == null ? call.request().models() : List.of(ModelRef.parse(model));
  }

  /** Leaves a quarter of the remaining time to the calling model, which still has to answer. */
  private static Duration timeLimit(Duration remaining) {
    Duration share = remaining.dividedBy(4).multipliedBy(3);
    return share.compareTo(MAX_TIME) < 0 ? share : MAX_TIME;
  }

  private InferenceRequest request(Invocation call, List<ModelRef> models, String question) {
    Json.Obj parameters = call.parameters();
    Json.Obj.Builder members = Json.object();
    for (String member : List.of("temperature", "reasoning", "max_tool_calls")) {
      Json value = parameters.get(member);
      if (value != null) {
        members.put(member, value);
      }
    }
    return InferenceRequest.builder(Dialect.CHAT, members.build())
        .models(models)
        .messages(messages(call, question))
        .tools(kind == Kind.SUBAGENT ? tools(call) : List.of())
        .maxOutputTokens(
            Math.clamp(parameters.longValue("max_completion_tokens", 0), 0, Integer.MAX_VALUE))
        .origin(call.request().origin())
        .sessionId(call.request().sessionId())
        .user(call.request().user())
        .build();
  }

  private List<Message> messages(Invocation call, String question) {
    var messages = new ArrayList<Message>();
    String instructions = call.parameters().text("instructions");
    messages.add(
        Message.text(Message.Role.SYSTEM, instructions == null ? kind.instructions : instructions));
    if (call.parameters().get("forward_transcript") == Json.TRUE) {
      messages.add(
          Message.text(
              Message.Role.USER, "The conversation so far:\n\n" + transcript(call.request())));
    }
    messages.add(Message.text(Message.Role.USER, question));
    return messages;
  }

  private List<Tool> tools(Invocation call) {
    var tools = new ArrayList<Tool>();
    Json.Arr declared = call.parameters().list("tools");
    for (Json item : declared == null ? Json.array() : declared) {
      String type = item instanceof Json.Obj tool ? tool.text("type") : null;
      if (type != null && item instanceof Json.Obj tool && !type.equals(kind.type)) {
        tools.add(new Tool.Server(type, parameters(tool), null));
      }
    }
    Set<String> inherited = inherited(call);
    for (Tool tool : call.request().tools()) {
      if (tool instanceof Tool.Function function && inherited.contains(function.name())) {
        tools.add(
            new Tool.Function(
                function.name(),
                function.description(),
                function.parameters(),
                Json.Obj.EMPTY,
                null));
      }
    }
    return tools;
  }

  /** Merges the members of a declaration with those under {@code parameters}, which win. */
  private static Json.Obj parameters(Json.Obj tool) {
    Json.Obj nested = tool.object("parameters");
    Json.Obj flat = tool.without("type").without("parameters").without("cache_control");
    return nested == null ? flat : Json.object().putAll(flat).putAll(nested).build();
  }

  /**
   * Returns the names of the functions to inherit: the listed ones, or all with {@code
   * inherit_functions: true}.
   */
  private static Set<String> inherited(Invocation call) {
    Set<String> names = new LinkedHashSet<>();
    Json.Arr listed = call.parameters().list("inherited_function_names");
    if (listed != null) {
      listed.forEach(name -> names.add(name instanceof Json.Str text ? text.text() : ""));
    } else if (call.parameters().get("inherit_functions") == Json.TRUE) {
      for (Tool tool : call.request().tools()) {
        if (tool instanceof Tool.Function function) {
          names.add(function.name());
        }
      }
    }
    return call.parameters().get("inherit_functions") == Json.FALSE ? Set.of() : names;
  }

  private Json toJson(InnerCall.Result result) {
    Answer answer = result.answer();
    String text = answer == null ? "" : text(answer);
    List<Json> calls = answer == null ? List.of() : calls(answer);
    if (result.failure() != null) {
      Json.Obj.Builder error = error(result.failure().error().message(), result.model());
      return text.isEmpty() ? error.build() : error.put(kind.result, text).build();
    }
    if (text.isBlank() && calls.isEmpty()) {
      return error("the model said nothing", result.model()).build();
    }
    Json.Obj.Builder ok = Json.object().put("status", "ok").put(kind.result, text);
    if (!calls.isEmpty()) {
      ok.put("function_calls", Json.array(calls));
    }
    if (answer != null && answer.stopReason() == StopReason.LENGTH) {
      ok.put("truncated", true);
    }
    return ok.putOrNull("model", result.model()).build();
  }

  private static String text(Answer answer) {
    var text = new StringBuilder();
    for (Part part : answer.parts()) {
      if (part instanceof Part.Text textPart) {
        text.append(textPart.text().text());
      }
    }
    return text.toString();
  }

  private static List<Json> calls(Answer answer) {
    var calls = new ArrayList<Json>();
    for (Part part : answer.parts()) {
      if (part instanceof Part.ToolCall call) {
        calls.add(
            Json.object()
                .put("name", call.name())
                .put("arguments", call.arguments().asString())
                .build());
      }
    }
    return calls;
  }

  private static Json error(String message) {
    return error(message, null).build();
  }

  private static Json.Obj.Builder error(String message, @Nullable String model) {
    Json.Obj.Builder error = Json.object().put("status", "error").put("error", message);
    return model == null ? error : error.put("model", model);
  }

  /**
   * Returns the conversation as text for a model that was not part of it: each message under its
   * role; images, audio, video and files appear only as a placeholder.
   */
  private static String transcript(InferenceRequest request) {
    var text = new StringBuilder();
    Message instructions = request.instructions();
    if (instructions != null) {
      addTranscript(instructions, text);
    }
    request.messages().forEach(message -> addTranscript(message, text));
    return text.toString();
  }

  private static void addTranscript(Message message, StringBuilder out) {
    out.append('[').append(message.role().wireName()).append("]\n");
    for (Part part : message.parts()) {
      switch (part) {
        case Part.Text p -> out.append(p.text().text()).append('\n');
        case Part.Refusal p -> out.append(p.text().text()).append('\n');
        case Part.ToolCall p ->
            out.append("calls ")
                .append(p.name())
                .append(' ')
                .append(p.arguments().asString().text())
                .append('\n');
        case Part.ToolResult p ->
            p.content()
                .forEach(
                    nested ->
                        out.append(nested instanceof Part.Text t ? t.text().text() : "")
                            .append('\n'));
        case Part.ServerToolRun p ->
            out.append("ran ").append(p.tool()).append(": ").append(p.result()).append('\n');
        case Part.Image p -> out.append("(an image)\n");
        case Part.Audio p -> out.append("(sound)\n");
        case Part.Video p -> out.append("(a video)\n");
        case Part.File p -> out.append("(a file)\n");
        case Part.Thinking p -> {}
        case Part.Citation p -> {}
        case Part.Logprobs p -> {}
        case Part.Unknown p -> {}
      }
    }
    out.append('\n');
  }
}
