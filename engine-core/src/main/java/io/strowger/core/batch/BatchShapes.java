package io.strowger.core.batch;

import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.string;

import io.strowger.core.decode.ByKind;
import io.strowger.core.decode.Members;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.Reading;
import io.strowger.core.decode.Rule;
import io.strowger.core.dialect.unary.InputForms;
import io.strowger.spi.json.Json;

/**
 * Whether the bodies of a batch are of use at its endpoint: what the endpoint cannot do without is
 * there and of the right kind, and nothing asks for what no batch does. Open question 20; resources
 * fact sheet, 6; embeddings fact sheet, "In batches".
 *
 * <p>Quick, since it runs before the batch is accepted: it looks where media, streams and searches
 * would be asked for, and leaves all other rules to the endpoint's own decoder.
 */
public final class BatchShapes {
  private static final Rule<Json> MESSAGES =
      items(BatchMedia.HOLDER, 1, Integer.MAX_VALUE).asJson();

  private static final Members<Json.Obj> CHAT =
      Members.<Json.Obj>table()
          .required("messages", MESSAGES)
          .optional("tools", BatchSearches.TOOLS)
          .optional("plugins", BatchSearches.PLUGINS)
          .optional("stream", BatchShapes::notStreamed)
          .build();

  private static final Members<Json.Obj> MESSAGES_BODY =
      Members.<Json.Obj>table()
          .required("messages", MESSAGES)
          .optional("system", BatchMedia.CONTENT)
          .optional("tools", BatchSearches.TOOLS)
          .optional("plugins", BatchSearches.PLUGINS)
          .optional("stream", BatchShapes::notStreamed)
          .build();

  private static final Members<Json.Obj> RESPONSES =
      Members.<Json.Obj>table()
          .required(
              "input",
              ByKind.<Json>of("must be a string or an array of items")
                  .string(string())
                  .array(items(BatchMedia.HOLDER)))
          .optional("tools", BatchSearches.TOOLS)
          .optional("plugins", BatchSearches.PLUGINS)
          .optional("stream", BatchShapes::notStreamed)
          .build();

  private static final Members<Json.Obj> EMBEDDINGS =
      Members.<Json.Obj>table()
          .required("input", InputForms.IN_BATCHES)
          .optional("input_type", BatchShapes::notTaken)
          .optional("provider", BatchShapes::notTaken)
          .optional("stream", BatchShapes::notStreamed)
          .build();

  private BatchShapes() {}

  /**
   * Judges every body.
   *
   * @param problems takes what is wrong, at {@code /requests/i/body/...}
   */
  public static void check(BatchCreate batch, Problems problems) {
    for (int i = 0; i < batch.requests().size(); i++) {
      check(batch.endpoint(), i, batch.requests().get(i).body(), problems);
    }
  }

  /** Judges the body of the request at a place of a batch, as {@link #check}. */
  public static void check(BatchEndpoint endpoint, int place, Json.Obj body, Problems problems) {
    Members<Json.Obj> shape =
        switch (endpoint) {
          case CHAT -> CHAT;
          case RESPONSES -> RESPONSES;
          case MESSAGES -> MESSAGES_BODY;
          case EMBEDDINGS -> EMBEDDINGS;
        };
    var reading = new Reading(problems);
    reading.enter("requests");
    reading.enter(place);
    reading.enter("body");
    shape.read(body, reading, body);
  }

  private static Json notStreamed(Json given, Reading reading) {
    if (given.equals(Json.TRUE)) {
      reading.wrong("must be false or absent: a batch has nobody to stream to", given);
    }
    return given;
  }

  private static Json notTaken(Json given, Reading reading) {
    reading.wrong("must be absent: a batch does not take it", given);
    return given;
  }
}
