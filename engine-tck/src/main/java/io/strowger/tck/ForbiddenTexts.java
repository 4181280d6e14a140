package io.strowger.tck;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Tool;
import io.strowger.spi.routing.ModelRef;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * Creates requests in every dialect of callers. Each request contains a given text in one place
 * where a caller can put it: one of those that {@link InferenceRequest#editTexts} visits.
 */
final class ForbiddenTexts {
  private static final List<Dialect> DIALECTS =
      List.of(Dialect.CHAT, Dialect.MESSAGES, Dialect.RESPONSES);

  private final Dialect dialect;
  private final String text;
  private final Map<String, InferenceRequest> places = new LinkedHashMap<>();

  private ForbiddenTexts(Dialect dialect, String text) {
    this.dialect = dialect;
    this.text = text;
  }

  /**
   * Returns requests that each have the text in one place; the keys are the dialect and the place.
   */
  static Map<String, InferenceRequest> requests(String text) {
    var requests = new LinkedHashMap<String, InferenceRequest>();
    for (Dialect dialect : DIALECTS) {
      var texts = new ForbiddenTexts(dialect, text);
      texts.instructions();
      texts.messages();
      texts.toolCalls();
      texts.toolResults();
      texts.thoughts();
      texts.files();
      texts.declarations();
      texts.settings();
      texts.places.forEach((place, request) -> requests.put(dialect + ", " + place, request));
    }
    return requests;
  }

  /**
   * Returns whether the request contains the text in a place that {@link
   * InferenceRequest#editTexts} visits, also when the text spans several parts that a model reads
   * as one.
   */
  static boolean isIn(InferenceRequest request, String text) {
    var found = new AtomicBoolean();
    request.editTexts(
        (value, kind) -> {
          found.compareAndSet(false, value.contains(text));
          return value;
        });
    return found.get();
  }

  private void instructions() {
    if (dialect == Dialect.CHAT) {
      put("a system message", Message.text(Message.Role.SYSTEM, text));
    } else {
      Message instructions = Message.text(Message.Role.SYSTEM, text);
      places.put("the instructions", builder().instructions(instructions).build());
    }
    if (dialect != Dialect.MESSAGES) {
      put("a developer message", Message.text(Message.Role.DEVELOPER, text));
    }
  }

  private void messages() {
    put("a user message", Message.text(Message.Role.USER, text));
    put("the second part of a user message", Message.Role.USER, text("Look:"), text(text));
    int half = text.offsetByCodePoints(0, text.codePointCount(0, text.length()) / 2);
    Part.Text firstHalf = text(text.substring(0, half));
    Part.Text secondHalf = text(text.substring(half));
    put("two parts of a user message, split", Message.Role.USER, firstHalf, secondHalf);
    put("an earlier answer", Message.text(Message.Role.ASSISTANT, text));
    put("an earlier refusal", Message.Role.ASSISTANT, new Part.Refusal(Json.of(text), null));
    Json.Obj cited = Json.object().put("type", "citation").put("cited_text", text).build();
    put("a citation", Message.Role.ASSISTANT, text("So."), new Part.Citation(cited, null));
    put("a part of an unknown kind", Message.Role.USER, new Part.Unknown("new", textAt("words")));
    List<Part> hello = List.of(text("Hello."));
    put(
        "a member of a message",
        new Message(Message.Role.USER, hello, Message.ContentForm.LIST, textAt("name"), null));
  }

  private void toolCalls() {
    put("the arguments of a tool call", call(Json.object().put("query", text).build().toString()));
    put("a name in the arguments of a tool call", call(textAt(text).toString()));
    String escaped = text.chars().mapToObj("\\u%04x"::formatted).collect(Collectors.joining());
    put("the arguments of a tool call, escaped", call("{\"query\":\"" + escaped + "\"}"));
    put("arguments that are not JSON", call(text));
    var arguments = new Arguments.Value(Json.object().put("query", text).build());
    put(
        "the arguments of a tool that the gateway ran",
        Message.Role.ASSISTANT,
        new Part.ServerToolRun("call_1", "search", arguments, Json.of("found"), null));
  }

  private void toolResults() {
    Message.Role role = dialect == Dialect.MESSAGES ? Message.Role.USER : Message.Role.TOOL;
    put("a tool result", role, new Part.ToolResult("call_1", List.of(text(text)), true));
    List<Part> two = List.of(text("Found:"), text(text));
    put("the second part of a tool result", role, new Part.ToolResult("call_1", two, false));
    var arguments = new Arguments.Value(Json.Obj.EMPTY);
    put(
        "the result of a tool that the gateway ran",
        Message.Role.ASSISTANT,
        new Part.ServerToolRun("call_1", "search", arguments, textAt("page"), null));
  }

  private void thoughts() {
    for (var kind : List.of(Part.Thinking.Kind.TEXT, Part.Thinking.Kind.SUMMARY)) {
      var thought = new Part.Thinking(kind, Json.of(text), null, null, null, Json.Obj.EMPTY, null);
      put("a thought of the kind " + kind, Message.Role.ASSISTANT, thought, text("So."));
    }
  }

  private void files() {
    Json.Obj named =
        Json.object()
            .put("filename", text)
            .put("file_data", "data:text/plain;base64,SGVsbG8=")
            .build();
    put("the name of a file", Message.Role.USER, file(named));
    Json.Obj textFile =
        Json.object().put("type", "text").put("media_type", "text/plain").put("data", text).build();
    put("the text of a file", Message.Role.USER, file(textFile));
    var titled = new Part.File(textFile.with("data", Json.of("Hello.")), textAt("title"), null);
    put("the title of a file", Message.Role.USER, titled);
    Json.Str address = Json.of("https://pictures.test/?of=" + text);
    put(
        "the address of an image",
        Message.Role.USER,
        new Part.Image(address, Json.Obj.EMPTY, null));
    put("the address of a video", Message.Role.USER, new Part.Video(address, Json.Obj.EMPTY, null));
  }

  private void declarations() {
    Json.Obj schema = Json.object().put("type", "object").build();
    put(
        "the description of a tool",
        new Tool.Function("search", text, schema, Json.Obj.EMPTY, null));
    put("the description of a parameter", toolWith("description", Json.of(text)));
    put("a choice of a parameter", toolWith("enum", Json.array(List.of(Json.of(text)))));
    put("the default of a parameter", toolWith("default", Json.of(text)));
    put(
        "a tool declaration of an unknown kind",
        new Tool.Unknown("new", textAt("purpose").with("type", Json.of("new"))));
  }

  private Tool toolWith(String member, Json value) {
    Json.Obj query = Json.object().put("type", "string").put(member, value).build();
    Json.Obj parameters =
        Json.object()
            .put("type", "object")
            .put("properties", Json.object().put("query", query).build())
            .build();
    return new Tool.Function("search", "Searches.", parameters, Json.Obj.EMPTY, null);
  }

  private void settings() {
    setting("the metadata", "metadata", textAt("note"));
    setting("a name in the metadata", "metadata", Json.object().put(text, "note").build());
    String stop = dialect == Dialect.MESSAGES ? "stop_sequences" : "stop";
    setting("a text to stop at", stop, Json.array(List.of(Json.of(text))));
    setting("an unknown member", "new", Json.object().put("words", textAt("a")).build());
    switch (dialect) {
      case CHAT -> {
        setting("the prediction", "prediction", textAt("content"));
        setting("the schema of the answer", "response_format", schema());
      }
      case MESSAGES -> setting("the schema of the answer", "output_config", schema());
      case RESPONSES -> {
        Json.Obj variables = Json.object().put("variables", textAt("city")).build();
        setting("the variables of a prompt template", "prompt", variables);
        setting("the schema of the answer", "text", schema());
      }
      case GEMINI -> throw new IllegalStateException("no caller has this dialect");
    }
  }

  private Json.Obj schema() {
    Json.Obj format =
        Json.object().put("type", "json_schema").put("schema", textAt("description")).build();
    return switch (dialect) {
      case CHAT ->
          Json.object()
              .put("type", "json_schema")
              .put("json_schema", format.without("type").with("name", Json.of("reply")))
              .build();
      case MESSAGES, RESPONSES, GEMINI -> Json.object().put("format", format).build();
    };
  }

  private Json.Obj textAt(String member) {
    return Json.object().put(member, text).build();
  }

  private static Part.Text text(String text) {
    return new Part.Text(text);
  }

  private static Part file(Json.Obj file) {
    return new Part.File(file, Json.Obj.EMPTY, null);
  }

  private static Message call(String arguments) {
    var call = new Part.ToolCall("call_1", "search", Json.of(arguments), Json.Obj.EMPTY, null);
    return new Message(
        Message.Role.ASSISTANT, List.of(call), Message.ContentForm.ABSENT, Json.Obj.EMPTY, null);
  }

  private void put(String place, Message.Role role, Part... parts) {
    put(place, new Message(role, List.of(parts), Message.ContentForm.LIST, Json.Obj.EMPTY, null));
  }

  private void put(String place, Message message) {
    places.put(place, builder(message).build());
  }

  private void put(String place, Tool tool) {
    places.put(place, builder().tools(List.of(tool)).build());
  }

  private void setting(String place, String name, Json value) {
    places.put(place, builder().member(name, value).build());
  }

  private InferenceRequest.Builder builder(Message... messages) {
    var all = new ArrayList<>(List.of(messages));
    all.add(Message.text(Message.Role.USER, "Go on."));
    Json.Obj members = Json.object().put("model", "acme/one").build();
    return InferenceRequest.builder(dialect, members)
        .models(List.of(ModelRef.parse("acme/one")))
        .messages(all)
        .streaming(true);
  }
}
