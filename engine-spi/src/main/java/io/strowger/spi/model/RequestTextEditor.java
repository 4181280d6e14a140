package io.strowger.spi.model;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Edits all texts of a request. A part that changes loses its source; every other part keeps its
 * own. Decision 39.
 */
final class RequestTextEditor {
  /** Members outside the messages that belong to the conversation, in dialects that have them. */
  private static final Set<String> CONVERSATION_MEMBERS = Set.of("prediction", "prompt", "suffix");

  /** Members that only the gateway reads; none is sent to an upstream. */
  private static final Set<String> GATEWAY_MEMBERS =
      Set.of("trace", "debug", "route", "preset", "stop_server_tools_when", "fallbacks");

  /** Members that hold the caller's text in a request that is not a conversation. */
  private static final Set<String> TEXT_MEMBERS =
      Set.of("input", "instructions", "input_references", "query", "documents");

  /** Members whose values are always protocol keywords, in a request that is not a conversation. */
  private static final Set<String> KEYWORD_MEMBERS =
      Set.of(
          "resolution",
          "aspect_ratio",
          "quality",
          "background",
          "output_format",
          "timestamp_granularities",
          "encoding_format");

  private final JsonTextEditor jsonTexts;

  RequestTextEditor(TextEditor editor) {
    this.jsonTexts = new JsonTextEditor(editor);
  }

  /** Returns the edited request; the same instance when nothing changes. */
  InferenceRequest edit(InferenceRequest request) {
    InferenceRequest.Builder builder = null;
    Message instructions = request.instructions();
    if (instructions != null) {
      Message edited = editMessage(instructions);
      if (edited != instructions) {
        builder = request.toBuilder().instructions(edited);
      }
    }
    List<Message> messages = editMessages(request.messages());
    if (messages != request.messages()) {
      builder = (builder == null ? request.toBuilder() : builder).messages(messages);
    }
    List<Tool> tools = editTools(request.tools());
    if (tools != request.tools()) {
      builder = (builder == null ? request.toBuilder() : builder).tools(tools);
    }
    Json.Obj members = editProviderOptions(request);
    if (members != request.members()) {
      builder = (builder == null ? request.toBuilder() : builder).members(members);
    }
    for (int i = 0; i < members.size(); i++) {
      String name = members.name(i);
      Json member = members.value(i);
      Json edited = request.hasTypedForm(name) ? member : editMember(request, name, member);
      if (edited != member) {
        builder = (builder == null ? request.toBuilder() : builder).member(name, edited);
      }
    }
    return builder == null ? request : builder.build();
  }

  /** Edits {@code provider.options}, sent upstream when the request is not a conversation. */
  private Json.Obj editProviderOptions(InferenceRequest request) {
    Json.Obj members = request.members();
    Json.Obj provider = request.kind() == Endpoint.Kind.CHAT ? null : members.object("provider");
    Json options = provider == null ? null : provider.get("options");
    if (provider == null || options == null) {
      return members;
    }
    Json edited = jsonTexts.editPart(options, TextKind.USER);
    return edited == options ? members : members.with("provider", provider.with("options", edited));
  }

  private Json editMember(InferenceRequest request, String name, Json member) {
    if (request.kind() == Endpoint.Kind.SPEECH) {
      return editSpeechMember(name, member);
    }
    if (request.kind() != Endpoint.Kind.CHAT && TEXT_MEMBERS.contains(name)) {
      return jsonTexts.editPart(member, TextKind.USER);
    }
    if (request.kind() != Endpoint.Kind.CHAT && KEYWORD_MEMBERS.contains(name)) {
      return member;
    }
    if (CONVERSATION_MEMBERS.contains(name)) {
      return jsonTexts.editPart(member, TextKind.OTHER);
    }
    if (GATEWAY_MEMBERS.contains(name)) {
      return member;
    }
    return switch (name) {
      case "tool_choice" -> member; // names a tool
      case "safety_identifier" -> // an upstream receives only its hash
          member instanceof Json.Str ? member : jsonTexts.editSetting(name, member);
      case "metadata" -> jsonTexts.editFreeForm(member, TextKind.SETTING);
      default -> jsonTexts.editSetting(name, member);
    };
  }

  /** Edits a member of a speech request, except voice, format and audio, which are not text. */
  private Json editSpeechMember(String name, Json member) {
    return switch (name) {
      case "input", "instructions" -> editItemsExcept(member, "voice");
      case "input_references" -> editItemsExcept(member, "input_audio");
      case "voice", "response_format", "speed" -> member;
      default -> GATEWAY_MEMBERS.contains(name) ? member : jsonTexts.editSetting(name, member);
    };
  }

  /** Edits a text, or the items of an array except their member {@code keptMember}. */
  private Json editItemsExcept(Json member, String keptMember) {
    if (!(member instanceof Json.Arr items)) {
      return jsonTexts.editPart(member, TextKind.USER);
    }
    var edited = new ArrayList<Json>(items.size());
    boolean isChanged = false;
    for (int i = 0; i < items.size(); i++) {
      Json item = items.get(i);
      Json editedItem = item instanceof Json.Obj object ? editExcept(object, keptMember) : item;
      isChanged |= editedItem != item;
      edited.add(editedItem);
    }
    return isChanged ? Json.array(edited) : member;
  }

  private Json.Obj editExcept(Json.Obj object, String keptMember) {
    Json keptValue = object.get(keptMember);
    if (keptValue == null) {
      return jsonTexts.editPart(object, TextKind.USER);
    }
    Json.Obj remainder = object.without(keptMember);
    Json.Obj edited = jsonTexts.editPart(remainder, TextKind.USER);
    return edited == remainder ? object : edited.with(keptMember, keptValue);
  }

  private List<Tool> editTools(List<Tool> tools) {
    if (!jsonTexts.edits(TextKind.TOOL_DECLARATION)) {
      return tools;
    }
    ArrayList<Tool> newTools = null;
    for (int i = 0; i < tools.size(); i++) {
      Tool edited = editTool(tools.get(i));
      if (edited != tools.get(i)) {
        newTools = newTools == null ? new ArrayList<>(tools) : newTools;
        newTools.set(i, edited);
      }
    }
    return newTools == null ? tools : newTools;
  }

  private Tool editTool(Tool tool) {
    return switch (tool) {
      case Tool.Function function -> editFunction(function);
      case Tool.Server server -> {
        Json.Obj parameters =
            jsonTexts.editDeclaration(server.parameters(), TextKind.TOOL_DECLARATION);
        yield parameters == server.parameters()
            ? server
            : new Tool.Server(server.type(), parameters, null);
      }
      case Tool.Unknown unknown -> {
        Json source = jsonTexts.editDeclaration(unknown.source(), TextKind.TOOL_DECLARATION);
        yield source == unknown.source() ? unknown : new Tool.Unknown(unknown.type(), source);
      }
    };
  }

  private Tool editFunction(Tool.Function tool) {
    String originalDescription = tool.description();
    Json.Str descriptionText = originalDescription == null ? null : Json.of(originalDescription);
    String description =
        descriptionText == null
            ? null
            : jsonTexts.editModelText(descriptionText, TextKind.TOOL_DECLARATION).text();
    Json.Obj schema = tool.parameters();
    Json.Obj parameters =
        schema == null ? null : jsonTexts.editDeclaration(schema, TextKind.TOOL_DECLARATION);
    Json.Obj extras = jsonTexts.editDeclaration(tool.extras(), TextKind.TOOL_DECLARATION);
    return Objects.equals(description, originalDescription)
            && parameters == schema
            && extras == tool.extras()
        ? tool
        : new Tool.Function(tool.name(), description, parameters, extras, null);
  }

  private List<Message> editMessages(List<Message> messages) {
    ArrayList<Message> newMessages = null;
    for (int i = 0; i < messages.size(); i++) {
      Message edited = editMessage(messages.get(i));
      if (edited != messages.get(i)) {
        newMessages = newMessages == null ? new ArrayList<>(messages) : newMessages;
        newMessages.set(i, edited);
      }
    }
    return newMessages == null ? messages : newMessages;
  }

  private Message editMessage(Message message) {
    List<Part> parts = editParts(message.parts(), kindOf(message.role()));
    Json.Obj extras = jsonTexts.editPart(message.extras(), TextKind.OTHER);
    return parts == message.parts() && extras == message.extras()
        ? message
        : new Message(message.role(), parts, message.contentForm(), extras, null);
  }

  private static TextKind kindOf(Message.Role role) {
    return switch (role) {
      case SYSTEM, DEVELOPER -> TextKind.INSTRUCTIONS;
      case USER -> TextKind.USER;
      case ASSISTANT -> TextKind.ASSISTANT;
      case TOOL -> TextKind.TOOL_RESULT;
    };
  }

  /** Edits the parts; removes log probabilities when a part or one of their tokens changes. */
  private List<Part> editParts(List<Part> parts, TextKind kind) {
    ArrayList<Part> newParts = null;
    for (int i = 0; i < parts.size(); i++) {
      Part edited = editPart(parts.get(i), kind);
      if (edited != parts.get(i)) {
        newParts = newParts == null ? new ArrayList<>(parts) : newParts;
        newParts.set(i, edited);
      }
    }
    List<Part> editedParts = newParts == null ? parts : newParts;
    List<Part> result = editRuns(editedParts, kind);
    if (result == parts && !isAnyTokenEdited(parts)) {
      return parts;
    }
    return result.stream().filter(part -> !(part instanceof Part.Logprobs)).toList();
  }

  private boolean isAnyTokenEdited(List<Part> parts) {
    for (Part part : parts) {
      if (part instanceof Part.Logprobs(Json.Arr content)
          && jsonTexts.editPart(content, TextKind.ASSISTANT) != content) {
        return true;
      }
    }
    return false;
  }

  /** Edits adjacent texts as one, to find what is split across several of them. */
  private List<Part> editRuns(List<Part> parts, TextKind kind) {
    ArrayList<Part> newParts = null;
    for (int start = 0, end; start < parts.size(); start = end) {
      end = endOfTexts(parts, start);
      List<Part> run = parts.subList(start, end);
      List<Part> edited = run.size() < 2 || !jsonTexts.edits(kind) ? run : editAdjacent(run, kind);
      if (edited != run && newParts == null) {
        newParts = new ArrayList<>(parts.subList(0, start));
      }
      if (newParts != null) {
        newParts.addAll(edited);
      }
    }
    return newParts == null ? parts : newParts;
  }

  /** Returns the index after the texts that begin here, or after one part that is not text. */
  private static int endOfTexts(List<Part> parts, int start) {
    int end = start;
    while (end < parts.size() && parts.get(end) instanceof Part.Text) {
      end++;
    }
    return Math.max(end, start + 1);
  }

  private List<Part> editAdjacent(List<Part> run, TextKind kind) {
    List<String> texts =
        run.stream().map(part -> part instanceof Part.Text t ? t.text().text() : "").toList();
    List<String> edited = jsonTexts.editAdjacent(texts, kind);
    if (edited == texts) {
      return run;
    }
    var newParts = new ArrayList<Part>();
    for (int i = 0; i < edited.size(); i++) {
      if (run.get(i) instanceof Part.Text textPart) {
        boolean isUnchanged = edited.get(i).equals(texts.get(i));
        newParts.add(
            isUnchanged
                ? textPart
                : new Part.Text(Json.of(edited.get(i)), textPart.extras(), null));
      }
    }
    return newParts;
  }

  private Part editPart(Part part, TextKind kind) {
    return switch (part) {
      case Part.Text text -> editText(text, kind);
      case Part.Image image -> editImage(image);
      case Part.Audio audio -> editAudio(audio);
      case Part.Video video -> editVideo(video);
      case Part.File file -> editFile(file);
      case Part.ToolCall call -> editToolCall(call);
      case Part.ToolResult result -> editToolResult(result);
      case Part.Thinking thinking -> editThinking(thinking);
      case Part.Refusal refusal -> editRefusal(refusal);
      case Part.Citation citation -> editCitation(citation);
      case Part.Logprobs logprobs -> logprobs;
      case Part.ServerToolRun run -> editServerToolRun(run);
      case Part.Unknown unknown -> editUnknown(unknown);
    };
  }

  private Part editText(Part.Text part, TextKind kind) {
    Json.Str text = jsonTexts.editModelText(part.text(), kind);
    Json.Obj extras = jsonTexts.editPart(part.extras(), TextKind.OTHER);
    return text == part.text() && extras == part.extras()
        ? part
        : new Part.Text(text, extras, null);
  }

  private Part editImage(Part.Image part) {
    Media media =
        part.media() instanceof Media.Url(Json.Str url)
                && jsonTexts.editText(url, TextKind.OTHER) != url
            ? new Media.Url(jsonTexts.editText(url, TextKind.OTHER))
            : part.media();
    Json.Obj extras = jsonTexts.editPart(part.extras(), TextKind.OTHER);
    return media == part.media() && extras == part.extras()
        ? part
        : new Part.Image(media, extras, null);
  }

  private Part editAudio(Part.Audio part) {
    Json.Obj extras = jsonTexts.editPart(part.extras(), TextKind.OTHER);
    return extras == part.extras()
        ? part
        : new Part.Audio(part.data(), part.format(), extras, null);
  }

  private Part editVideo(Part.Video part) {
    Json.Str url = jsonTexts.editText(part.url(), TextKind.OTHER);
    Json.Obj extras = jsonTexts.editPart(part.extras(), TextKind.OTHER);
    return url == part.url() && extras == part.extras() ? part : new Part.Video(url, extras, null);
  }

  private Part editFile(Part.File part) {
    Json.Obj file = jsonTexts.editPart(part.file(), TextKind.OTHER);
    Json.Obj extras = jsonTexts.editPart(part.extras(), TextKind.OTHER);
    return file == part.file() && extras == part.extras()
        ? part
        : new Part.File(file, extras, null);
  }

  private Part editToolCall(Part.ToolCall part) {
    Arguments arguments = jsonTexts.editArguments(part.arguments());
    Json.Obj extras = jsonTexts.editPart(part.extras(), TextKind.OTHER);
    return arguments == part.arguments() && extras == part.extras()
        ? part
        : new Part.ToolCall(part.id(), part.name(), arguments, extras, null);
  }

  /** Edits a tool result as the tool's text, whatever message contains it. */
  private Part editToolResult(Part.ToolResult part) {
    List<Part> content = editParts(part.content(), TextKind.TOOL_RESULT);
    Json.Obj extras = jsonTexts.editPart(part.extras(), TextKind.OTHER);
    return content == part.content() && extras == part.extras()
        ? part
        : new Part.ToolResult(part.callId(), content, part.form(), part.isError(), extras, null);
  }

  /** Edits reasoning; removes the signature when the text changes, since it no longer matches. */
  private Part editThinking(Part.Thinking part) {
    if (part.kind() == Part.Thinking.Kind.ENCRYPTED) {
      return part;
    }
    Json.Str text = jsonTexts.editModelText(part.text(), TextKind.THINKING);
    Json.Obj extras = jsonTexts.editPart(part.extras(), TextKind.OTHER);
    if (text == part.text() && extras == part.extras()) {
      return part;
    }
    Json.Str signature = text == part.text() ? part.signature() : null;
    return new Part.Thinking(part.kind(), text, signature, part.format(), part.id(), extras, null);
  }

  private Part editRefusal(Part.Refusal part) {
    Json.Str text = jsonTexts.editModelText(part.text(), TextKind.ASSISTANT);
    return text == part.text() ? part : new Part.Refusal(text, null);
  }

  private Part editCitation(Part.Citation part) {
    Json.Obj body = jsonTexts.editPart(part.body(), TextKind.OTHER);
    return body == part.body() ? part : new Part.Citation(body, null);
  }

  private Part editServerToolRun(Part.ServerToolRun part) {
    Arguments arguments = jsonTexts.editArguments(part.arguments());
    Json result = jsonTexts.editFreeForm(part.result(), TextKind.TOOL_RESULT);
    return arguments == part.arguments() && result == part.result()
        ? part
        : new Part.ServerToolRun(part.callId(), part.tool(), arguments, result, null);
  }

  private Part editUnknown(Part.Unknown part) {
    Json source = jsonTexts.editPart(part.source(), TextKind.OTHER);
    return source == part.source() ? part : new Part.Unknown(part.type(), source);
  }
}
