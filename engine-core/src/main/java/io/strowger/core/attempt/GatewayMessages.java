package io.strowger.core.attempt;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Removes what only the gateway knows from messages before an adapter sees them: the model that
 * wrote a message ({@code messages[].model}), runs of the gateway's tools, in every dialect's form,
 * and such tools declared in the middle of an input.
 *
 * <p>Messages from which nothing is removed stay the same objects. What is kept keeps its bytes.
 *
 * <p>Contract: translation fact sheet, section 8. Test: {@code GatewayMessagesTest}.
 */
final class GatewayMessages {
  private static final String MODEL = "model";
  private static final String DETAILS = "reasoning_details";
  private static final String RUN_DETAIL = "reasoning.server_tool_call";
  private static final String GATEWAY_TYPE = "router:";
  private static final String TOOLS = "tools";

  /** Blocks of the messages dialect that hold the result of a gateway tool. */
  private static final Set<String> RUN_RESULTS =
      Set.of("router_shell_tool_result", "router_bash_tool_result");

  private final Dialect dialect;
  private final Set<String> gatewayCalls; // ids, of the messages dialect only

  private GatewayMessages(Dialect dialect, List<Message> messages) {
    this.dialect = dialect;
    this.gatewayCalls = dialect == Dialect.MESSAGES ? gatewayCalls(messages) : Set.of();
  }

  /** Returns the messages as an adapter sees them; the same list when nothing is removed. */
  static List<Message> removeFrom(List<Message> messages, Dialect dialect) {
    var stripper = new GatewayMessages(dialect, messages);
    ArrayList<Message> result = null;
    for (int i = 0; i < messages.size(); i++) {
      Message message = messages.get(i);
      Message stripped = stripper.strip(message);
      if (stripped != message && result == null) {
        result = new ArrayList<>(messages.subList(0, i));
      }
      if (result != null && stripped != null) {
        result.add(stripped);
      }
    }
    return result == null ? messages : result;
  }

  /** Returns the ids of calls whose results are removed, so that the calls are removed, too. */
  private static Set<String> gatewayCalls(List<Message> messages) {
    Set<String> ids = Set.of();
    for (Message message : messages) {
      for (Part part : message.parts()) {
        if (part instanceof Part.Unknown(String type, Json source)
            && RUN_RESULTS.contains(type)
            && source instanceof Json.Obj block
            && block.get("tool_use_id") instanceof Json.Str id) {
          ids = ids.isEmpty() ? new HashSet<>() : ids;
          ids.add(id.text());
        }
      }
    }
    return ids;
  }

  /** Returns what is kept of a message, usually the same object; null when nothing is kept. */
  private @Nullable Message strip(Message message) {
    List<Part> parts = stripParts(message.parts());
    boolean hasModel = dialect == Dialect.CHAT && message.extras().has(MODEL);
    if (parts == message.parts() && !hasModel) {
      return message;
    }
    if (dialect == Dialect.CHAT) {
      Json.Obj extras = message.extras().without(MODEL);
      if (parts != message.parts() && areEmpty(parts) && extras.size() == 0) {
        return null; // upstreams refuse an assistant's message without content and calls
      }
      Json source = message.source() instanceof Json.Obj body ? strip(body) : null;
      return new Message(message.role(), parts, message.contentForm(), extras, source);
    }
    if (parts.isEmpty()) {
      return null;
    }
    boolean isItem =
        message.source() != null && message.source() == message.parts().get(0).source();
    return isItem
        ? new Message(
            message.role(), parts, message.contentForm(), message.extras(), parts.get(0).source())
        : message.withParts(parts);
  }

  private static boolean areEmpty(List<Part> parts) {
    return parts.stream().allMatch(part -> part instanceof Part.Text text && text.text().isEmpty());
  }

  /** Returns a message of the chat dialect without its model and the runs of gateway tools. */
  private static Json.Obj strip(Json.Obj message) {
    Json.Obj stripped = message.without(MODEL);
    Json.Arr details = stripped.list(DETAILS);
    if (details == null || details.stream().noneMatch(GatewayMessages::isRun)) {
      return stripped;
    }
    List<Json> remaining = details.stream().filter(detail -> !isRun(detail)).toList();
    return remaining.isEmpty()
        ? stripped.without(DETAILS)
        : stripped.with(DETAILS, Json.array(remaining));
  }

  private static boolean isRun(Json detail) {
    return detail instanceof Json.Obj item && RUN_DETAIL.equals(item.text("type"));
  }

  private List<Part> stripParts(List<Part> parts) {
    ArrayList<Part> result = null;
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      Part stripped = strip(part);
      if (stripped != part && result == null) {
        result = new ArrayList<>(parts.subList(0, i));
      }
      if (result != null && stripped != null) {
        result.add(stripped);
      }
    }
    return result == null ? parts : List.copyOf(result);
  }

  private @Nullable Part strip(Part part) {
    if (part instanceof Part.ServerToolRun) {
      return null;
    }
    return part instanceof Part.Unknown unknown ? strip(unknown) : part;
  }

  private @Nullable Part strip(Part.Unknown part) {
    Json.Obj source = part.source() instanceof Json.Obj item ? item : Json.Obj.EMPTY;
    return switch (dialect) {
      case CHAT, GEMINI -> part;
      case MESSAGES -> isRun(part.type(), source) ? null : part;
      case RESPONSES ->
          part.type().startsWith(GATEWAY_TYPE) ? null : stripDeclarations(part, source);
    };
  }

  private boolean isRun(String type, Json.Obj block) {
    return RUN_RESULTS.contains(type)
        || type.equals("server_tool_use")
            && block.get("id") instanceof Json.Str id
            && gatewayCalls.contains(id.text());
  }

  private static Part stripDeclarations(Part.Unknown part, Json.Obj item) {
    Json.Arr tools = part.type().equals("additional_tools") ? item.list(TOOLS) : null;
    if (tools == null || tools.stream().noneMatch(GatewayMessages::isGatewayTool)) {
      return part;
    }
    List<Json> stripped = tools.stream().filter(tool -> !isGatewayTool(tool)).toList();
    return new Part.Unknown(part.type(), item.with(TOOLS, Json.array(stripped)));
  }

  private static boolean isGatewayTool(Json tool) {
    String type = tool instanceof Json.Obj declared ? declared.text("type") : null;
    return type != null && type.startsWith(GATEWAY_TYPE);
  }
}
