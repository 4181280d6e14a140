package io.strowger.core.batch;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.list;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.nameOrEmpty;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.text;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Rules;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body that creates a batch. Contract: "Batch operations"; resources fact sheet, 6;
 * answers fact sheet, batch create; open questions 20 and 78. Immutable, safe on any thread.
 *
 * <p>A batch is checked in three steps, each when the one before found no error: its structure,
 * here (400); whether each body suits the path it is for, in {@link BatchShapes} (422); and, after
 * the batch is accepted, each body in full, as a request of its own. An error in the third step
 * fails the batch.
 */
public final class BatchDecoder {
  /** The most requests a batch may have unless the configuration sets another limit. */
  public static final int MAX_REQUESTS = 50_000;

  private static final int MAX_ID_CHARS = 64;

  static final Rule<Json.Obj> ITEM =
      members().required("custom_id", text(1, MAX_ID_CHARS)).required("body", object()).asJson();

  /** Rejects other members of a provider object, because they have no effect on a batch. */
  private static final Rule<ProviderPreferences> PROVIDER =
      MemberTable.<ProviderPreferences.Builder>table()
          .optional("only", list(nameOrEmpty()).orNull(), ProviderPreferences.Builder::only)
          .optional(
              "allow_fallbacks",
              bool().orNull(),
              (provider, allowed) -> provider.allowFallbacks(allowed.value()))
          .closed("is not a member of a batch's provider; allowed: only, allow_fallbacks")
          .as(ProviderPreferences::builder, ProviderPreferences.Builder::build);

  private final MemberTable<BatchDraft> table;
  private final int maxRequests;

  public BatchDecoder() {
    this(MAX_REQUESTS);
  }

  /**
   * @param maxRequests the most requests one batch may have; at least 1
   */
  public BatchDecoder(int maxRequests) {
    if (maxRequests < 1) {
      throw new IllegalArgumentException("maxRequests must be at least 1, was " + maxRequests);
    }
    this.maxRequests = maxRequests;
    table =
        MemberTable.<BatchDraft>table()
            .required("endpoint", wordAmong(BatchEndpoint.paths()), BatchDraft::endpoint)
            .required("model", name(), BatchDraft::model)
            .required("requests", list(Rules.any())) // each is checked by an incremental decoder
            .optional("completion_window", wordAmong("24h"))
            .optional("provider", PROVIDER.orNull(), BatchDraft::provider)
            .addRule(BatchDraft::checkOrder)
            .build();
  }

  /**
   * Reads the structure of a batch.
   *
   * @param problems receives the errors in its structure, if any
   * @return the batch; null when its structure has errors
   */
  public @Nullable BatchCreate decode(Json.Obj body, Problems problems) {
    IncrementalBatchDecoder decoder = incrementalDecoder(problems);
    var items = new ArrayList<BatchCreate.Item>();
    if (body.get("requests") instanceof Json.Arr requests) {
      decoder.begin(body);
      for (int i = 0; i < requests.size(); i++) {
        BatchCreate.Item item = decoder.decodeRequest(requests.get(i));
        if (item != null) {
          items.add(item);
        }
      }
    }
    BatchCreate head = decoder.end(body);
    return head == null
        ? null
        : new BatchCreate(head.endpoint(), head.model(), items, head.provider());
  }

  /**
   * Returns a decoder for a batch whose requests are read one after the other.
   *
   * @param problems receives the errors in its structure when its end is reached
   */
  public IncrementalBatchDecoder incrementalDecoder(Problems problems) {
    return new IncrementalBatchDecoder(table, maxRequests, problems);
  }

  /**
   * Reads a batch and checks that it can be accepted.
   *
   * @param problems receives the errors; must be empty
   * @throws io.strowger.spi.error.GatewayException 400 when its structure is wrong, 422 when a body
   *     does not suit the path it is for
   */
  public BatchCreate accept(Json.Obj body, Problems problems) {
    BatchCreate batch = decode(body, problems);
    if (!problems.isEmpty()) {
      throw BatchRefusal.malformed(problems).toException();
    }
    BatchCreate validBatch = problems.requireValid(batch);
    BatchShapes.check(validBatch, problems);
    if (!problems.isEmpty()) {
      throw BatchRefusal.unusable(problems).toException();
    }
    return validBatch;
  }
}
