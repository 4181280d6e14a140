package io.strowger.core.guardrail;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.List;

/** Looks through one request, part by part. What is changed loses its source, all else keeps it. */
final class RequestFilter {
  /**
   * Members beside the conversation that hold words of the caller, in the dialects that have them.
   */
  private static final List<String> MEMBERS = List.of("prediction", "prompt", "suffix");

  private final JsonFilter json;

  RequestFilter(JsonFilter json) {
    this.json = json;
  }

  /** The very same request when nothing has to go. */
  InferenceRequest filtered(InferenceRequest request) {
    InferenceRequest.Builder changed = null;
    Message instructions = request.instructions();
    if (instructions != null) {
      Message filtered = message(instructions);
      if (filtered != instructions) {
        changed = request.toBuilder().instructions(filtered);
      }
    }
    List<Message> messages = messages(request.messages());
    if (messages != request.messages()) {
      changed = (changed == null ? request.toBuilder() : changed).messages(messages);
    }
    for (String name : MEMBERS) {
      Json member = request.member(name);
      Json filtered = member == null ? null : json.wire(member);
      if (filtered != member) {
        changed = (changed == null ? request.toBuilder() : changed).member(name, filtered);
      }
    }
    return changed == null ? request : changed.build();
  }

  private List<Message> messages(List<Message> messages) {
    ArrayList<Message> changed = null;
    for (int i = 0; i < messages.size(); i++) {
      Message filtered = message(messages.get(i));
      if (filtered != messages.get(i)) {
        changed = changed == null ? new ArrayList<>(messages) : changed;
        changed.set(i, filtered);
      }
    }
    return changed == null ? messages : changed;
  }

  private Message message(Message message) {
    boolean user = message.role() == Message.Role.USER;
    List<Part> parts = parts(message.parts(), user);
    Json.Obj extras = json.wire(message.extras());
    return parts == message.parts() && extras == message.extras()
        ? message
        : new Message(message.role(), parts, message.content(), extras, null);
  }

  /** How likely the tokens of a text were goes with the text. */
  private List<Part> parts(List<Part> parts, boolean user) {
    ArrayList<Part> changed = null;
    for (int i = 0; i < parts.size(); i++) {
      Part filtered = part(parts.get(i), user);
      if (filtered != parts.get(i)) {
        changed = changed == null ? new ArrayList<>(parts) : changed;
        changed.set(i, filtered);
      }
    }
    List<Part> each = changed == null ? parts : changed;
    List<Part> all = across(each, user);
    if (all == parts) {
      return parts;
    }
    return all.stream().filter(part -> !(part instanceof Part.Logprobs)).toList();
  }

  /** What is split over texts that stand next to each other is read as one. */
  private List<Part> across(List<Part> parts, boolean user) {
    ArrayList<Part> changed = null;
    for (int from = 0, to; from < parts.size(); from = to) {
      to = endOfTexts(parts, from);
      List<Part> run = parts.subList(from, to);
      List<Part> filtered = run.size() < 2 ? run : together(run, user);
      if (filtered != run && changed == null) {
        changed = new ArrayList<>(parts.subList(0, from));
      }
      if (changed != null) {
        changed.addAll(filtered);
      }
    }
    return changed == null ? parts : changed;
  }

  /** Behind the texts that begin here, or behind the one part that is no text. */
  private static int endOfTexts(List<Part> parts, int from) {
    int to = from;
    while (to < parts.size() && parts.get(to) instanceof Part.Text) {
      to++;
    }
    return Math.max(to, from + 1);
  }

  private List<Part> together(List<Part> run, boolean user) {
    List<String> texts =
        run.stream().map(part -> part instanceof Part.Text t ? t.text().text() : "").toList();
    List<String> filtered = json.texts(texts, user);
    if (filtered == texts) {
      return run;
    }
    var changed = new ArrayList<Part>();
    for (int i = 0; i < filtered.size(); i++) {
      if (run.get(i) instanceof Part.Text said) {
        boolean same = filtered.get(i).equals(texts.get(i));
        changed.add(same ? said : new Part.Text(Json.of(filtered.get(i)), said.extras(), null));
      }
    }
    return changed;
  }

  private Part part(Part part, boolean user) {
    return switch (part) {
      case Part.Text text -> text(text, user);
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

  private Part text(Part.Text part, boolean user) {
    Json.Str text = json.words(part.text(), user);
    Json.Obj extras = json.wire(part.extras());
    return text == part.text() && extras == part.extras()
        ? part
        : new Part.Text(text, extras, null);
  }

  private Part image(Part.Image part) {
    Media media =
        part.media() instanceof Media.Url(Json.Str url) && json.text(url, false) != url
            ? new Media.Url(json.text(url, false))
            : part.media();
    Json.Obj extras = json.wire(part.extras());
    return media == part.media() && extras == part.extras()
        ? part
        : new Part.Image(media, extras, null);
  }

  private Part audio(Part.Audio part) {
    Json.Obj extras = json.wire(part.extras());
    return extras == part.extras()
        ? part
        : new Part.Audio(part.data(), part.format(), extras, null);
  }

  private Part video(Part.Video part) {
    Json.Str url = json.text(part.url(), false);
    Json.Obj extras = json.wire(part.extras());
    return url == part.url() && extras == part.extras() ? part : new Part.Video(url, extras, null);
  }

  private Part file(Part.File part) {
    Json.Obj file = json.wire(part.file());
    Json.Obj extras = json.wire(part.extras());
    return file == part.file() && extras == part.extras()
        ? part
        : new Part.File(file, extras, null);
  }

  private Part call(Part.ToolCall part) {
    Arguments arguments = arguments(part.arguments());
    Json.Obj extras = json.wire(part.extras());
    return arguments == part.arguments() && extras == part.extras()
        ? part
        : new Part.ToolCall(part.id(), part.name(), arguments, extras, null);
  }

  private Arguments arguments(Arguments arguments) {
    return switch (arguments) {
      case Arguments.Text(Json.Str written) -> {
        Json.Str changed = json.json(written);
        yield changed == written ? arguments : new Arguments.Text(changed);
      }
      case Arguments.Value(Json value) -> {
        Json changed = json.value(value);
        yield changed == value ? arguments : new Arguments.Value(changed);
      }
    };
  }

  /** A tool said it, whoever's message it stands in. */
  private Part result(Part.ToolResult part) {
    List<Part> content = parts(part.content(), false);
    Json.Obj extras = json.wire(part.extras());
    return content == part.content() && extras == part.extras()
        ? part
        : new Part.ToolResult(part.callId(), content, part.form(), part.error(), extras, null);
  }

  /** A signature is of the words as they were. */
  private Part thinking(Part.Thinking part) {
    if (part.kind() == Part.Thinking.Kind.ENCRYPTED) {
      return part;
    }
    Json.Str text = json.words(part.text(), false);
    Json.Obj extras = json.wire(part.extras());
    if (text == part.text() && extras == part.extras()) {
      return part;
    }
    Json.Str signature = text == part.text() ? part.signature() : null;
    return new Part.Thinking(part.kind(), text, signature, part.format(), part.id(), extras, null);
  }

  private Part refusal(Part.Refusal part) {
    Json.Str text = json.words(part.text(), false);
    return text == part.text() ? part : new Part.Refusal(text, null);
  }

  private Part citation(Part.Citation part) {
    Json.Obj body = json.wire(part.body());
    return body == part.body() ? part : new Part.Citation(body, null);
  }

  private Part run(Part.ServerToolRun part) {
    Arguments arguments = arguments(part.arguments());
    Json result = json.given(part.result());
    return arguments == part.arguments() && result == part.result()
        ? part
        : new Part.ServerToolRun(part.callId(), part.tool(), arguments, result, null);
  }

  private Part unknown(Part.Unknown part) {
    Json source = json.wire(part.source());
    return source == part.source() ? part : new Part.Unknown(part.type(), source);
  }
}
