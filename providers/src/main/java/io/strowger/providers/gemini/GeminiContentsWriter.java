package io.strowger.providers.gemini;

import io.strowger.providers.translate.ConversationTurn;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the turns of a conversation as {@code contents}: they alternate and begin with the user.
 * All results of one turn's calls are written in one turn, followed by the media of the results.
 * Translation fact sheet, sections 1 and 4, cases 3 and 7.
 */
final class GeminiContentsWriter {
  private static final String OPENING_USER_TEXT = "Begin.";

  private final GeminiWriteContext context;
  private final MediaPartWriter media;
  private final ToolPartWriter tools;
  private final Signatures signatures;
  private final List<ConversationTurn> turns;

  /** A signature to be written with the next text. */
  private Json.@Nullable Str pendingSignature;

  GeminiContentsWriter(
      GeminiWriteContext context, MediaPartWriter media, List<ConversationTurn> turns) {
    this.context = context;
    this.media = media;
    this.turns = turns;
    this.tools = new ToolPartWriter(context, media);
    this.signatures = Signatures.of(turns, context);
  }

  /** Returns one turn. */
  static Json content(Message.Role role, List<Json> parts) {
    return Json.object()
        .put("role", role == Message.Role.ASSISTANT ? "model" : "user")
        .put("parts", Json.array(parts))
        .build();
  }

  Json toJson() {
    var contents = new ArrayList<Json>();
    if (turns.getFirst().role() == Message.Role.ASSISTANT) {
      context.losses().changed("messages", "the assistant spoke first: a user turn was added");
      contents.add(content(Message.Role.USER, List.of(text(Json.of(OPENING_USER_TEXT)).build())));
    }
    for (ConversationTurn turn : turns) {
      List<Json> parts =
          turn.role() == Message.Role.ASSISTANT
              ? modelParts(turn.parts())
              : userParts(turn.parts());
      contents.add(content(turn.role(), parts));
    }
    return Json.array(contents);
  }

  private List<Json> userParts(List<Part> parts) {
    var written = new ArrayList<Json>();
    var resultMedia = new ArrayList<Json>();
    for (Part part : parts) {
      if (part instanceof Part.ToolResult result) {
        written.add(tools.result(result, resultMedia));
      }
    }
    written.addAll(resultMedia);
    for (Part part : parts) {
      if (!(part instanceof Part.ToolResult)) {
        addContentPart(part, written);
      }
    }
    return orPlaceholder(written);
  }

  private List<Json> modelParts(List<Part> parts) {
    var written = new ArrayList<Json>();
    boolean isFirstCall = true;
    for (Part part : parts) {
      if (part instanceof Part.Thinking thinking) {
        addThinking(thinking, written);
      } else if (part instanceof Part.ToolCall call) {
        writePendingSignature(written);
        written.add(tools.call(call, signatures.of(call, isFirstCall)));
        isFirstCall = false;
      } else {
        addContentPart(part, written);
      }
    }
    writePendingSignature(written);
    return orPlaceholder(written);
  }

  /** Keeps a turn whose parts were all dropped, since roles must alternate. */
  private static List<Json> orPlaceholder(List<Json> parts) {
    return parts.isEmpty() ? List.of(text(Json.of("(nothing)")).build()) : parts;
  }

  private void addContentPart(Part part, List<Json> into) {
    Json written = contentPart(part);
    if (written != null) {
      into.add(written);
    }
  }

  private @Nullable Json contentPart(Part part) {
    return switch (part) {
      case Part.Text contentPart -> {
        context.dropCacheMarks(contentPart.extras());
        Json.Obj.Builder text = text(contentPart.text());
        if (pendingSignature != null) {
          text.put("thoughtSignature", pendingSignature);
          pendingSignature = null;
        }
        yield text.build();
      }
      case Part.Image image -> media.image(image);
      case Part.Audio audio -> media.audio(audio);
      case Part.Video video -> media.video(video);
      case Part.File file -> media.file(file);
      case Part.ToolCall p -> throw misplaced(p);
      case Part.ToolResult p -> throw misplaced(p);
      case Part.Thinking p -> throw misplaced(p);
      case Part.Refusal p -> throw misplaced(p);
      case Part.Citation p -> throw misplaced(p);
      case Part.Logprobs p -> throw misplaced(p);
      case Part.ServerToolRun p -> throw misplaced(p);
      case Part.Unknown p -> throw misplaced(p);
    };
  }

  /** Returns the error for a misplaced part. */
  private static IllegalStateException misplaced(Part part) {
    return new IllegalStateException("unexpected part in a turn: " + part.getClass());
  }

  /** Writes reasoning. A signature is written with the part it belongs to, which may follow. */
  private void addThinking(Part.Thinking thinking, List<Json> into) {
    Json.Str signature = thinking.signature();
    switch (thinking.kind()) {
      case SUMMARY -> context.losses().dropped("reasoning", "a summary cannot be sent");
      case TEXT -> {
        Json.Obj.Builder thought = text(thinking.text()).put("thought", true);
        if (signature != null) {
          thought.put("thoughtSignature", signature);
        }
        into.add(thought.build());
      }
      case ENCRYPTED -> {
        if (thinking.id() == null) {
          writePendingSignature(into);
          pendingSignature = thinking.text();
        } // a signature with an id is written with its call
      }
    }
  }

  /** Writes a pending signature, if any, with an empty text. */
  private void writePendingSignature(List<Json> into) {
    if (pendingSignature != null) {
      into.add(text(Json.of("")).put("thoughtSignature", pendingSignature).build());
      pendingSignature = null;
    }
  }

  private static Json.Obj.Builder text(Json.Str text) {
    return Json.object().put("text", text);
  }
}
