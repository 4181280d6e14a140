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
 * Decodes a batch while its body is read, one request after the other, so that the body is never in
 * memory as a whole. Only the ids of the requests are kept. Contract: "Batch operations". For one
 * thread.
 */
public final class IncrementalBatchDecoder {
  private static final JsonPointer REQUESTS = JsonPointer.ROOT.child("requests");

  private final MemberTable<BatchDraft> table;
  private final int maxRequests;
  private final Problems problems;
  private final Problems requestProblems;
  private final Map<String, Integer> indexById = new HashMap<>(); // by custom_id
  private @Nullable BatchEndpoint endpoint;
  private @Nullable String model;
  private int count;

  IncrementalBatchDecoder(MemberTable<BatchDraft> table, int maxRequests, Problems problems) {
    this.table = table;
    this.maxRequests = maxRequests;
    this.problems = problems;
    this.requestProblems = problems.newEmpty();
  }

  /**
   * Begins the requests of the batch.
   *
   * @param leadingMembers the members that came before the requests
   */
  public void begin(Json.Obj leadingMembers) {
    endpoint = BatchEndpoint.forPath(String.valueOf(leadingMembers.text("endpoint"))).orElse(null);
    model = leadingMembers.text("model");
  }

  /** Returns the endpoint of the requests; null when no valid one came before the requests. */
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
  public boolean isValid() {
    return requestProblems.isEmpty() && count <= maxRequests;
  }

  /** Returns whether there were as many requests as a batch may have. */
  public boolean isFull() {
    return count >= maxRequests;
  }

  /** Returns all errors of a batch that has more requests than it may have. */
  public Problems tooManyRequests() {
    problems.add(REQUESTS, allowedSizes(), "an array of more than " + maxRequests);
    problems.addAll(JsonPointer.ROOT, requestProblems);
    return problems;
  }

  private String allowedSizes() {
    return "must have 1 to " + maxRequests + (maxRequests == 1 ? " item" : " items");
  }

  /**
   * Checks the structure of the next request.
   *
   * @return the request; null when it is invalid or beyond the limit
   */
  public BatchCreate.@Nullable Item decodeRequest(Json request) {
    int i = count++;
    if (i >= maxRequests) {
      return null; // reported once, at the end
    }
    int problemCount = requestProblems.count();
    var context = new DecodingContext(requestProblems);
    context.enter("requests");
    context.enter(i);
    Json.Obj validRequest = BatchDecoder.ITEM.read(request, context);
    if (request instanceof Json.Obj object) {
      checkUniqueId(i, object);
      checkModel(i, object);
    }
    return validRequest == null || requestProblems.count() > problemCount
        ? null
        : new BatchCreate.Item(
            Objects.requireNonNull(validRequest.text("custom_id")),
            Objects.requireNonNull(validRequest.object("body")));
  }

  /** Checks that {@code custom_id} is unique. An error is reported at the second of two. */
  private void checkUniqueId(int i, Json.Obj request) {
    String id = request.text("custom_id");
    Integer firstIndex = id == null || id.isEmpty() ? null : indexById.putIfAbsent(id, i);
    if (firstIndex != null) {
      requestProblems.add(
          REQUESTS.child(i).child("custom_id"),
          "must differ from " + REQUESTS.child(firstIndex).child("custom_id"),
          Json.of(Objects.requireNonNull(id)));
    }
  }

  /** Checks that {@code model} of a body is absent or that of the batch. */
  private void checkModel(int i, Json.Obj request) {
    Json.Obj body = request.object("body");
    Json bodyModel = model == null || body == null ? null : body.get("model");
    if (bodyModel != null
        && !(bodyModel instanceof Json.Str name && name.is(Objects.requireNonNull(model)))) {
      requestProblems.add(
          REQUESTS.child(i).child("body").child("model"),
          "must be absent or that of the batch, "
              + Problems.displayText(Json.of(Objects.requireNonNull(model))),
          bodyModel);
    }
  }

  /**
   * Ends the batch and checks its other members.
   *
   * @param body the members of the body; of {@code requests} only the position is checked
   * @return the batch without its requests; null when something is wrong with its structure
   */
  public @Nullable BatchCreate end(Json.Obj body) {
    var head = new BatchDraft(body);
    table.read(body, new DecodingContext(problems), head);
    if (body.get("requests") instanceof Json.Arr && (count < 1 || count > maxRequests)) {
      problems.add(REQUESTS, allowedSizes(), "an array of " + count);
    }
    problems.addAll(JsonPointer.ROOT, requestProblems);
    return problems.isEmpty() ? head.toBatch() : null;
  }
}
