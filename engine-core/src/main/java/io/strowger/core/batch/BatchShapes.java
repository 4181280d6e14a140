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

/**
 * Checks whether the bodies of a batch suit the path they are for: required members are present and
 * of the right type, and nothing is requested that batches do not support. Open question 20;
 * resources fact sheet, 6; embeddings fact sheet, "In batches".
 *
 * <p>The check is quick, because it runs before the batch is accepted: it looks only for media,
 * streams and searches, and leaves all other rules to the decoder of that path.
 */
public final class BatchShapes {
  private static final Rule<Json> MESSAGES =
      items(BatchMedia.MESSAGE_OR_ITEM, 1, Integer.MAX_VALUE).asJson();

  private static final MemberTable<Json.Obj> CHAT =
      MemberTable.<Json.Obj>table()
          .required("messages", MESSAGES)
          .optional("tools", BatchSearches.TOOLS)
          .optional("plugins", BatchSearches.PLUGINS)
          .optional("stream", BatchShapes::rejectStreaming)
          .build();

  private static final MemberTable<Json.Obj> MESSAGES_BODY =
      MemberTable.<Json.Obj>table()
          .required("messages", MESSAGES)
          .optional("system", BatchMedia.CONTENT)
          .optional("tools", BatchSearches.TOOLS)
          .optional("plugins", BatchSearches.PLUGINS)
          .optional("stream", BatchShapes::rejectStreaming)
          .build();

  private static final MemberTable<Json.Obj> RESPONSES =
      MemberTable.<Json.Obj>table()
          .required(
              "input",
              ByJsonType.<Json>of("must be a string or an array of items")
                  .string(string())
                  .array(items(BatchMedia.MESSAGE_OR_ITEM)))
          .optional("tools", BatchSearches.TOOLS)
          .optional("plugins", BatchSearches.PLUGINS)
          .optional("stream", BatchShapes::rejectStreaming)
          .build();

  private static final MemberTable<Json.Obj> EMBEDDINGS =
      MemberTable.<Json.Obj>table()
          .required("input", InputForms.BATCH_RULE)
          .optional("input_type", BatchShapes::rejectMember)
          .optional("provider", BatchShapes::rejectMember)
          .optional("stream", BatchShapes::rejectStreaming)
          .build();

  private BatchShapes() {}

  /**
   * Checks every body.
   *
   * @param problems receives the errors, at {@code /requests/i/body/...}
   */
  public static void check(BatchCreate batch, Problems problems) {
    for (int i = 0; i < batch.requests().size(); i++) {
      check(batch.endpoint(), i, batch.requests().get(i).body(), problems);
    }
  }

  /**
   * Checks the body of one request.
   *
   * @param index its position in the batch, from 0
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

  private static Json rejectMember(Json json, DecodingContext context) {
    context.reject("must be absent: batches do not support it", json);
    return json;
  }
}
