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
 * <p>Nothing else is checked: misplaced members are left to the decoder of the path that the
 * request is for. Arguments of tool calls are never inspected, whatever they contain.
 */
final class BatchMedia {
  /** Checks a message or an item. */
  static final Rule<Json> MESSAGE_OR_ITEM = BatchMedia::checkMessageOrItem;

  /** Checks the content of a message. */
  static final Rule<Json> CONTENT = BatchMedia::checkContent;

  private static final String NO_AUDIO = "must not be audio, in a batch";
  private static final String NO_VIDEO = "must not be video, in a batch";
  private static final String ONLY_URL = "must be a URL in a batch, not the data itself";

  /** Rejects a data URL. */
  private static final Rule<Json> URL =
      (json, context) -> {
        if (json instanceof Json.Str url && url.startsWithIgnoreCase("data:")) {
          context.reject(ONLY_URL, json);
        }
        return json;
      };

  private static final Rule<Json> REJECT_DATA = rejecting(ONLY_URL);

  /** Checks {@code {"url":...}}, or a URL given as a string. */
  private static final Rule<Json> IMAGE_URL =
      lenient(MemberTable.<Json.Obj>table().optional("url", URL).build(), URL);

  private static final Rule<Json> CHAT_FILE =
      lenient(MemberTable.<Json.Obj>table().optional("file_data", URL).build(), null);

  /** Checks the source of an image or a document of the messages dialect. */
  private static final Rule<Json> SOURCE =
      lenient(
          MemberTable.<Json.Obj>table()
              .optional("type", BatchMedia::checkSourceType)
              .optional("url", URL)
              .optional("content", BatchMedia::checkContent)
              .build(),
          null);

  private static final MemberTable<Json.Obj> PART_MEMBERS =
      MemberTable.<Json.Obj>table()
          .optional("image_url", IMAGE_URL)
          .optional("file", CHAT_FILE)
          .optional("file_data", REJECT_DATA)
          .optional("source", SOURCE)
          .optional("content", BatchMedia::checkContent)
          .build();

  private static final MemberTable<Json.Obj> MESSAGE_MEMBERS =
      MemberTable.<Json.Obj>table()
          .optional("content", CONTENT)
          .optional("output", CONTENT)
          .optional("images", CONTENT)
          .optional(
              "audio",
              lenient(
                  MemberTable.<Json.Obj>table().optional("data", rejecting(NO_AUDIO)).build(),
                  null))
          .build();

  private BatchMedia() {}

  private static Rule<Json> rejecting(String allowed) {
    return (json, context) -> {
      context.reject(allowed, json);
      return json;
    };
  }

  /**
   * Returns a rule that reads objects by a table, and other values by another rule, if there is
   * one.
   */
  private static Rule<Json> lenient(MemberTable<Json.Obj> members, @Nullable Rule<Json> fallback) {
    return (json, context) -> {
      if (json instanceof Json.Obj object) {
        members.read(object, context, object);
      } else if (fallback != null) {
        fallback.read(json, context);
      }
      return json;
    };
  }

  private static Json checkMessageOrItem(Json json, DecodingContext context) {
    if (json instanceof Json.Obj message) {
      MESSAGE_MEMBERS.read(message, context, message);
    }
    return json;
  }

  private static Json checkContent(Json json, DecodingContext context) {
    if (json instanceof Json.Arr parts) {
      for (int i = 0; i < parts.size(); i++) {
        context.enter(i);
        checkPart(parts.get(i), context);
        context.leave();
      }
    } else {
      checkPart(json, context);
    }
    return json;
  }

  private static void checkPart(Json json, DecodingContext context) {
    if (!(json instanceof Json.Obj part)) {
      return;
    }
    Json.Str type = part.get("type") instanceof Json.Str name ? name : Json.of("");
    switch (type.text()) {
      case "input_audio" -> context.reject("type", NO_AUDIO, type);
      case "video_url", "input_video" -> context.reject("type", NO_VIDEO, type);
      default -> PART_MEMBERS.read(part, context, part);
    }
  }

  private static Json checkSourceType(Json json, DecodingContext context) {
    if (json instanceof Json.Str type && type.is("base64")) {
      context.reject(ONLY_URL, json);
    }
    return json;
  }
}
