package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.conformance.dialects.CallerDialect;
import io.strowger.conformance.dialects.Upstream;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.GenerationParameters;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Tool;
import io.strowger.spi.provider.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;

/**
 * Tests that what both dialects can express survives a translation from one to the other and back,
 * through the adapters' bodies and the decoders. Translation fact sheet, sections 1 and 6.
 */
@Label("A conversation of texts, images, calls and results")
class DialectRoundTripProperties {
  private static final String PICTURE = "data:image/png;base64,iVBORw0KGgo=";

  @Property(tries = 300)
  @Label("is the same after a translation from chat to messages and back, with no loss reported")
  void thereAndBack(@ForAll Random random) {
    InferenceRequest chat = CallerDialect.CHAT.decode(body(random));
    Upstream.Sent there = Upstream.MESSAGES.send(chat);
    InferenceRequest messages = CallerDialect.MESSAGES.decode(there.body());
    Upstream.Sent back = Upstream.CHAT.send(messages);
    InferenceRequest again = CallerDialect.CHAT.decode(back.body());
    Upstream.Sent twice = Upstream.MESSAGES.send(again);

    assertThat(there.losses()).isEmpty();
    assertThat(back.losses()).isEmpty();
    assertThat(twice.losses()).isEmpty();
    assertThat(describe(messages)).isEqualTo(describe(chat));
    assertThat(describe(again)).isEqualTo(describe(chat));
    assertThat(describe(CallerDialect.MESSAGES.decode(twice.body()))).isEqualTo(describe(chat));
  }

  @Property(tries = 200)
  @Label("is the same after a translation from chat to responses and back")
  void overResponses(@ForAll Random random) {
    InferenceRequest chat = CallerDialect.CHAT.decode(body(random).without("stop"));
    Upstream.Sent there = Upstream.RESPONSES.send(chat);
    InferenceRequest responses = CallerDialect.RESPONSES.decode(there.body());
    Upstream.Sent back = Upstream.CHAT.send(responses);

    assertThat(there.losses()).isEmpty();
    assertThat(describe(responses)).isEqualTo(describe(chat));
    assertThat(describe(CallerDialect.CHAT.decode(back.body()))).isEqualTo(describe(chat));
  }

  private static Json.Obj body(Random random) {
    var messages = new ArrayList<Json>();
    if (random.nextBoolean()) {
      messages.add(message("system", Json.of(text(random))));
    }
    int turns = 1 + random.nextInt(4);
    for (int i = 0; i < turns; i++) {
      messages.add(message("user", content(random)));
      answer(random, i, messages);
    }
    messages.add(message("user", content(random)));
    Json.Obj.Builder body =
        Json.object()
            .put("model", "acme/large")
            .put("messages", Json.array(messages))
            .put("max_tokens", 100 + random.nextInt(1000))
            .put("tools", Json.array(tool("look_up"), tool("wait")));
    if (random.nextBoolean()) {
      body.put("temperature", parsed("0." + random.nextInt(10)));
    }
    if (random.nextBoolean()) {
      body.put("stop", Json.array(Json.of("END"), Json.of("\n\n" + random.nextInt(9) + ".")));
    }
    String[] choices = {"auto", "none", "required"};
    if (random.nextBoolean()) {
      body.put("tool_choice", choices[random.nextInt(3)]);
    }
    return body.build();
  }

  private static Json.Obj message(String role, Json content) {
    return Json.object().put("role", role).put("content", content).build();
  }

  private static String text(Random random) {
    String[] words = {"alpha", "Grüße", "日本語", "\"quoted\"", "line\nbreak", "😀", "{}", "tab\t"};
    return words[random.nextInt(words.length)] + " " + random.nextInt(1000);
  }

  private static Json content(Random random) {
    if (random.nextBoolean()) {
      return Json.of(text(random));
    }
    var parts = new ArrayList<Json>();
    parts.add(Json.object().put("type", "text").put("text", text(random)).build());
    if (random.nextBoolean()) {
      String url = random.nextBoolean() ? PICTURE : "https://img.example/" + random.nextInt(9);
      parts.add(
          Json.object()
              .put("type", "image_url")
              .put("image_url", Json.object().put("url", url).build())
              .build());
    }
    return Json.array(parts);
  }

  /**
   * Adds an answer of text, calls with their results, or both; there may be several calls, and
   * calls without arguments.
   */
  private static void answer(Random random, int turn, List<Json> messages) {
    int calls = random.nextInt(3);
    Json.Obj.Builder answer = Json.object().put("role", "assistant");
    answer.put("content", calls == 0 || random.nextBoolean() ? Json.of(text(random)) : Json.NULL);
    var made = new ArrayList<Json>();
    for (int i = 0; i < calls; i++) {
      String arguments = random.nextBoolean() ? "{}" : "{\"q\":[1,{\"a\":\"ü\"}]}";
      made.add(
          Json.object()
              .put("id", "call_" + turn + "_" + i)
              .put("type", "function")
              .put(
                  "function",
                  Json.object().put("name", "look_up").put("arguments", arguments).build())
              .build());
    }
    messages.add(calls == 0 ? answer.build() : answer.put("tool_calls", Json.array(made)).build());
    for (int i = 0; i < calls; i++) {
      messages.add(
          Json.object()
              .put("role", "tool")
              .put("tool_call_id", "call_" + turn + "_" + i)
              .put("content", text(random))
              .build());
    }
  }

  private static Json tool(String name) {
    Json schema = parsed("{\"type\":\"object\",\"properties\":{\"q\":{\"type\":\"array\"}}}");
    Json function =
        Json.object()
            .put("name", name)
            .put("description", "to " + name)
            .put("parameters", schema)
            .build();
    return Json.object().put("type", "function").put("function", function).build();
  }

  private static Json parsed(String text) {
    try {
      return new JacksonCodec().parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (JsonCodec.MalformedJsonException wrong) {
      throw new AssertionError(text, wrong);
    }
  }

  /**
   * Describes all content of a request, a line for each thing, however it is divided into messages.
   */
  private static List<String> describe(InferenceRequest request) {
    var lines = new ArrayList<String>();
    Message instructions = request.instructions();
    if (instructions != null) {
      instructions.parts().forEach(part -> lines.add("system " + describe(part)));
    }
    for (Message message : request.messages()) {
      String who =
          switch (message.role()) {
            case SYSTEM, DEVELOPER -> "system ";
            case USER, TOOL -> "user ";
            case ASSISTANT -> "model ";
          };
      message.parts().forEach(part -> lines.add(who + describe(part)));
    }
    for (Tool tool : request.tools()) {
      Tool.Function function = (Tool.Function) tool;
      lines.add(function.name() + " " + function.description() + " " + function.parameters());
    }
    GenerationParameters settings = request.generationParameters();
    lines.add("limit " + request.maxOutputTokens());
    lines.add("temperature " + settings.value(Parameter.TEMPERATURE));
    lines.add("stop " + settings.stopSequences());
    lines.add("choice " + settings.toolChoice());
    return lines;
  }

  private static String describe(Part part) {
    return switch (part) {
      case Part.Text text -> "says " + text.text().text();
      case Part.Image image -> "shows " + image.media().asUrl().text();
      case Part.ToolCall call ->
          "calls " + call.name() + " as " + call.id() + " with " + value(call.arguments());
      case Part.ToolResult result ->
          "got " + result.callId() + result.content().stream().map(p -> describe(p)).toList();
      case Part.Audio other -> other.toString();
      case Part.Video other -> other.toString();
      case Part.File other -> other.toString();
      case Part.Thinking other -> other.toString();
      case Part.Refusal other -> other.toString();
      case Part.Citation other -> other.toString();
      case Part.Logprobs other -> other.toString();
      case Part.ServerToolRun other -> other.toString();
      case Part.Unknown other -> other.toString();
    };
  }

  private static Json value(Arguments arguments) {
    return parsed(arguments.text());
  }
}
