package io.strowger.core.batch;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Problems;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decodes a batch while its body is read, one request after the other, so that it is never in
 * memory as a whole. Only the ids of the requests are kept. Contract: "Batch operations". For one
 * thread.
 */
public final class IncrementalBatchDecoder {
  private static final JsonPointer REQUESTS = JsonPointer.ROOT.child("requests");

  private final MemberTable<BatchDraft> table;
  private final int most;
  private final Problems problems;
  private final Problems inRequests;
  private final Map<String, Integer> first = new HashMap<>(); // by custom_id
  private @Nullable BatchEndpoint endpoint;
  private @Nullable String model;
  private int count;

  IncrementalBatchDecoder(MemberTable<BatchDraft> table, int most, Problems problems) {
    this.table = table;
    this.most = most;
    this.problems = problems;
    this.inRequests = problems.another();
  }

  /**
   * Begins the requests of the batch.
   *
   * @param before the members that came before them
   */
  public void begin(Json.Obj before) {
    endpoint = BatchEndpoint.at(String.valueOf(before.text("endpoint"))).orElse(null);
    model = before.text("model");
  }

  /** Returns the endpoint of the requests; null when no valid one was given before them. */
  public @Nullable BatchEndpoint endpoint() {
    return endpoint;
  }

  /** Returns the model that was given before the requests; null when there was none. */
  public @Nullable String model() {
    return model;
  }

  /** Returns the number of requests so far. */
  public int count() {
    return count;
  }

  /** Returns whether all requests so far are valid in structure and not too many. */
  public boolean isGood() {
    return inRequests.isEmpty() && count <= most;
  }

  /** Returns whether there were as many requests as a batch may have. */
  public boolean isFull() {
    return count >= most;
  }

  /** Returns all errors of a batch that has more requests than it may have. */
  public Problems tooMany() {
    problems.add(REQUESTS, sizes(), "an array of more than " + most);
    problems.addAll(JsonPointer.ROOT, inRequests);
    return problems;
  }

  private String sizes() {
    return "must have 1 to " + most + (most == 1 ? " item" : " items");
  }

  /**
   * Checks the structure of the next request.
   *
   * @return the request; null when it is invalid or beyond the limit
   */
  public BatchCreate.@Nullable Item decodeRequest(Json request) {
    int i = count++;
    if (i >= most) {
      return null; // reported once, at the end
    }
    int before = inRequests.found();
    var context = new DecodingContext(inRequests);
    context.enter("requests");
    context.enter(i);
    Json.Obj good = BatchDecoder.ITEM.read(request, context);
    if (request instanceof Json.Obj object) {
      ownId(i, object);
      ownModel(i, object);
    }
    return good == null || inRequests.found() > before
        ? null
        : new BatchCreate.Item(
            Objects.requireNonNull(good.text("custom_id")),
            Objects.requireNonNull(good.object("body")));
  }

  /** Checks that {@code custom_id} is unique. An error is reported at the second of two. */
  private void ownId(int i, Json.Obj request) {
    String id = request.text("custom_id");
    Integer before = id == null || id.isEmpty() ? null : first.putIfAbsent(id, i);
    if (before != null) {
      inRequests.add(
          REQUESTS.child(i).child("custom_id"),
          "must differ from " + REQUESTS.child(before).child("custom_id"),
          Json.of(Objects.requireNonNull(id)));
    }
  }

  /** Checks that {@code model} of a body is absent or that of the batch. */
  private void ownModel(int i, Json.Obj request) {
    Json.Obj body = request.object("body");
    Json own = model == null || body == null ? null : body.get("model");
    if (own != null && !(own instanceof Json.Str name && name.is(Objects.requireNonNull(model)))) {
      inRequests.add(
          REQUESTS.child(i).child("body").child("model"),
          "must be absent or that of the batch, "
              + Problems.shown(Json.of(Objects.requireNonNull(model))),
          own);
    }
  }

  /**
   * Ends the batch and checks its other members.
   *
   * @param all the members of the body; of {@code requests} only the position is checked
   * @return the batch without its requests; null when something is wrong with its structure
   */
  public @Nullable BatchCreate end(Json.Obj all) {
    BatchCreate head =
        table
            .as(() -> new BatchDraft(all), BatchDraft::batch)
            .read(all, new DecodingContext(problems));
    if (all.get("requests") instanceof Json.Arr && (count < 1 || count > most)) {
      problems.add(REQUESTS, sizes(), "an array of " + count);
    }
    problems.addAll(JsonPointer.ROOT, inRequests);
    return problems.isEmpty() ? head : null;
  }
}
