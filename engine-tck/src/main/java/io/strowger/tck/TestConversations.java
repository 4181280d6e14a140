package io.strowger.tck;

import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Tool;
import io.strowger.spi.routing.ModelRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** One conversation in every dialect of callers; all its texts are distinct. */
final class TestConversations {
  static final String QUESTION = "a distinctive question";

  /** The texts in every conversation. */
  static final List<String> TEXTS =
      List.of("a distinctive instruction", "a distinctive beginning", "a distinctive answer");

  /** The texts in a conversation with tools. */
  static final List<String> TOOL_TEXTS =
      List.of(
          "distinctive_tool",
          "a distinctive purpose",
          "distinctive_property",
          "a distinctive argument",
          "a distinctive result");

  private static final String CALL_ID = "call_17";

  private TestConversations() {}

  /** Members of a request that make demands on its answer. */
  enum Demand {
    STOP("a distinctive stop", "stop", Parameter.STOP),
    TOOLS("distinctive_tool", "tool", Parameter.TOOLS),
    /**
     * An adapter may emulate this with an instruction or a tool when the endpoint does not support
     * it.
     */
    RESPONSE_FORMAT(
        "distinctive_member", "format", Parameter.RESPONSE_FORMAT, Parameter.STRUCTURED_OUTPUTS);

    private final String text;
    private final String lossSubject;
    private final long parameters;

    Demand(String text, String word, Parameter... parameters) {
      this.text = text;
      this.lossSubject = word;
      this.parameters = Parameter.mask(List.of(parameters));
    }

    /** Returns a text that is in every body with the demand. */
    String text() {
      return text;
    }

    /** Returns a word that the subject of a loss of this demand contains in every dialect. */
    String lossSubject() {
      return lossSubject;
    }

    /** Returns a bit mask of the parameters that an endpoint must have to support this demand. */
    long parameters() {
      return parameters;
    }

    /** Returns the name of the member in the chat dialect. */
    String member() {
      return name().toLowerCase(Locale.ROOT);
    }

    boolean mayBeEmulated() {
      return this == RESPONSE_FORMAT;
    }

    /** Returns a request with this demand in every dialect that has it. */
    List<InferenceRequest> inDialects(String model) {
      return Stream.of(Dialect.CHAT, Dialect.MESSAGES, Dialect.RESPONSES)
          .filter(dialect -> this != STOP || dialect != Dialect.RESPONSES)
          .map(dialect -> inDialect(dialect, model))
          .toList();
    }

    private InferenceRequest inDialect(Dialect dialect, String model) {
      InferenceRequest base = request(dialect, model, false);
      if (this == TOOLS) {
        return base.toBuilder().tools(List.of(tool())).build();
      }
      Json.Obj members = base.members();
      return base.toBuilder()
          .members(this == STOP ? withStop(dialect, members) : withSchema(dialect, members))
          .build();
    }

    private Json.Obj withStop(Dialect dialect, Json.Obj members) {
      return members.with(
          dialect == Dialect.CHAT ? "stop" : "stop_sequences", Json.array(Json.of(text)));
    }

    private Json.Obj withSchema(Dialect dialect, Json.Obj members) {
      var schema = Json.object().put("name", "form").put("schema", objectOf(text)).build();
      Json.Obj typed = schema.with("type", Json.of("json_schema"));
      return switch (dialect) {
        case CHAT ->
            members.with(
                "response_format",
                Json.object().put("type", "json_schema").put("json_schema", schema).build());
        case MESSAGES ->
            members.with(
                "output_config", Json.object().put("format", typed.without("name")).build());
        default -> members.with("text", Json.object().put("format", typed).build());
      };
    }
  }

  /**
   * Returns the conversation as a request without streaming; its last message is {@link #QUESTION}.
   *
   * @param tools whether tools are declared, and one has been called
   */
  static List<InferenceRequest> inEveryDialect(String model, boolean tools) {
    return List.of(
        request(Dialect.CHAT, model, tools),
        request(Dialect.MESSAGES, model, tools),
        request(Dialect.RESPONSES, model, tools));
  }

  private static InferenceRequest request(Dialect dialect, String model, boolean tools) {
    Json.Obj members = Json.object().put("model", model).build();
    var request = InferenceRequest.builder(dialect, members).models(List.of(ModelRef.parse(model)));
    Message instruction = Message.text(Message.Role.SYSTEM, TEXTS.get(0));
    var messages = new ArrayList<Message>();
    if (dialect == Dialect.CHAT) {
      messages.add(instruction);
    } else {
      request.instructions(instruction);
    }
    messages.add(Message.text(Message.Role.USER, TEXTS.get(1)));
    messages.add(Message.text(Message.Role.ASSISTANT, TEXTS.get(2)));
    if (tools) {
      request.tools(List.of(tool()));
      messages.add(Message.text(Message.Role.USER, "Look it up."));
      messages.add(call());
      messages.add(result(dialect));
      messages.add(Message.text(Message.Role.ASSISTANT, "I have looked it up."));
    }
    messages.add(Message.text(Message.Role.USER, QUESTION));
    return request
        .messages(messages)
        .maxOutputTokens(dialect == Dialect.MESSAGES ? 100 : 0)
        .build();
  }

  private static Tool tool() {
    return new Tool.Function(
        TOOL_TEXTS.get(0), TOOL_TEXTS.get(1), objectOf(TOOL_TEXTS.get(2)), Json.Obj.EMPTY, null);
  }

  /** Returns the schema of an object with one string member. */
  private static Json.Obj objectOf(String member) {
    Json.Obj string = Json.object().put("type", "string").build();
    Json.Obj properties = Json.object().put(member, string).build();
    return Json.object().put("type", "object").put("properties", properties).build();
  }

  private static Message call() {
    Json.Obj arguments = Json.object().put(TOOL_TEXTS.get(2), TOOL_TEXTS.get(3)).build();
    var call =
        new Part.ToolCall(
            CALL_ID, TOOL_TEXTS.get(0), Json.of(arguments.toString()), Json.Obj.EMPTY, null);
    return new Message(
        Message.Role.ASSISTANT, List.of(call), Message.ContentForm.ABSENT, Json.Obj.EMPTY, null);
  }

  private static Message result(Dialect dialect) {
    Message.Role role = dialect == Dialect.MESSAGES ? Message.Role.USER : Message.Role.TOOL;
    var result = new Part.ToolResult(CALL_ID, List.of(new Part.Text(TOOL_TEXTS.get(4))), true);
    return new Message(role, List.of(result), Message.ContentForm.LIST, Json.Obj.EMPTY, null);
  }
}
