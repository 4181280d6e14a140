package io.strowger.providers.messages;

import io.strowger.providers.translate.Losses;
import io.strowger.providers.translate.SafeNames;
import io.strowger.providers.translate.ToolMembers;
import io.strowger.providers.translate.UpstreamSearch;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.GenerationParameters;
import io.strowger.spi.model.Tool;
import io.strowger.spi.model.ToolChoice;
import io.strowger.spi.provider.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the tools of a request in another dialect, and the choice among them. Translation fact
 * sheet, section 1 and case 24.
 */
final class RequestTools {
  private static final Set<String> HANDLED_MEMBERS =
      Set.of("strict", "cache_control", "prompt_cache_breakpoint");

  private final Call call;
  private final GenerationParameters parameters;
  private final SafeNames names;
  private final Losses losses;
  private final List<Tool.Function> functions;
  private final @Nullable String answerTool;

  /**
   * @param thinking whether the model is asked to think; a thinking model cannot be forced to call
   *     a tool
   */
  RequestTools(Call call, boolean thinking, SafeNames names, Losses losses) {
    this.call = call;
    this.parameters = call.request().generationParameters();
    this.names = names;
    this.losses = losses;
    this.functions = functions();
    boolean namesTool = parameters.toolChoice() instanceof ToolChoice.Named;
    this.answerTool = thinking || namesTool ? null : AnswerTool.nameFor(call);
  }

  private List<Tool.Function> functions() {
    var sentFunctions = new ArrayList<Tool.Function>();
    for (Tool tool : call.request().tools()) {
      switch (tool) {
        case Tool.Function function -> sentFunctions.add(function);
        case Tool.Server server -> {} // a search; write() adds it
        case Tool.Unknown unknown ->
            losses.dropped(unknown.type(), "a tool of this type has no form in this dialect");
      }
    }
    if (!sentFunctions.isEmpty() && !call.endpoint().supports(Parameter.TOOLS)) {
      losses.dropped("tools", "the endpoint has no such parameter");
      return List.of();
    }
    return sentFunctions;
  }

  List<Tool.Function> sentFunctions() {
    return functions;
  }

  /** Returns whether the request has an answer tool, whose input is the model's answer. */
  boolean hasAnswerTool() {
    return answerTool != null;
  }

  /** Returns {@code tools}; may be empty. */
  List<Json.Obj> write(CacheMarks marks) {
    var tools = new ArrayList<Json.Obj>();
    functions.forEach(function -> tools.add(function(function, marks)));
    Json.Obj schema = AnswerTool.schema(parameters.format());
    if (answerTool != null && schema != null) {
      tools.add(AnswerTool.tool(answerTool, schema));
    }
    UpstreamSearch search = UpstreamSearch.findIn(call.request().tools());
    if (search != null) {
      tools.add(
          MessagesToolWriter.search(
              search,
              list ->
                  losses.dropped(
                      list, "a search can have only one list of domains in this dialect")));
      if (search.contextSize() != null) {
        losses.dropped("search_context_size", "a search has no such setting in this dialect");
      }
    }
    return tools;
  }

  private Json.Obj function(Tool.Function function, CacheMarks marks) {
    Json.Obj.Builder tool = Json.object().put("name", names.toSafe(function.name()));
    if (function.description() != null) {
      tool.put("description", function.description());
    }
    tool.put(
        "input_schema", MessagesToolWriter.withObjectType(MessagesToolWriter.schema(function)));
    if (isStrict(function)) {
      if (MemberPolicy.allowsStrictTools(call.request())) {
        tool.put("strict", true);
      } else {
        losses.dropped("strict", "the caller did not request the beta feature structured-outputs");
      }
    }
    ToolMembers.reportUnknown(function, HANDLED_MEMBERS, losses);
    if (call.request().streaming()) {
      tool.put("eager_input_streaming", true); // otherwise arguments arrive only once complete
    }
    return marks.put(function.extras(), tool).build();
  }

  private static boolean isStrict(Tool.Function function) {
    Json.Obj nestedFunction = function.extras().object("function");
    return Json.TRUE.equals(
        (nestedFunction == null ? function.extras() : nestedFunction).get("strict"));
  }

  /** Returns {@code tool_choice}; null to leave it out. */
  Json.@Nullable Obj choice(boolean thinking) {
    if (answerTool != null) {
      return answerChoice(answerTool);
    }
    ToolChoice toolChoice = parameters.toolChoice();
    if (functions.isEmpty()) {
      if (toolChoice != null
          && toolChoice != ToolChoice.Mode.NONE
          && toolChoice != ToolChoice.Mode.AUTO) {
        losses.dropped("tool_choice", "there are no tools");
      }
      return null;
    }
    boolean singleCall = Boolean.FALSE.equals(parameters.parallelToolCalls());
    if (toolChoice == null && !singleCall) {
      return null;
    }
    if (!call.endpoint().supports(Parameter.TOOL_CHOICE)) {
      losses.dropped("tool_choice", "the endpoint has no such parameter");
      return null;
    }
    Json.Obj.Builder choice =
        choiceOf(toolChoice == null ? ToolChoice.Mode.AUTO : toolChoice, thinking);
    return choice == null ? null : withoutParallelCalls(choice.build(), singleCall);
  }

  private static Json.Obj withoutParallelCalls(Json.Obj choice, boolean singleCall) {
    boolean isNone = "none".equals(choice.text("type"));
    return singleCall && !isNone ? choice.with("disable_parallel_tool_use", Json.TRUE) : choice;
  }

  /**
   * Returns the choice for a request with an answer tool: other tools may be called before the
   * answer tool, unless the caller chose {@code none}.
   */
  private Json.Obj answerChoice(String name) {
    boolean hasOtherTools = !functions.isEmpty() && parameters.toolChoice() != ToolChoice.Mode.NONE;
    Json.Obj choice = (hasOtherTools ? typed("any") : typed("tool").put("name", name)).build();
    return withoutParallelCalls(
        choice, hasOtherTools && Boolean.FALSE.equals(parameters.parallelToolCalls()));
  }

  private Json.Obj.@Nullable Builder choiceOf(ToolChoice choice, boolean thinking) {
    return switch (choice) {
      case ToolChoice.Mode.AUTO -> typed("auto");
      case ToolChoice.Mode.NONE -> typed("none");
      case ToolChoice.Mode.REQUIRED -> thinking ? unforcedChoice() : typed("any");
      case ToolChoice.Named(String name) -> namedChoice(name, thinking);
      case ToolChoice.Other other -> {
        losses.dropped("tool_choice", "has no form in this dialect");
        yield null;
      }
    };
  }

  private Json.Obj.@Nullable Builder namedChoice(String name, boolean thinking) {
    if (functions.stream().noneMatch(function -> function.name().equals(name))) {
      losses.dropped("tool_choice", "names a tool that is not sent upstream");
      return null;
    }
    return thinking ? unforcedChoice() : typed("tool").put("name", names.toSafe(name));
  }

  private Json.Obj.Builder unforcedChoice() {
    losses.changed(
        "tool_choice", "became auto, since a thinking model cannot be forced to call a tool");
    return typed("auto");
  }

  private static Json.Obj.Builder typed(String type) {
    return Json.object().put("type", type);
  }
}
