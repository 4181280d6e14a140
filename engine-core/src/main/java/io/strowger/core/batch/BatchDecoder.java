package io.strowger.core.batch;

import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.list;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.nameOrEmpty;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.text;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Rules;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body that creates a batch, one request after the other, so that the body is never in
 * memory as a whole. Only the ids of the requests are kept. Contract: "Batch operations"; resources
 * fact sheet, 6; answers fact sheet, batch create; open questions 20 and 78. For one batch and one
 * thread.
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

  private static final Rule<Json.Obj> ITEM =
      MemberTable.asJson(
          MemberTable.<Json.Obj>table()
              .required("custom_id", text(1, MAX_ID_CHARS))
              .required("body", object())
              .build());

  /** Rejects other members of a provider object, because they have no effect on a batch. */
  private static final Rule<ProviderPreferences> PROVIDER =
      MemberTable.<ProviderPreferences.Builder>table()
          .optional("only", list(nameOrEmpty()).orNull(), ProviderPreferences.Builder::only)
          .optional(
              "allow_fallbacks",
              bool().orNull(),
              (provider, allowed) -> provider.allowFallbacks(allowed.value()))
          .closed("is not a member of a batch's provider; allowed: only, allow_fallbacks")
          .build()
          .as(ProviderPreferences::builder, ProviderPreferences.Builder::build);

  private static final MemberTable<Head> HEAD =
      MemberTable.<Head>table()
          .required("endpoint", wordAmong(BatchEndpoint.paths()), Head::endpoint)
          .required("model", name(), Head::model)
          .required("requests", list(Rules.any())) // each is checked by decodeRequest
          .optional("completion_window", wordAmong("24h"))
          .optional("provider", PROVIDER.orNull(), Head::provider)
          .addRule(Head::checkOrder)
          .build();

  private static final JsonPointer REQUESTS = JsonPointer.ROOT.child("requests");

  private final int maxRequests;
  private final Problems problems;
  private final Problems requestProblems;
  private final Map<String, Integer> indexById = new HashMap<>(); // by custom_id
  private @Nullable BatchEndpoint endpoint;
  private @Nullable String model;
  private int count;

  /**
   * @param maxRequests the most requests the batch may have; at least 1
   * @param problems receives the errors in its structure when its end is reached
   */
  public BatchDecoder(int maxRequests, Problems problems) {
    if (maxRequests < 1) {
      throw new IllegalArgumentException("maxRequests must be at least 1, was " + maxRequests);
    }
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
    Json.Obj validRequest = ITEM.read(request, context);
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
    BatchCreate head =
        HEAD.as(() -> new Head(body), Head::toBatch).read(body, new DecodingContext(problems));
    if (body.get("requests") instanceof Json.Arr && (count < 1 || count > maxRequests)) {
      problems.add(REQUESTS, allowedSizes(), "an array of " + count);
    }
    problems.addAll(JsonPointer.ROOT, requestProblems);
    return problems.isEmpty() ? head : null;
  }

  /** Collects the members of a batch other than its requests, and checks their order. */
  private static final class Head {
    private final Json.Obj body;
    private @Nullable BatchEndpoint endpoint;
    private @Nullable String model;
    private ProviderPreferences provider = ProviderPreferences.NONE;

    Head(Json.Obj body) {
      this.body = body;
    }

    void endpoint(String path) {
      endpoint = BatchEndpoint.forPath(path).orElseThrow();
    }

    void model(String name) {
      model = name;
    }

    void provider(ProviderPreferences preferences) {
      provider = preferences;
    }

    /**
     * Checks that endpoint and model come before the requests, because a batch may be read as a
     * stream. {@link Json.Obj} keeps the members in the order in which the body has them.
     */
    void checkOrder(DecodingContext context) {
      int requestsIndex = body.indexOf("requests");
      boolean endpointLate = requestsIndex >= 0 && body.indexOf("endpoint") > requestsIndex;
      boolean modelLate = requestsIndex >= 0 && body.indexOf("model") > requestsIndex;
      if (endpointLate || modelLate) {
        String misplaced =
            endpointLate && modelLate ? "endpoint and model" : endpointLate ? "endpoint" : "model";
        context
            .problems()
            .add(
                context.pointer().child("requests"),
                "must come after endpoint and model: write it last",
                "before " + misplaced);
      }
    }

    BatchCreate toBatch() {
      return new BatchCreate(
          Objects.requireNonNull(endpoint),
          ModelRef.parse(Objects.requireNonNull(model)),
          provider);
    }
  }
}
