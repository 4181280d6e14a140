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

  /** Returns the first turn's request; runs of earlier answers become calls and results again. */
  static InferenceRequest first(
      InferenceRequest request, OfferedTools tools, DeferredTools deferred) {
    InferenceRequest.Builder first =
        request.toBuilder()
            .tools(deferred.declared(request, tools))
            .messages(replayed(request, tools));
    Json choice = request.member("tool_choice");
    Json named = named(choice, request.dialect(), tools, deferred);
    return named == choice ? first.build() : first.member("tool_choice", named).build();
  }

  /**
   * Returns the next turn's request after a search found tools: they are declared, and allowed if
   * the caller allowed them.
   *
   * @param given the caller's request
   */
  static InferenceRequest found(
      InferenceRequest next, InferenceRequest given, OfferedTools tools, DeferredTools deferred) {
    InferenceRequest.Builder found = next.toBuilder().tools(deferred.declared(given, tools));
    if (given.member("tool_choice") instanceof Json.Obj choice && isList(choice)) {
      Json.Obj auto = choice.with("mode", Json.of("auto"));
      found.member("tool_choice", named(auto, given.dialect(), tools, deferred));
    }
    return found.build();
  }

  /** Returns the choice; a tool that it names by type is named by its function instead. */
  private static @Nullable Json named(
      @Nullable Json choice, Dialect dialect, OfferedTools tools, DeferredTools deferred) {
    if (choice instanceof Json.Obj some && dialect == Dialect.RESPONSES && isList(some)) {
      return some.with("tools", deferred.allowed(allowed(some, tools), tools));
    }
    String type = choice instanceof Json.Obj one ? one.text("type") : null;
    OfferedTools.Offer offer = type == null ? null : tools.ofType(type);
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

  private static boolean isList(Json.Obj choice) {
    return "allowed_tools".equals(choice.text("type")) && choice.list("tools") != null;
  }

  /** Returns the tools a choice allows, those of the gateway by their function names. */
  private static Json.Arr allowed(Json.Obj choice, OfferedTools tools) {
    Json.Arr given = Objects.requireNonNullElse(choice.list("tools"), Json.array());
    var named = new ArrayList<Json>(given.size());
    for (Json one : given) {
      String type = one instanceof Json.Obj said ? said.text("type") : null;
      OfferedTools.Offer offer = type == null ? null : tools.ofType(type);
      named.add(
          offer == null
              ? one
              : Json.object().put("type", "function").put("name", offer.name()).build());
    }
    return Json.array(named);
  }

  private static List<Message> replayed(InferenceRequest request, OfferedTools tools) {
    var messages = new ArrayList<Message>(request.messages().size());
    for (Message message : request.messages()) {
      replay(message, request.dialect(), tools, messages);
    }
    return messages;
  }

  private static boolean areResults(Message message) {
    return !message.parts().isEmpty() && message.parts().getFirst() instanceof Part.ToolResult;
  }

  private static void replay(
      Message message, Dialect dialect, OfferedTools tools, List<Message> to) {
    var parts = new ArrayList<Part>();
    var done = new ArrayList<ToolRun.Done>();
    for (Part part : message.parts()) {
      OfferedTools.Offer offer =
          part instanceof Part.ServerToolRun run ? tools.ofType(run.tool()) : null;
      if (offer != null && part instanceof Part.ServerToolRun run) {
        var call =
            new Part.ToolCall(run.callId(), offer.name(), run.arguments(), Json.Obj.EMPTY, null);
        parts.add(call);
        done.add(new ToolRun.Done(call, offer.type(), run.result(), false));
      } else {
        parts.add(part);
      }
    }
    Message before = to.isEmpty() ? null : to.getLast();
    if (before != null
        && dialect == Dialect.MESSAGES
        && areResults(before)
        && areResults(message)) {
      to.removeLast(); // this dialect has the results of one turn in one message
      parts.addAll(0, before.parts());
      to.add(message.withParts(parts));
      return;
    }
    to.add(done.isEmpty() ? message : message.withParts(parts));
    if (!done.isEmpty()) {
      to.addAll(results(done, dialect));
    }
  }

  /**
   * Returns the next turn's request: the last one with the model's answer and the results of its
   * calls appended. If the caller required a tool, it was called, so from now on the model decides.
   *
   * @param said the parts of the model's answer, its calls included
   */
  static InferenceRequest next(
      InferenceRequest last, List<Part> said, List<ToolRun.Done> done, boolean mayCall) {
    var messages = new ArrayList<>(last.messages());
    messages.add(assistantMessage(said, last.dialect()));
    messages.addAll(results(done, last.dialect()));
    InferenceRequest.Builder next = last.toBuilder().messages(messages).mayCallTools(mayCall);
    Json choice = last.member("tool_choice");
    if (choice instanceof Json.Obj some && "allowed_tools".equals(some.text("type"))) {
      return next.member("tool_choice", some.with("mode", Json.of("auto"))).build();
    }
    return isDemand(choice, last.dialect())
        ? next.member("tool_choice", null).build()
        : next.build();
  }

  private static boolean isDemand(@Nullable Json choice, Dialect dialect) {
    if (choice instanceof Json.Str word) {
      return word.is("required");
    }
    String type = choice instanceof Json.Obj one ? one.text("type") : null;
    return type != null
        && switch (dialect) {
          case CHAT, RESPONSES -> type.equals("function");
          case MESSAGES, GEMINI -> type.equals("tool") || type.equals("any");
        };
  }

  /** Returns the message for the model, without the parts that are only for the caller. */
  private static Message assistantMessage(List<Part> said, Dialect dialect) {
    var parts = new ArrayList<Part>();
    int content = 0;
    for (Part part : said) {
      switch (part) {
        case Part.Text p -> {
          if (!p.text().text().isBlank()) {
            parts.add(new Part.Text(p.text(), Json.Obj.EMPTY, null));
            content++;
          }
        }
        case Part.Thinking p -> parts.add(p);
        case Part.ToolCall p -> parts.add(bare(p));
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
  private static Part bare(Part.ToolCall call) {
    return new Part.ToolCall(call.id(), call.name(), call.arguments(), Json.Obj.EMPTY, null);
  }

  private static Message.Content form(int texts, Dialect dialect) {
    return switch (dialect) {
      case CHAT ->
          switch (texts) {
            case 0 -> Message.Content.NULL;
            case 1 -> Message.Content.STRING;
            default -> Message.Content.LIST;
          };
      case RESPONSES -> texts == 0 ? Message.Content.ABSENT : Message.Content.LIST;
      case MESSAGES, GEMINI -> Message.Content.LIST;
    };
  }

  /** Returns a message for each result, or one for all where the dialect wants that. */
  private static List<Message> results(List<ToolRun.Done> done, Dialect dialect) {
    List<Part> results = done.stream().map(ToolRequests::result).toList();
    return switch (dialect) {
      case CHAT, RESPONSES ->
          results.stream().map(one -> results(List.of(one), Message.Content.ABSENT)).toList();
      case MESSAGES, GEMINI -> List.of(results(results, Message.Content.LIST));
    };
  }

  private static Message results(List<Part> results, Message.Content form) {
    return new Message(Message.Role.TOOL, results, form, Json.Obj.EMPTY, null);
  }

  private static Part result(ToolRun.Done done) {
    String text =
        done.result() instanceof Json.Str said
            ? said.text()
            : new String(done.result().toBytes(), StandardCharsets.UTF_8);
    return new Part.ToolResult(
        done.call().id(),
        List.of(new Part.Text(text)),
        Message.Content.STRING,
        done.failed(),
        Json.Obj.EMPTY,
        null);
  }
}
