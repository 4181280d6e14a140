package io.strowger.plugins.bodybuilder;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.plugin.InnerCall;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.routing.ModelRef;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Answers with request bodies instead of asking the named model. A free model writes the bodies,
 * and the invalid ones are dropped. If no free model answers or no body is valid, the answer has a
 * body with the same text for each model that the text names.
 */
final class BodyBuilder implements Interceptor {
  private static final ModelRef FREE_ROUTER = ModelRef.parse("router/free");
  private static final Duration MAX_TIME = Duration.ofSeconds(60);
  private static final int MAX_REQUESTS = 20;
  private static final int MAX_MODELS = 200; // listed for the free model
  private static final int MAX_TOKENS = 4_000;

  @Override
  public EventStream intercept(InferenceRequest request, Chain chain) {
    boolean isNamed =
        request.models().stream()
            .anyMatch(model -> model.slug().equalsIgnoreCase(BodyBuilderProvider.SLUG));
    if (!isNamed) {
      return chain.proceed(request); // an entry on another model has no effect
    }
    String userText = lastUserText(request);
    if (userText.isBlank()) {
      throw invalid("the last user message has no text to make requests of");
    }
    List<Json> systemMessages = systemMessages(request);
    List<Json> requests = askFreeModel(request, userText, systemMessages, chain);
    if (requests.isEmpty()) {
      requests = sameTextForEach(userText, systemMessages, chain.catalog());
    }
    if (requests.isEmpty()) {
      throw invalid(
          "the last user message names no model of this gateway; " + advice(chain.catalog()));
    }
    Json.Obj body = Json.object().put("requests", Json.array(requests)).build();
    return EventStream.of(List.of(new Event.CompleteAnswer(answer(body))));
  }

  private static RuntimeException invalid(String message) {
    return GatewayError.of(ErrorCode.INVALID_REQUEST, message).toException();
  }

  private static Answer answer(Json.Obj body) {
    String text = new String(body.toBytes(), StandardCharsets.UTF_8);
    return new Answer(
        List.of(new Part.Text(text)), StopReason.END, "stop", Usage.NONE, Dialect.CHAT, null);
  }

  private static String advice(Catalog catalog) {
    return catalog.models().stream()
        .filter(NamedModels::isVisible)
        .findFirst()
        .map(model -> "name one, such as " + model.id())
        .orElse("it serves none");
  }

  private static String lastUserText(InferenceRequest request) {
    for (Message message : request.messages().reversed()) {
      if (message.role() == Message.Role.USER) {
        return text(message.parts());
      }
    }
    return "";
  }

  private static String text(List<Part> parts) {
    return parts.stream()
        .map(part -> part instanceof Part.Text textPart ? textPart.text().text() : "")
        .collect(Collectors.joining());
  }

  /** Returns the caller's system messages, which every written request begins with. */
  private static List<Json> systemMessages(InferenceRequest request) {
    var systemMessages = new ArrayList<Json>();
    Message instructions = request.instructions();
    if (instructions != null) {
      systemMessages.add(message("system", text(instructions.parts())));
    }
    for (Message message : request.messages()) {
      if (message.role() == Message.Role.SYSTEM || message.role() == Message.Role.DEVELOPER) {
        systemMessages.add(message("system", text(message.parts())));
      }
    }
    return systemMessages;
  }

  private static Json message(String role, String content) {
    return Json.object().put("role", role).put("content", content).build();
  }

  /** Returns a request with the same text for each model that the text names. */
  private static List<Json> sameTextForEach(
      String userText, List<Json> systemMessages, Catalog catalog) {
    var messages = new ArrayList<>(systemMessages);
    messages.add(message("user", userText));
    return NamedModels.in(userText, catalog, MAX_REQUESTS).stream()
        .<Json>map(model -> body(model, messages))
        .toList();
  }

  private static Json body(ModelInfo model, List<Json> messages) {
    return Json.object().put("model", model.id()).put("messages", Json.array(messages)).build();
  }

  /** Has a free model write requests and returns the valid ones; empty when the model fails. */
  private static List<Json> askFreeModel(
      InferenceRequest request, String userText, List<Json> systemMessages, Chain chain) {
    InferenceRequest.Builder innerRequest =
        InferenceRequest.builder(Dialect.CHAT, Json.object().put("temperature", 0).build())
            .models(List.of(FREE_ROUTER))
            .messages(
                List.of(
                    Message.text(Message.Role.SYSTEM, instructions(chain.catalog())),
                    Message.text(Message.Role.USER, userText)))
            .maxOutputTokens(MAX_TOKENS)
            .origin(request.origin())
            .user(request.user());
    Duration halfRemaining = chain.remaining().dividedBy(2);
    Duration timeLimit = halfRemaining.compareTo(MAX_TIME) < 0 ? halfRemaining : MAX_TIME;
    InnerCall.Result result =
        chain
            .callAll(List.of(new InnerCall("requests", innerRequest.build())), timeLimit)
            .getFirst();
    Answer answer = result.answer();
    if (answer == null || result.failure() != null) {
      chain.note("no free model wrote the requests, so each named model gets the same text");
      return List.of();
    }
    return validRequests(
        parse(text(answer.parts()), chain.codec()), systemMessages, chain.catalog());
  }

  private static String instructions(Catalog catalog) {
    String models =
        catalog.models().stream()
            .filter(NamedModels::isVisible)
            .map(ModelInfo::id)
            .limit(MAX_MODELS)
            .collect(Collectors.joining("\n"));
    return "Turn what the user wants into requests for language models. Answer with JSON alone:"
               + " {\"requests\":[{\"model\":\"...\",\"messages\":[{\"role\":\"user\",\"content\":\"...\"}]}]},"
               + " one request for each model the user names, the latest version of it. The models"
               + " are:\n"
        + models;
  }

  /** Parses the text from the first to the last brace, without prose around; null if malformed. */
  private static Json.@Nullable Obj parse(String text, JsonCodec codec) {
    int from = text.indexOf('{');
    int to = text.lastIndexOf('}');
    if (from < 0 || to < from) {
      return null;
    }
    try {
      byte[] document = text.substring(from, to + 1).getBytes(StandardCharsets.UTF_8);
      return codec.parse(document) instanceof Json.Obj object ? object : null;
    } catch (JsonCodec.MalformedJsonException e) {
      return null;
    }
  }

  private static List<Json> validRequests(
      Json.@Nullable Obj parsed, List<Json> systemMessages, Catalog catalog) {
    var requests = new ArrayList<Json>();
    Json.Arr items = parsed == null ? null : parsed.list("requests");
    for (Json item : items == null ? Json.array() : items) {
      Json request =
          item instanceof Json.Obj body ? validRequest(body, systemMessages, catalog) : null;
      if (request != null && requests.size() < MAX_REQUESTS) {
        requests.add(request);
      }
    }
    return requests;
  }

  /** Returns the request; null when its model is unknown or its messages are empty or invalid. */
  private static @Nullable Json validRequest(
      Json.Obj body, List<Json> systemMessages, Catalog catalog) {
    String slug = body.text("model");
    ModelInfo model = slug == null ? null : NamedModels.of(slug, catalog);
    Json.Arr items = body.list("messages");
    if (model == null || items == null) {
      return null;
    }
    var messages = new ArrayList<>(systemMessages);
    for (Json item : items) {
      String role = item instanceof Json.Obj message ? message.text("role") : null;
      String content = item instanceof Json.Obj message ? message.text("content") : null;
      boolean isKnownRole =
          "user".equals(role) || "assistant".equals(role) || "system".equals(role);
      if (role == null || content == null || !isKnownRole) {
        return null;
      }
      Json message = message(role, content);
      if (!systemMessages.contains(message)) {
        messages.add(message);
      }
    }
    return messages.size() > systemMessages.size() ? body(model, messages) : null;
  }
}
