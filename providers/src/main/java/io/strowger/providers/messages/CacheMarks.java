package io.strowger.providers.messages;

import io.strowger.providers.translate.ConversationTurn;
import io.strowger.providers.translate.Losses;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Tool;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the upstream is to remember what came so far. It takes four marks; of more, the last ones
 * stay, since a later one covers what the earlier did. Put in the order of the upstream's reading:
 * tools, system, turns. For one request; one thread.
 */
final class CacheMarks {
  private static final int MOST = 4;
  private static final Json.Obj PLAIN = Json.object().put("type", "ephemeral").build();

  private int tooMany;

  /**
   * @param onRequest the request as a whole is marked, which counts and comes last
   */
  CacheMarks(
      List<? extends Tool> tools,
      List<Part.Text> system,
      List<ConversationTurn> turns,
      boolean onRequest,
      Losses losses) {
    int marks = onRequest ? 1 : 0;
    for (Tool tool : tools) {
      marks += tool instanceof Tool.Function function ? count(function.extras()) : 0;
    }
    for (Part.Text text : system) {
      marks += count(text.extras());
    }
    for (ConversationTurn turn : turns) {
      marks += count(turn.parts());
    }
    tooMany = Math.max(0, marks - MOST);
    if (tooMany > 0) {
      losses.dropped("cache_control", "four marks are taken: the first ones are left out");
    }
  }

  private static int count(List<Part> parts) {
    int marks = 0;
    for (Part part : parts) {
      marks += count(extras(part));
      if (part instanceof Part.ToolResult result) {
        marks += count(result.content());
      }
    }
    return marks;
  }

  private static int count(Json.Obj extras) {
    return mark(extras) == null ? 0 : 1;
  }

  private static Json.Obj extras(Part part) {
    return switch (part) {
      case Part.Text p -> p.extras();
      case Part.Image p -> p.extras();
      case Part.File p -> p.extras();
      case Part.ToolCall p -> p.extras();
      case Part.ToolResult p -> p.extras();
      case Part.Thinking p -> Json.Obj.EMPTY; // cannot be marked
      case Part.Audio p -> Json.Obj.EMPTY;
      case Part.Video p -> Json.Obj.EMPTY;
      case Part.Refusal p -> Json.Obj.EMPTY;
      case Part.Citation p -> Json.Obj.EMPTY;
      case Part.Logprobs p -> Json.Obj.EMPTY;
      case Part.ServerToolRun p -> Json.Obj.EMPTY;
      case Part.Unknown p -> Json.Obj.EMPTY;
    };
  }

  /** The mark among members nobody models, in this dialect's form. */
  private static Json.@Nullable Obj mark(Json.Obj extras) {
    Json.Obj mark = extras.object("cache_control");
    if (mark != null) {
      return mark;
    }
    return extras.object("prompt_cache_breakpoint") == null ? null : PLAIN;
  }

  static boolean marked(Json.Obj extras) {
    return mark(extras) != null;
  }

  /** Marks the block when its part was marked and there is room. */
  Json.Obj.Builder put(Json.Obj extras, Json.Obj.Builder block) {
    Json.Obj mark = mark(extras);
    if (mark == null) {
      return block;
    }
    if (tooMany > 0) {
      tooMany--;
      return block;
    }
    return block.put("cache_control", mark);
  }
}
