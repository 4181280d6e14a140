package io.strowger.providers.messages;

import io.strowger.providers.translate.ConversationTurn;
import io.strowger.providers.translate.Losses;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Tool;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Places the cache breakpoints ({@code cache_control}) of a request. An upstream accepts at most
 * four. Of more than four the last ones are kept, since a later one covers what the earlier ones
 * cover. They must be put in the upstream's order: tools, system, turns. One instance per request;
 * for one thread.
 */
final class CacheMarks {
  private static final int MAX_MARKS = 4;
  private static final Json.Obj EPHEMERAL = Json.object().put("type", "ephemeral").build();

  private int excess;

  /**
   * @param isRequestMarked whether the request as a whole is marked, which counts as the last mark
   */
  CacheMarks(
      List<? extends Tool> tools,
      List<Part.Text> system,
      List<ConversationTurn> turns,
      boolean isRequestMarked,
      Losses losses) {
    int marks = isRequestMarked ? 1 : 0;
    for (Tool tool : tools) {
      marks += tool instanceof Tool.Function function ? count(function.extras()) : 0;
    }
    for (Part.Text text : system) {
      marks += count(text.extras());
    }
    for (ConversationTurn turn : turns) {
      marks += count(turn.parts());
    }
    excess = Math.max(0, marks - MAX_MARKS);
    if (excess > 0) {
      losses.dropped("cache_control", "only four marks are accepted: the first ones are left out");
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

  /** Returns the mark in this dialect's form; null when the extra members have none. */
  private static Json.@Nullable Obj mark(Json.Obj extras) {
    Json.Obj mark = extras.object("cache_control");
    if (mark != null) {
      return mark;
    }
    return extras.object("prompt_cache_breakpoint") == null ? null : EPHEMERAL;
  }

  static boolean isMarked(Json.Obj extras) {
    return mark(extras) != null;
  }

  /**
   * Marks the block if its part is marked, unless the mark is one of the first ones, which are left
   * out when there are more than four.
   */
  Json.Obj.Builder put(Json.Obj extras, Json.Obj.Builder block) {
    Json.Obj mark = mark(extras);
    if (mark == null) {
      return block;
    }
    if (excess > 0) {
      excess--;
      return block;
    }
    return block.put("cache_control", mark);
  }
}
