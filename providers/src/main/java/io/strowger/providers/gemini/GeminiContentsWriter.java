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
 * All results of one turn's calls stand together in one, and the pictures among them behind them.
 * Translation fact sheet, sections 1 and 4, cases 3 and 7.
 */
final class GeminiContentsWriter {
  private static final String BEGINNING = "Begin.";

  private final GeminiWriteContext geminiWriteContext;
  private final MediaParts media;
  private final ToolParts tools;
  private final Signatures signatures;
  private final List<ConversationTurn> turns;

  /** A signature that waits for the text it came with. */
  private Json.@Nullable Str unplaced;

  GeminiContentsWriter(
      GeminiWriteContext geminiWriteContext, MediaParts media, List<ConversationTurn> turns) {
    this.geminiWriteContext = geminiWriteContext;
    this.media = media;
    this.turns = turns;
    this.tools = new ToolParts(geminiWriteContext, media);
    this.signatures = Signatures.of(turns, geminiWriteContext);
  }

  /** One turn. */
  static Json content(Message.Role role, List<Json> parts) {
    return Json.object()
        .put("role", role == Message.Role.ASSISTANT ? "model" : "user")
        .put("parts", Json.array(parts))
        .build();
  }

  Json json() {
    var contents = new ArrayList<Json>();
    if (turns.getFirst().role() == Message.Role.ASSISTANT) {
      geminiWriteContext
          .losses()
          .changed("messages", "the model spoke first: a word of the user was added");
      contents.add(content(Message.Role.USER, List.of(text(Json.of(BEGINNING)).build())));
    }
    for (ConversationTurn turn : turns) {
      List<Json> parts =
          turn.role() == Message.Role.ASSISTANT ? model(turn.parts()) : user(turn.parts());
      contents.add(content(turn.role(), parts));
    }
    return Json.array(contents);
  }

  private List<Json> user(List<Part> parts) {
    var written = new ArrayList<Json>();
    var beside = new ArrayList<Json>();
    for (Part part : parts) {
      if (part instanceof Part.ToolResult result) {
        written.add(tools.result(result, beside));
      }
    }
    written.addAll(beside);
    for (Part part : parts) {
      if (!(part instanceof Part.ToolResult)) {
        addSaid(part, written);
      }
    }
    return orNothing(written);
  }

  private List<Json> model(List<Part> parts) {
    var written = new ArrayList<Json>();
    boolean firstCall = true;
    for (Part part : parts) {
      if (part instanceof Part.Thinking thinking) {
        thinking(thinking, written);
      } else if (part instanceof Part.ToolCall call) {
        place(written);
        written.add(tools.call(call, signatures.of(call, firstCall)));
        firstCall = false;
      } else {
        addSaid(part, written);
      }
    }
    place(written);
    return orNothing(written);
  }

  /** A turn all of whose parts were dropped keeps its place, or its neighbours would meet. */
  private static List<Json> orNothing(List<Json> parts) {
    return parts.isEmpty() ? List.of(text(Json.of("(nothing)")).build()) : parts;
  }

  private void addSaid(Part part, List<Json> into) {
    Json written = said(part);
    if (written != null) {
      into.add(written);
    }
  }

  private @Nullable Json said(Part part) {
    return switch (part) {
      case Part.Text said -> {
        geminiWriteContext.noCacheMark(said.extras());
        Json.Obj.Builder text = text(said.text());
        if (unplaced != null) {
          text.put("thoughtSignature", unplaced);
          unplaced = null;
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

  /** A conversation has none of these there. */
  private static IllegalStateException misplaced(Part part) {
    return new IllegalStateException("not in a turn of this kind: " + part.getClass());
  }

  /** Only what is signed was kept; a signature goes with the part it came with. */
  private void thinking(Part.Thinking thinking, List<Json> into) {
    Json.Str signature = thinking.signature();
    switch (thinking.kind()) {
      case SUMMARY ->
          geminiWriteContext.losses().dropped("reasoning", "a summary is not taken back");
      case TEXT -> {
        Json.Obj.Builder thought = text(thinking.text()).put("thought", true);
        if (signature != null) {
          thought.put("thoughtSignature", signature);
        }
        into.add(thought.build());
      }
      case ENCRYPTED -> {
        if (thinking.id() == null) {
          place(into);
          unplaced = thinking.text();
        } // one with an id goes with its call
      }
    }
  }

  /** A signature that came alone, behind all text, goes back alone. */
  private void place(List<Json> into) {
    if (unplaced != null) {
      into.add(text(Json.of("")).put("thoughtSignature", unplaced).build());
      unplaced = null;
    }
  }

  private static Json.Obj.Builder text(Json.Str text) {
    return Json.object().put("text", text);
  }
}
