package io.strowger.core.batch;

import static io.strowger.core.decode.ObjectArbitrary.anything;
import static io.strowger.core.decode.ObjectArbitrary.oneOf;
import static io.strowger.core.decode.ObjectArbitrary.text;

import io.strowger.core.decode.Mutation;
import io.strowger.core.decode.ObjectArbitrary;
import io.strowger.core.dialect.unary.EmbeddingsBodies;
import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** Generates valid bodies that create batches, and mutations that each break one rule. */
public final class BatchBodies {
  private static final String ID = "must be a string of 1 to 64 characters";

  private BatchBodies() {}

  /** Returns valid bodies for any endpoint. */
  public static Arbitrary<Json.Obj> valid() {
    return Arbitraries.of(BatchEndpoint.values()).flatMap(BatchBodies::valid);
  }

  public static Arbitrary<Json.Obj> valid(BatchEndpoint endpoint) {
    return text(1, 12)
        .flatMap(
            model ->
                ObjectArbitrary.object()
                    .sometimes("completion_window", oneOf("'24h'"))
                    .always("model", Arbitraries.just(model))
                    .always("endpoint", Arbitraries.just(Json.of(endpoint.path())))
                    .sometimes("unknown", anything())
                    .always("requests", requests(endpoint, model))
                    .sometimes("provider", provider())
                    .build());
  }

  private static Arbitrary<Json> requests(BatchEndpoint endpoint, Json model) {
    Arbitrary<Json.Obj> item =
        ObjectArbitrary.object()
            .always("custom_id", text(1, 61))
            .always("body", body(endpoint, model))
            .sometimes("unknown", anything())
            .build();
    return item.list().ofMinSize(1).ofMaxSize(4).map(BatchBodies::withUniqueIds);
  }

  private static Json withUniqueIds(List<Json.Obj> items) {
    var result = new ArrayList<Json>();
    for (int i = 0; i < items.size(); i++) {
      result.add(items.get(i).with("custom_id", Json.of(items.get(i).text("custom_id") + "-" + i)));
    }
    return Json.array(result);
  }

  private static Arbitrary<Json.Obj> body(BatchEndpoint endpoint, Json model) {
    Arbitrary<Json.Obj> body =
        switch (endpoint) {
          case CHAT, MESSAGES ->
              ObjectArbitrary.object()
                  .always(
                      "messages",
                      oneOf(
                          "[{'role':'user','content':'hi'}]",
                          "[{'role':'user','content':[{'type':'text','text':'hi'}]}]"))
                  .sometimes("max_tokens", oneOf("1", "64"))
                  .sometimes("stream", oneOf("false"))
                  .build();
          case RESPONSES ->
              ObjectArbitrary.object()
                  .always("input", oneOf("'hi'", "[{'role':'user','content':'hi'}]"))
                  .sometimes("stream", oneOf("false"))
                  .build();
          case EMBEDDINGS ->
              EmbeddingsBodies.validInBatches().map(object -> object.without("model"));
        };
    return Arbitraries.oneOf(body, body.map(object -> object.with("model", model)));
  }

  private static Arbitrary<Json> provider() {
    return oneOf(
        "null",
        "{}",
        "{'only':null,'allow_fallbacks':null}",
        "{'only':['alpha',''],'allow_fallbacks':false}");
  }

  /** Returns mutations that each break exactly one structural rule of any valid body. */
  public static List<Mutation> mutations() {
    return List.of(
        Mutation.without("endpoint"),
        endpoint("'/chat/completions'"),
        endpoint("'/v1/audio/speech'"),
        endpoint("null"),
        Mutation.without("model"),
        Mutation.set("completion_window", "'48h'", "must be 24h"),
        Mutation.set("completion_window", "null", "must be 24h"),
        Mutation.set("completion_window", "24", "must be 24h"),
        Mutation.set("provider", "[]", "must be an object"),
        Mutation.set("provider", "{'only':'a'}", "/only", "must be an array"),
        Mutation.set("provider", "{'only':['a',1]}", "/only/1", "must be a string"),
        Mutation.set(
            "provider", "{'allow_fallbacks':1}", "/allow_fallbacks", "must be true or false"),
        Mutation.set(
            "provider",
            "{'order':['a']}",
            "/order",
            "is not a member of a batch's provider; allowed: only, allow_fallbacks"),
        Mutation.without("requests"),
        Mutation.set("requests", "null", "must be an array"),
        Mutation.set("requests", "{}", "must be an array"),
        Mutation.set("requests", "[]", "must have 1 to 50000 items"),
        requests("[7]", "/0", "must be an object"),
        requests("[{'body':{}}]", "/0/custom_id", "is required"),
        requests("[{'custom_id':null,'body':{}}]", "/0/custom_id", ID),
        requests("[{'custom_id':'','body':{}}]", "/0/custom_id", ID),
        requests("[{'custom_id':7,'body':{}}]", "/0/custom_id", ID),
        requests("[{'custom_id':'" + "i".repeat(65) + "','body':{}}]", "/0/custom_id", ID),
        requests("[{'custom_id':'a'}]", "/0/body", "is required"),
        requests("[{'custom_id':'a','body':null}]", "/0/body", "must be an object"),
        requests(
            "[{'custom_id':'a','body':{}},{'custom_id':'b','body':{}},{'custom_id':'a','body':{}}]",
            "/2/custom_id",
            "must differ from /requests/0/custom_id"));
  }

  private static Mutation endpoint(String json) {
    return Mutation.set(
        "endpoint",
        json,
        "must be one of /v1/chat/completions, /v1/responses, /v1/messages, /v1/embeddings");
  }

  private static Mutation requests(String json, String under, String allowed) {
    return Mutation.set("requests", json, under, allowed);
  }
}
