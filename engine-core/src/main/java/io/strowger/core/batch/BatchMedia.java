package io.strowger.core.batch;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * Rejects media that a batch does not accept, anywhere in chat, messages and responses bodies:
 * audio, video, and images and files given as data instead of a URL. Resources fact sheet, 6.
 *
 * <p>Nothing else is checked: misplaced members are left to the endpoint's own decoder. Arguments
 * of tool calls are never inspected, whatever they contain.
 */
final class BatchMedia {
  /** Checks a message or an item. */
  static final Rule<Json> HOLDER = BatchMedia::holder;

  /** Checks the content of a message. */
  static final Rule<Json> CONTENT = BatchMedia::content;

  private static final String NO_AUDIO = "must not be audio, in a batch";
  private static final String NO_VIDEO = "must not be video, in a batch";
  private static final String ADDRESS = "must be an address, in a batch, and not the data itself";

  /** Rejects a data URL. */
  private static final Rule<Json> URL =
      (given, context) -> {
        if (given instanceof Json.Str url && url.startsWith("data:")) {
          context.reject(ADDRESS, given);
        }
        return given;
      };

  private static final Rule<Json> INLINE = refused(ADDRESS);

  /** Checks {@code {"url":...}}, or a URL given as a string. */
  private static final Rule<Json> PICTURE =
      lenient(MemberTable.<Json.Obj>table().optional("url", URL).build(), URL);

  private static final Rule<Json> CHAT_FILE =
      lenient(MemberTable.<Json.Obj>table().optional("file_data", URL).build(), null);

  /** Checks the source of an image or a document of the messages dialect. */
  private static final Rule<Json> SOURCE =
      lenient(
          MemberTable.<Json.Obj>table()
              .optional("type", BatchMedia::sourceType)
              .optional("url", URL)
              .optional("content", BatchMedia::content)
              .build(),
          null);

  private static final MemberTable<Json.Obj> ANY_PART =
      MemberTable.<Json.Obj>table()
          .optional("image_url", PICTURE)
          .optional("file", CHAT_FILE)
          .optional("file_data", INLINE)
          .optional("source", SOURCE)
          .optional("content", BatchMedia::content)
          .build();

  private static final MemberTable<Json.Obj> ANY_HOLDER =
      MemberTable.<Json.Obj>table()
          .optional("content", CONTENT)
          .optional("output", CONTENT)
          .optional("images", CONTENT)
          .optional(
              "audio",
              lenient(
                  MemberTable.<Json.Obj>table().optional("data", refused(NO_AUDIO)).build(), null))
          .build();

  private BatchMedia() {}

  private static Rule<Json> refused(String allowed) {
    return (given, context) -> {
      context.reject(allowed, given);
      return given;
    };
  }

  /**
   * Returns a rule that reads objects by a table, and other values by another rule, if there is
   * one.
   */
  private static Rule<Json> lenient(MemberTable<Json.Obj> members, @Nullable Rule<Json> other) {
    return (given, context) -> {
      if (given instanceof Json.Obj object) {
        members.read(object, context, object);
      } else if (other != null) {
        other.read(given, context);
      }
      return given;
    };
  }

  private static Json holder(Json given, DecodingContext context) {
    if (given instanceof Json.Obj message) {
      ANY_HOLDER.read(message, context, message);
    }
    return given;
  }

  private static Json content(Json given, DecodingContext context) {
    if (given instanceof Json.Arr parts) {
      for (int i = 0; i < parts.size(); i++) {
        context.enter(i);
        part(parts.get(i), context);
        context.leave();
      }
    } else {
      part(given, context);
    }
    return given;
  }

  private static void part(Json given, DecodingContext context) {
    if (!(given instanceof Json.Obj part)) {
      return;
    }
    Json.Str type = part.get("type") instanceof Json.Str name ? name : Json.of("");
    switch (type.text()) {
      case "input_audio" -> context.reject("type", NO_AUDIO, type);
      case "video_url", "input_video" -> context.reject("type", NO_VIDEO, type);
      default -> ANY_PART.read(part, context, part);
    }
  }

  private static Json sourceType(Json given, DecodingContext context) {
    if (given instanceof Json.Str type && type.is("base64")) {
      context.reject(ADDRESS, given);
    }
    return given;
  }
}
