package io.strowger.core.tools;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds the requests of a loop's turns: first the caller's, with the gateway's tools as functions,
 * then each with the model's answer and the results of its calls appended, in the form of the
 * request's dialect. Pure functions.
 */
final class ToolRequests {
  private ToolRequests() {}

  /**
   * Returns the first turn's request; server tool runs that the caller sends back from earlier
   * answers become tool calls and results again.
   */
  static InferenceRequest firstTurn(
      InferenceRequest request, OfferedTools tools, DeferredTools deferred) {
    InferenceRequest.Builder builder =
        request.toBuilder()
            .tools(deferred.declaredTools(request, tools))
            .messages(replayMessages(request, tools));
    Json choice = request.member("tool_choice");
    Json namedChoice = withFunctionNames(choice, request.dialect(), tools, deferred);
    return namedChoice == choice
        ? builder.build()
        : builder.member("tool_choice", namedChoice).build();
  }

  /**
   * Returns the next turn's request after a search found tools: they are declared, and allowed if
   * the caller allowed them.
   *
   * @param callerRequest the caller's request
   */
  static InferenceRequest turnAfterSearch(
      InferenceRequest next,
      InferenceRequest callerRequest,
      OfferedTools tools,
      DeferredTools deferred) {
    InferenceRequest.Builder builder =
        next.toBuilder().tools(deferred.declaredTools(callerRequest, tools));
    if (callerRequest.member("tool_choice") instanceof Json.Obj choice
        && isAllowedToolsList(choice)) {
      Json.Obj auto = choice.with("mode", Json.of("auto"));
      builder.member(
          "tool_choice", withFunctionNames(auto, callerRequest.dialect(), tools, deferred));
    }
    return builder.build();
  }

  /** Returns the choice; a tool that it names by type is named by its function instead. */
  private static @Nullable Json withFunctionNames(
      @Nullable Json choice, Dialect dialect, OfferedTools tools, DeferredTools deferred) {
    if (choice instanceof Json.Obj choiceObject
        && dialect == Dialect.RESPONSES
        && isAllowedToolsList(choiceObject)) {
      return choiceObject.with(
          "tools", deferred.allowedTools(allowedByName(choiceObject, tools), tools));
    }
    String type = choice instanceof Json.Obj typedChoice ? typedChoice.text("type") : null;
    OfferedTools.Offer offer = type == null ? null : tools.findByType(type);
    if (offer == null) {
      return choice;
    }
    return switch (dialect) {
      case CHAT ->
          Json.object()
              .put("type", "function")
              .put("function", Json.object().put("name", offer.name()).build())
              .build();
      case RESPONSES -> Json.object().put("type", "function").put("name", offer.name()).build();
      case MESSAGES, GEMINI -> Json.object().put("type", "tool").put("name", offer.name()).build();
    };
  }

  private static boolean isAllowedToolsList(Json.Obj choice) {
    return "allowed_tools".equals(choice.text("type")) && choice.list("tools") != null;
  }

  /** Returns the tools a choice allows, those of the gateway by their function names. */
  private static Json.Arr allowedByName(Json.Obj choice, OfferedTools tools) {
    Json.Arr choices = Objects.requireNonNullElse(choice.list("tools"), Json.array());
    var result = new ArrayList<Json>(choices.size());
    for (Json tool : choices) {
      String type = tool instanceof Json.Obj object ? object.text("type") : null;
      OfferedTools.Offer offer = type == null ? null : tools.findByType(type);
      result.add(
          offer == null
              ? tool
              : Json.object().put("type", "function").put("name", offer.name()).build());
    }
    return Json.array(result);
  }

  private static List<Message> replayMessages(InferenceRequest request, OfferedTools tools) {
    var messages = new ArrayList<Message>(request.messages().size());
    for (Message message : request.messages()) {
      replay(message, request.dialect(), tools, messages);
    }
    return messages;
  }

  private static boolean holdsResults(Message message) {
    return !message.parts().isEmpty() && message.parts().getFirst() instanceof Part.ToolResult;
  }

  private static void replay(
      Message message, Dialect dialect, OfferedTools tools, List<Message> messages) {
    var parts = new ArrayList<Part>();
    var completedCalls = new ArrayList<ToolRun.CompletedCall>();
    for (Part part : message.parts()) {
      OfferedTools.Offer offer =
          part instanceof Part.ServerToolRun run ? tools.findByType(run.tool()) : null;
      if (offer != null && part instanceof Part.ServerToolRun run) {
        var call =
            new Part.ToolCall(run.callId(), offer.name(), run.arguments(), Json.Obj.EMPTY, null);
        parts.add(call);
        completedCalls.add(new ToolRun.CompletedCall(call, offer.type(), run.result(), false));
      } else {
        parts.add(part);
      }
    }
    Message previous = messages.isEmpty() ? null : messages.getLast();
    if (previous != null
        && dialect == Dialect.MESSAGES
        && holdsResults(previous)
        && holdsResults(message)) {
      messages.removeLast(); // this dialect has the results of one turn in one message
      parts.addAll(0, previous.parts());
      messages.add(message.withParts(parts));
      return;
    }
    messages.add(completedCalls.isEmpty() ? message : message.withParts(parts));
    if (!completedCalls.isEmpty()) {
      messages.addAll(results(completedCalls, dialect));
    }
  }

  /**
   * Returns the next turn's request: the last one with the model's answer and the results of its
   * calls appended. If the caller required a tool, it was called, so from now on the model decides.
   *
   * @param answerParts the parts of the model's answer, its calls included
   */
  static InferenceRequest nextTurn(
      InferenceRequest previousRequest,
      List<Part> answerParts,
      List<ToolRun.CompletedCall> completedCalls,
      boolean mayCall) {
    var messages = new ArrayList<>(previousRequest.messages());
    messages.add(assistantMessage(answerParts, previousRequest.dialect()));
    messages.addAll(results(completedCalls, previousRequest.dialect()));
    InferenceRequest.Builder builder =
        previousRequest.toBuilder().messages(messages).mayCallTools(mayCall);
    Json choice = previousRequest.member("tool_choice");
    if (choice instanceof Json.Obj choiceObject
        && "allowed_tools".equals(choiceObject.text("type"))) {
      return builder.member("tool_choice", choiceObject.with("mode", Json.of("auto"))).build();
    }
    return requiresCall(choice, previousRequest.dialect())
        ? builder.member("tool_choice", null).build()
        : builder.build();
  }

  private static boolean requiresCall(@Nullable Json choice, Dialect dialect) {
    if (choice instanceof Json.Str word) {
      return word.is("required");
    }
    String type = choice instanceof Json.Obj object ? object.text("type") : null;
    return type != null
        && switch (dialect) {
          case CHAT, RESPONSES -> type.equals("function");
          case MESSAGES, GEMINI -> type.equals("tool") || type.equals("any");
        };
  }

  /** Returns the message for the model, without the parts that are only for the caller. */
  private static Message assistantMessage(List<Part> answerParts, Dialect dialect) {
    var parts = new ArrayList<Part>();
    int content = 0;
    for (Part part : answerParts) {
      switch (part) {
        case Part.Text p -> {
          if (!p.text().text().isBlank()) {
            parts.add(new Part.Text(p.text(), Json.Obj.EMPTY, null));
            content++;
          }
        }
        case Part.Thinking p -> parts.add(p);
        case Part.ToolCall p -> parts.add(withoutSource(p));
        case Part.Refusal p -> parts.add(p);
        case Part.Image p -> {}
        case Part.Audio p -> {}
        case Part.Video p -> {}
        case Part.File p -> {}
        case Part.ToolResult p -> {}
        case Part.Citation p -> {}
        case Part.Logprobs p -> {}
        case Part.ServerToolRun p -> {}
        case Part.Unknown p -> {}
      }
    }
    return new Message(Message.Role.ASSISTANT, parts, form(content, dialect), Json.Obj.EMPTY, null);
  }

  /** Returns the call without the upstream's bytes, which may be of another dialect. */
  private static Part withoutSource(Part.ToolCall call) {
    return new Part.ToolCall(call.id(), call.name(), call.arguments(), Json.Obj.EMPTY, null);
  }

  private static Message.ContentForm form(int texts, Dialect dialect) {
    return switch (dialect) {
      case CHAT ->
          switch (texts) {
            case 0 -> Message.ContentForm.NULL;
            case 1 -> Message.ContentForm.STRING;
            default -> Message.ContentForm.LIST;
          };
      case RESPONSES -> texts == 0 ? Message.ContentForm.ABSENT : Message.ContentForm.LIST;
      case MESSAGES, GEMINI -> Message.ContentForm.LIST;
    };
  }

  /** Returns a message for each result, or one for all where the dialect wants that. */
  private static List<Message> results(
      List<ToolRun.CompletedCall> completedCalls, Dialect dialect) {
    List<Part> results = completedCalls.stream().map(ToolRequests::result).toList();
    return switch (dialect) {
      case CHAT, RESPONSES ->
          results.stream().map(one -> results(List.of(one), Message.ContentForm.ABSENT)).toList();
      case MESSAGES, GEMINI -> List.of(results(results, Message.ContentForm.LIST));
    };
  }

  private static Message results(List<Part> results, Message.ContentForm form) {
    return new Message(Message.Role.TOOL, results, form, Json.Obj.EMPTY, null);
  }

  private static Part result(ToolRun.CompletedCall completedCall) {
    String text =
        completedCall.result() instanceof Json.Str string
            ? string.text()
            : new String(completedCall.result().toBytes(), StandardCharsets.UTF_8);
    return new Part.ToolResult(
        completedCall.call().id(),
        List.of(new Part.Text(text)),
        Message.ContentForm.STRING,
        completedCall.failed(),
        Json.Obj.EMPTY,
        null);
  }
}
