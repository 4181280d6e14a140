package io.strowger.spi.model;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Edits all texts of a request. A part that changes loses its source, every other keeps it.
 * Decision 39.
 */
final class RequestTexts {
  /** Members outside the messages that belong to the conversation, in dialects that have them. */
  private static final Set<String> CONVERSATION = Set.of("prediction", "prompt", "suffix");

  /** Members that only the gateway reads; none is sent to an upstream. */
  private static final Set<String> GATEWAY =
      Set.of("trace", "debug", "route", "preset", "stop_server_tools_when", "fallbacks");

  /** Members that hold the caller's text in a request that is not a conversation. */
  private static final Set<String> SAID =
      Set.of("input", "instructions", "input_references", "query", "documents");

  /** Members of such a request whose values are always protocol keywords. */
  private static final Set<String> WORDS =
      Set.of(
          "resolution",
          "aspect_ratio",
          "quality",
          "background",
          "output_format",
          "timestamp_granularities",
          "encoding_format");

  private final JsonTexts json;

  RequestTexts(TextEditor editor) {
    this.json = new JsonTexts(editor);
  }

  /** Returns the edited request; the same instance when nothing changes. */
  InferenceRequest edited(InferenceRequest request) {
    InferenceRequest.Builder changed = null;
    Message instructions = request.instructions();
    if (instructions != null) {
      Message edited = message(instructions);
      if (edited != instructions) {
        changed = request.toBuilder().instructions(edited);
      }
    }
    List<Message> messages = messages(request.messages());
    if (messages != request.messages()) {
      changed = (changed == null ? request.toBuilder() : changed).messages(messages);
    }
    List<Tool> tools = tools(request.tools());
    if (tools != request.tools()) {
      changed = (changed == null ? request.toBuilder() : changed).tools(tools);
    }
    Json.Obj members = withOptions(request);
    if (members != request.members()) {
      changed = (changed == null ? request.toBuilder() : changed).members(members);
    }
    for (int i = 0; i < members.size(); i++) {
      String name = members.name(i);
      Json member = members.value(i);
      Json edited = request.isModelled(name) ? member : member(request, name, member);
      if (edited != member) {
        changed = (changed == null ? request.toBuilder() : changed).member(name, edited);
      }
    }
    return changed == null ? request : changed.build();
  }

  /** Edits {@code provider.options}, sent upstream when the request is not a conversation. */
  private Json.Obj withOptions(InferenceRequest request) {
    Json.Obj members = request.members();
    Json.Obj provider = request.kind() == Endpoint.Kind.CHAT ? null : members.object("provider");
    Json options = provider == null ? null : provider.get("options");
    if (provider == null || options == null) {
      return members;
    }
    Json edited = json.wire(options, TextKind.USER);
    return edited == options ? members : members.with("provider", provider.with("options", edited));
  }

  private Json member(InferenceRequest request, String name, Json member) {
    if (request.kind() == Endpoint.Kind.SPEECH) {
      return spoken(name, member);
    }
    if (request.kind() != Endpoint.Kind.CHAT && SAID.contains(name)) {
      return json.wire(member, TextKind.USER);
    }
    if (request.kind() != Endpoint.Kind.CHAT && WORDS.contains(name)) {
      return member;
    }
    if (CONVERSATION.contains(name)) {
      return json.wire(member, TextKind.OTHER);
    }
    if (GATEWAY.contains(name)) {
      return member;
    }
    return switch (name) {
      case "tool_choice" -> member; // names a tool
      case "safety_identifier" -> // an upstream receives only its hash
          member instanceof Json.Str ? member : json.setting(name, member);
      case "metadata" -> json.given(member, TextKind.SETTING);
      default -> json.setting(name, member);
    };
  }

  /** Edits a member of a speech request, except voice, format and audio, which are not text. */
  private Json spoken(String name, Json member) {
    return switch (name) {
      case "input", "instructions" -> withNames(member, "voice");
      case "input_references" -> withNames(member, "input_audio");
      case "voice", "response_format", "speed" -> member;
      default -> GATEWAY.contains(name) ? member : json.setting(name, member);
    };
  }

  /** Edits a text, or the items of an array except their member {@code keptMember}. */
  private Json withNames(Json member, String kept) {
    if (!(member instanceof Json.Arr items)) {
      return json.wire(member, TextKind.USER);
    }
    var edited = new ArrayList<Json>(items.size());
    boolean changed = false;
    for (int i = 0; i < items.size(); i++) {
      Json item = items.get(i);
      Json one = item instanceof Json.Obj object ? withName(object, kept) : item;
      changed |= one != item;
      edited.add(one);
    }
    return changed ? Json.array(edited) : member;
  }

  private Json.Obj withName(Json.Obj object, String kept) {
    Json name = object.get(kept);
    if (name == null) {
      return json.wire(object, TextKind.USER);
    }
    Json.Obj rest = object.without(kept);
    Json.Obj edited = json.wire(rest, TextKind.USER);
    return edited == rest ? object : edited.with(kept, name);
  }

  private List<Tool> tools(List<Tool> tools) {
    if (!json.edits(TextKind.TOOL_DECLARATION)) {
      return tools;
    }
    ArrayList<Tool> changed = null;
    for (int i = 0; i < tools.size(); i++) {
      Tool edited = tool(tools.get(i));
      if (edited != tools.get(i)) {
        changed = changed == null ? new ArrayList<>(tools) : changed;
        changed.set(i, edited);
      }
    }
    return changed == null ? tools : changed;
  }

  private Tool tool(Tool tool) {
    return switch (tool) {
      case Tool.Function function -> function(function);
      case Tool.Server server -> {
        Json.Obj parameters = json.declared(server.parameters(), TextKind.TOOL_DECLARATION);
        yield parameters == server.parameters()
            ? server
            : new Tool.Server(server.type(), parameters, null);
      }
      case Tool.Unknown unknown -> {
        Json source = json.declared(unknown.source(), TextKind.TOOL_DECLARATION);
        yield source == unknown.source() ? unknown : new Tool.Unknown(unknown.type(), source);
      }
    };
  }

  private Tool function(Tool.Function tool) {
    String said = tool.description();
    Json.Str words = said == null ? null : Json.of(said);
    String description = words == null ? null : json.words(words, TextKind.TOOL_DECLARATION).text();
    Json.Obj schema = tool.parameters();
    Json.Obj parameters = schema == null ? null : json.declared(schema, TextKind.TOOL_DECLARATION);
    Json.Obj extras = json.declared(tool.extras(), TextKind.TOOL_DECLARATION);
    return Objects.equals(description, said) && parameters == schema && extras == tool.extras()
        ? tool
        : new Tool.Function(tool.name(), description, parameters, extras, null);
  }

  private List<Message> messages(List<Message> messages) {
    ArrayList<Message> changed = null;
    for (int i = 0; i < messages.size(); i++) {
      Message edited = message(messages.get(i));
      if (edited != messages.get(i)) {
        changed = changed == null ? new ArrayList<>(messages) : changed;
        changed.set(i, edited);
      }
    }
    return changed == null ? messages : changed;
  }

  private Message message(Message message) {
    List<Part> parts = parts(message.parts(), kindOf(message.role()));
    Json.Obj extras = json.wire(message.extras(), TextKind.OTHER);
    return parts == message.parts() && extras == message.extras()
        ? message
        : new Message(message.role(), parts, message.content(), extras, null);
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
  private List<Part> parts(List<Part> parts, TextKind kind) {
    ArrayList<Part> changed = null;
    for (int i = 0; i < parts.size(); i++) {
      Part edited = part(parts.get(i), kind);
      if (edited != parts.get(i)) {
        changed = changed == null ? new ArrayList<>(parts) : changed;
        changed.set(i, edited);
      }
    }
    List<Part> each = changed == null ? parts : changed;
    List<Part> all = across(each, kind);
    if (all == parts && !tokensChange(parts)) {
      return parts;
    }
    return all.stream().filter(part -> !(part instanceof Part.Logprobs)).toList();
  }

  private boolean tokensChange(List<Part> parts) {
    for (Part part : parts) {
      if (part instanceof Part.Logprobs(Json.Arr content)
          && json.wire(content, TextKind.ASSISTANT) != content) {
        return true;
      }
    }
    return false;
  }

  /** Edits adjacent texts as one, to find what is split across several of them. */
  private List<Part> across(List<Part> parts, TextKind kind) {
    ArrayList<Part> changed = null;
    for (int from = 0, to; from < parts.size(); from = to) {
      to = endOfTexts(parts, from);
      List<Part> run = parts.subList(from, to);
      List<Part> edited = run.size() < 2 || !json.edits(kind) ? run : together(run, kind);
      if (edited != run && changed == null) {
        changed = new ArrayList<>(parts.subList(0, from));
      }
      if (changed != null) {
        changed.addAll(edited);
      }
    }
    return changed == null ? parts : changed;
  }

  /** Returns the index after the texts that begin here, or after one part that is not text. */
  private static int endOfTexts(List<Part> parts, int from) {
    int to = from;
    while (to < parts.size() && parts.get(to) instanceof Part.Text) {
      to++;
    }
    return Math.max(to, from + 1);
  }

  private List<Part> together(List<Part> run, TextKind kind) {
    List<String> texts =
        run.stream().map(part -> part instanceof Part.Text t ? t.text().text() : "").toList();
    List<String> edited = json.adjacent(texts, kind);
    if (edited == texts) {
      return run;
    }
    var changed = new ArrayList<Part>();
    for (int i = 0; i < edited.size(); i++) {
      if (run.get(i) instanceof Part.Text said) {
        boolean same = edited.get(i).equals(texts.get(i));
        changed.add(same ? said : new Part.Text(Json.of(edited.get(i)), said.extras(), null));
      }
    }
    return changed;
  }

  private Part part(Part part, TextKind kind) {
    return switch (part) {
      case Part.Text text -> text(text, kind);
      case Part.Image image -> image(image);
      case Part.Audio audio -> audio(audio);
      case Part.Video video -> video(video);
      case Part.File file -> file(file);
      case Part.ToolCall call -> call(call);
      case Part.ToolResult result -> result(result);
      case Part.Thinking thinking -> thinking(thinking);
      case Part.Refusal refusal -> refusal(refusal);
      case Part.Citation citation -> citation(citation);
      case Part.Logprobs logprobs -> logprobs;
      case Part.ServerToolRun run -> run(run);
      case Part.Unknown unknown -> unknown(unknown);
    };
  }

  private Part text(Part.Text part, TextKind kind) {
    Json.Str text = json.words(part.text(), kind);
    Json.Obj extras = json.wire(part.extras(), TextKind.OTHER);
    return text == part.text() && extras == part.extras()
        ? part
        : new Part.Text(text, extras, null);
  }

  private Part image(Part.Image part) {
    Media media =
        part.media() instanceof Media.Url(Json.Str url) && json.text(url, TextKind.OTHER) != url
            ? new Media.Url(json.text(url, TextKind.OTHER))
            : part.media();
    Json.Obj extras = json.wire(part.extras(), TextKind.OTHER);
    return media == part.media() && extras == part.extras()
        ? part
        : new Part.Image(media, extras, null);
  }

  private Part audio(Part.Audio part) {
    Json.Obj extras = json.wire(part.extras(), TextKind.OTHER);
    return extras == part.extras()
        ? part
        : new Part.Audio(part.data(), part.format(), extras, null);
  }

  private Part video(Part.Video part) {
    Json.Str url = json.text(part.url(), TextKind.OTHER);
    Json.Obj extras = json.wire(part.extras(), TextKind.OTHER);
    return url == part.url() && extras == part.extras() ? part : new Part.Video(url, extras, null);
  }

  private Part file(Part.File part) {
    Json.Obj file = json.wire(part.file(), TextKind.OTHER);
    Json.Obj extras = json.wire(part.extras(), TextKind.OTHER);
    return file == part.file() && extras == part.extras()
        ? part
        : new Part.File(file, extras, null);
  }

  private Part call(Part.ToolCall part) {
    Arguments arguments = json.arguments(part.arguments());
    Json.Obj extras = json.wire(part.extras(), TextKind.OTHER);
    return arguments == part.arguments() && extras == part.extras()
        ? part
        : new Part.ToolCall(part.id(), part.name(), arguments, extras, null);
  }

  /** Edits a tool result as the tool's text, whatever message contains it. */
  private Part result(Part.ToolResult part) {
    List<Part> content = parts(part.content(), TextKind.TOOL_RESULT);
    Json.Obj extras = json.wire(part.extras(), TextKind.OTHER);
    return content == part.content() && extras == part.extras()
        ? part
        : new Part.ToolResult(part.callId(), content, part.form(), part.error(), extras, null);
  }

  /** Edits reasoning; removes the signature when the text changes, since it no longer matches. */
  private Part thinking(Part.Thinking part) {
    if (part.kind() == Part.Thinking.Kind.ENCRYPTED) {
      return part;
    }
    Json.Str text = json.words(part.text(), TextKind.THINKING);
    Json.Obj extras = json.wire(part.extras(), TextKind.OTHER);
    if (text == part.text() && extras == part.extras()) {
      return part;
    }
    Json.Str signature = text == part.text() ? part.signature() : null;
    return new Part.Thinking(part.kind(), text, signature, part.format(), part.id(), extras, null);
  }

  private Part refusal(Part.Refusal part) {
    Json.Str text = json.words(part.text(), TextKind.ASSISTANT);
    return text == part.text() ? part : new Part.Refusal(text, null);
  }

  private Part citation(Part.Citation part) {
    Json.Obj body = json.wire(part.body(), TextKind.OTHER);
    return body == part.body() ? part : new Part.Citation(body, null);
  }

  private Part run(Part.ServerToolRun part) {
    Arguments arguments = json.arguments(part.arguments());
    Json result = json.given(part.result(), TextKind.TOOL_RESULT);
    return arguments == part.arguments() && result == part.result()
        ? part
        : new Part.ServerToolRun(part.callId(), part.tool(), arguments, result, null);
  }

  private Part unknown(Part.Unknown part) {
    Json source = json.wire(part.source(), TextKind.OTHER);
    return source == part.source() ? part : new Part.Unknown(part.type(), source);
  }
}
