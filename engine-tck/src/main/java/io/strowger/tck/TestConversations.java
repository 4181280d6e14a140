package io.strowger.tck;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Tool;
import io.strowger.spi.routing.ModelRef;
import java.util.ArrayList;
import java.util.List;

/** One conversation in every dialect, of which each text can be told from all others. */
final class TestConversations {
  static final String QUESTION = "a distinctive question";

  /** What stands in every conversation. */
  static final List<String> SAID =
      List.of("a distinctive instruction", "a distinctive beginning", "a distinctive answer");

  /** What stands in a conversation with tools. */
  static final List<String> OF_TOOLS =
      List.of(
          "distinctive_tool",
          "a distinctive purpose",
          "distinctive_property",
          "a distinctive argument",
          "a distinctive result");

  private static final String CALL_ID = "call_17";

  private TestConversations() {}

  /**
   * Returns the conversation, to be answered whole; its last message is {@link #QUESTION}.
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
    Message instruction = Message.text(Message.Role.SYSTEM, SAID.get(0));
    var messages = new ArrayList<Message>();
    if (dialect == Dialect.CHAT) {
      messages.add(instruction);
    } else {
      request.instructions(instruction);
    }
    messages.add(Message.text(Message.Role.USER, SAID.get(1)));
    messages.add(Message.text(Message.Role.ASSISTANT, SAID.get(2)));
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
    Json.Obj string = Json.object().put("type", "string").build();
    Json.Obj properties = Json.object().put(OF_TOOLS.get(2), string).build();
    Json.Obj schema = Json.object().put("type", "object").put("properties", properties).build();
    return new Tool.Function(OF_TOOLS.get(0), OF_TOOLS.get(1), schema, Json.Obj.EMPTY, null);
  }

  private static Message call() {
    Json.Obj arguments = Json.object().put(OF_TOOLS.get(2), OF_TOOLS.get(3)).build();
    var call =
        new Part.ToolCall(
            CALL_ID, OF_TOOLS.get(0), Json.of(arguments.toString()), Json.Obj.EMPTY, null);
    return new Message(
        Message.Role.ASSISTANT, List.of(call), Message.Content.ABSENT, Json.Obj.EMPTY, null);
  }

  private static Message result(Dialect dialect) {
    Message.Role role = dialect == Dialect.MESSAGES ? Message.Role.USER : Message.Role.TOOL;
    var result = new Part.ToolResult(CALL_ID, List.of(new Part.Text(OF_TOOLS.get(4))), true);
    return new Message(role, List.of(result), Message.Content.LIST, Json.Obj.EMPTY, null);
  }
}
