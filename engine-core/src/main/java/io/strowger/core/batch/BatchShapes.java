package io.strowger.core.batch;

import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.string;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.Rule;
import io.strowger.core.dialect.unary.InputForms;
import io.strowger.spi.json.Json;
import java.util.List;

/**
 * Checks whether the bodies of a batch suit the path they are for: required members are present and
 * of the right type, and nothing is requested that batches do not support. Open question 20;
 * resources fact sheet, 6; embeddings fact sheet, "In batches".
 *
 * <p>The check is quick, because it runs before the batch is accepted: it looks only for media,
 * streams and searches, and leaves all other rules, also about misplaced members, to the decoder of
 * that path. Arguments of tool calls are never inspected, whatever they contain.
 */
public final class BatchShapes {
  private static final String NO_AUDIO = "must not be audio, in a batch";
  private static final String NO_VIDEO = "must not be video, in a batch";
  private static final String ONLY_URL = "must be a URL in a batch, not the data itself";
  private static final List<String> GATEWAY_ENGINES =
      List.of("exa", "firecrawl", "parallel", "perplexity");

  /** Rejects a data URL. */
  private static final Rule<Json> URL =
      (json, context) -> {
        if (json instanceof Json.Str url && url.startsWithIgnoreCase("data:")) {
          context.reject(ONLY_URL, json);
        }
        return json;
      };

  /** Checks {@code {"url":...}}, or a URL given as a string. */
  private static final Rule<Json> IMAGE_URL =
      objectOr(URL, MemberTable.<Json.Obj>table().optional("url", URL).build());

  private static final Rule<Json> CHAT_FILE =
      object(MemberTable.<Json.Obj>table().optional("file_data", URL).build());

  /** Checks the source of an image or a document of the messages dialect. */
  private static final Rule<Json> SOURCE =
      object(
          MemberTable.<Json.Obj>table()
              .optional("type", BatchShapes::checkSourceType)
              .optional("url", URL)
              .optional("content", BatchShapes::checkContent)
              .build());

  private static final MemberTable<Json.Obj> PART_MEMBERS =
      MemberTable.<Json.Obj>table()
          .optional("image_url", IMAGE_URL)
          .optional("file", CHAT_FILE)
          .optional("file_data", rejecting(ONLY_URL))
          .optional("source", SOURCE)
          .optional("content", BatchShapes::checkContent)
          .build();

  /** Rejects audio, video, and images and files given as data instead of a URL. */
  private static final Rule<Json> MESSAGE_OR_ITEM =
      object(
          MemberTable.<Json.Obj>table()
              .optional("content", BatchShapes::checkContent)
              .optional("output", BatchShapes::checkContent)
              .optional("images", BatchShapes::checkContent)
              .optional(
                  "audio",
                  object(
                      MemberTable.<Json.Obj>table().optional("data", rejecting(NO_AUDIO)).build()))
              .build());

  /**
   * Rejects searches that the gateway would have to run. A provider's own searches are passed on
   * with the request. When a request names no engine and its provider has no search of its own, the
   * request ends in an error. Plugins fact sheet, {@code engine}.
   */
  private static final Rule<Json> SEARCH =
      object(MemberTable.<Json.Obj>table().optional("engine", BatchShapes::checkEngine).build());

  private static final Rule<Json> SEARCH_TOOLS =
      enabledItems(
          "type",
          "router:web_search",
          object(MemberTable.<Json.Obj>table().optional("parameters", SEARCH).build()));

  private static final Rule<Json> SEARCH_PLUGINS = enabledItems("id", "web", SEARCH);

  private static final Rule<Json> MESSAGES = items(MESSAGE_OR_ITEM, 1, Integer.MAX_VALUE).asJson();

  private static final MemberTable<Json.Obj> CHAT =
      MemberTable.<Json.Obj>table()
          .required("messages", MESSAGES)
          .optional("tools", SEARCH_TOOLS)
          .optional("plugins", SEARCH_PLUGINS)
          .optional("stream", BatchShapes::rejectStreaming)
          .build();

  private static final MemberTable<Json.Obj> MESSAGES_BODY =
      MemberTable.<Json.Obj>table()
          .required("messages", MESSAGES)
          .optional("system", BatchShapes::checkContent)
          .optional("tools", SEARCH_TOOLS)
          .optional("plugins", SEARCH_PLUGINS)
          .optional("stream", BatchShapes::rejectStreaming)
          .build();

  private static final MemberTable<Json.Obj> RESPONSES =
      MemberTable.<Json.Obj>table()
          .required(
              "input",
              ByJsonType.<Json>of("must be a string or an array of items")
                  .string(string())
                  .array(items(MESSAGE_OR_ITEM)))
          .optional("tools", SEARCH_TOOLS)
          .optional("plugins", SEARCH_PLUGINS)
          .optional("stream", BatchShapes::rejectStreaming)
          .build();

  private static final Rule<Json> UNSUPPORTED =
      rejecting("must be absent: batches do not support it");

  private static final MemberTable<Json.Obj> EMBEDDINGS =
      MemberTable.<Json.Obj>table()
          .required("input", InputForms.BATCH_RULE)
          .optional("input_type", UNSUPPORTED)
          .optional("provider", UNSUPPORTED)
          .optional("stream", BatchShapes::rejectStreaming)
          .build();

  private BatchShapes() {}

  /**
   * Checks the body of one request.
   *
   * @param index its position in the batch, from 0
   * @param problems receives the errors, at {@code /requests/index/body/...}
   */
  public static void check(BatchEndpoint endpoint, int index, Json.Obj body, Problems problems) {
    MemberTable<Json.Obj> shape =
        switch (endpoint) {
          case CHAT -> CHAT;
          case RESPONSES -> RESPONSES;
          case MESSAGES -> MESSAGES_BODY;
          case EMBEDDINGS -> EMBEDDINGS;
        };
    var context = new DecodingContext(problems);
    context.enter("requests");
    context.enter(index);
    context.enter("body");
    shape.read(body, context, body);
  }

  private static Json rejectStreaming(Json json, DecodingContext context) {
    if (json.equals(Json.TRUE)) {
      context.reject("must be false or absent: a batch is not streamed", json);
    }
    return json;
  }

  private static Rule<Json> rejecting(String allowed) {
    return (json, context) -> {
      context.reject(allowed, json);
      return json;
    };
  }

  /** Returns a rule that reads objects by a table, and leaves other values to the decoder. */
  private static Rule<Json> object(MemberTable<Json.Obj> members) {
    return objectOr((json, context) -> json, members);
  }

  private static Rule<Json> objectOr(Rule<Json> otherwise, MemberTable<Json.Obj> members) {
    return (json, context) -> {
      if (json instanceof Json.Obj object) {
        members.read(object, context, object);
        return json;
      }
      return otherwise.read(json, context);
    };
  }

  /**
   * Returns a rule that reads those items of an array that are enabled and whose member has this
   * value.
   */
  private static Rule<Json> enabledItems(String member, String value, Rule<Json> rule) {
    return (json, context) -> {
      List<Json> items = json instanceof Json.Arr array ? array : List.of();
      for (int i = 0; i < items.size(); i++) {
        if (items.get(i) instanceof Json.Obj item
            && value.equals(item.text(member))
            && !Json.FALSE.equals(item.get("enabled"))) {
          context.enter(i);
          rule.read(item, context);
          context.leave();
        }
      }
      return json;
    };
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

  private static Json checkEngine(Json json, DecodingContext context) {
    if (json instanceof Json.Str engine && GATEWAY_ENGINES.stream().anyMatch(engine::is)) {
      context.reject("must be native or absent: the gateway runs no search in a batch", json);
    }
    return json;
  }
}
