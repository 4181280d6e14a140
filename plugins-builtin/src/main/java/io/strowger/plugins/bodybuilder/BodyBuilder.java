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
  private static final ModelRef FREE = ModelRef.parse("router/free");
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final int MAX_REQUESTS = 20;
  private static final int MAX_MODELS = 200; // listed for the free model
  private static final int MAX_TOKENS = 4_000;

  @Override
  public EventStream intercept(InferenceRequest request, Chain chain) {
    boolean meant =
        request.models().stream()
            .anyMatch(model -> model.slug().equalsIgnoreCase(BodyBuilderProvider.SLUG));
    if (!meant) {
      return chain.proceed(request); // an entry on another model has no effect
    }
    String asked = lastUser(request);
    if (asked.isBlank()) {
      throw invalid("the last user message has no text to make requests of");
    }
    List<Json> system = system(request);
    List<Json> requests = written(request, asked, system, chain);
    if (requests.isEmpty()) {
      requests = plain(asked, system, chain.catalog());
    }
    if (requests.isEmpty()) {
      throw invalid(
          "the last user message names no model of this gateway; name one, such as "
              + example(chain.catalog()));
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

  private static String example(Catalog catalog) {
    return catalog.models().stream()
        .filter(NamedModels::isVisible)
        .map(ModelInfo::id)
        .findFirst()
        .orElse("none: it serves no model");
  }

  private static String lastUser(InferenceRequest request) {
    for (Message message : request.messages().reversed()) {
      if (message.role() == Message.Role.USER) {
        return text(message.parts());
      }
    }
    return "";
  }

  private static String text(List<Part> parts) {
    return parts.stream()
        .map(part -> part instanceof Part.Text said ? said.text().text() : "")
        .collect(Collectors.joining());
  }

  /** Returns the caller's system messages, which every written request begins with. */
  private static List<Json> system(InferenceRequest request) {
    var system = new ArrayList<Json>();
    Message instructions = request.instructions();
    if (instructions != null) {
      system.add(message("system", text(instructions.parts())));
    }
    for (Message message : request.messages()) {
      if (message.role() == Message.Role.SYSTEM || message.role() == Message.Role.DEVELOPER) {
        system.add(message("system", text(message.parts())));
      }
    }
    return system;
  }

  private static Json message(String role, String content) {
    return Json.object().put("role", role).put("content", content).build();
  }

  /** Returns a request with the same text for each model that the text names. */
  private static List<Json> plain(String asked, List<Json> system, Catalog catalog) {
    var messages = new ArrayList<>(system);
    messages.add(message("user", asked));
    return NamedModels.in(asked, catalog, MAX_REQUESTS).stream()
        .<Json>map(model -> body(model, messages))
        .toList();
  }

  private static Json body(ModelInfo model, List<Json> messages) {
    return Json.object().put("model", model.id()).put("messages", Json.array(messages)).build();
  }

  /** Has a free model write requests and returns the valid ones; empty when the model fails. */
  private static List<Json> written(
      InferenceRequest request, String asked, List<Json> system, Chain chain) {
    InferenceRequest.Builder inner =
        InferenceRequest.builder(Dialect.CHAT, Json.object().put("temperature", 0).build())
            .models(List.of(FREE))
            .messages(
                List.of(
                    Message.text(Message.Role.SYSTEM, instructions(chain.catalog())),
                    Message.text(Message.Role.USER, asked)))
            .maxOutputTokens(MAX_TOKENS)
            .origin(request.origin())
            .user(request.user());
    Duration left = chain.remaining().dividedBy(2);
    Duration within = left.compareTo(LONGEST) < 0 ? left : LONGEST;
    InnerCall.Result result =
        chain.callAll(List.of(new InnerCall("requests", inner.build())), within).getFirst();
    Answer answer = result.answer();
    if (answer == null || result.failure() != null) {
      chain.note("no free model wrote the requests: each model that is named gets the text");
      return List.of();
    }
    return valid(parsed(text(answer.parts()), chain.codec()), system, chain.catalog());
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
  private static Json.@Nullable Obj parsed(String text, JsonCodec codec) {
    int from = text.indexOf('{');
    int to = text.lastIndexOf('}');
    if (from < 0 || to < from) {
      return null;
    }
    try {
      byte[] document = text.substring(from, to + 1).getBytes(StandardCharsets.UTF_8);
      return codec.parse(document) instanceof Json.Obj object ? object : null;
    } catch (JsonCodec.MalformedJsonException prose) {
      return null;
    }
  }

  private static List<Json> valid(Json.@Nullable Obj written, List<Json> system, Catalog catalog) {
    var requests = new ArrayList<Json>();
    Json.Arr given = written == null ? null : written.list("requests");
    for (Json one : given == null ? Json.array() : given) {
      Json request = one instanceof Json.Obj body ? checked(body, system, catalog) : null;
      if (request != null && requests.size() < MAX_REQUESTS) {
        requests.add(request);
      }
    }
    return requests;
  }

  /** Returns the request; null when its model is unknown or its messages are empty or invalid. */
  private static @Nullable Json checked(Json.Obj body, List<Json> system, Catalog catalog) {
    String slug = body.text("model");
    ModelInfo model = slug == null ? null : NamedModels.of(slug, catalog);
    Json.Arr given = body.list("messages");
    if (model == null || given == null) {
      return null;
    }
    var messages = new ArrayList<>(system);
    for (Json one : given) {
      String role = one instanceof Json.Obj message ? message.text("role") : null;
      String content = one instanceof Json.Obj message ? message.text("content") : null;
      boolean known = "user".equals(role) || "assistant".equals(role) || "system".equals(role);
      if (role == null || content == null || !known) {
        return null;
      }
      Json message = message(role, content);
      if (!system.contains(message)) {
        messages.add(message);
      }
    }
    return messages.size() > system.size() ? body(model, messages) : null;
  }
}
