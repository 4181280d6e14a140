package io.strowger.tck;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.routing.ModelRef;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Models and requests for tests of routers. */
final class RouterFixtures {
  private static final int LONG_REPETITIONS =
      5_000; // how often a sentence is repeated in a long prompt

  private RouterFixtures() {}

  /**
   * Creates a catalog in which no two models have the same score or speed, and only free models
   * have the same price. Some models are hidden, some have no score, some have no endpoints.
   */
  static Catalog catalog(int models) {
    var catalog = Catalog.builder("routers");
    for (int i = 0; i < models; i++) {
      String id = "author" + i % 5 + "/model-" + (i * 29 % models) + (i % 9 == 4 ? ":free" : "");
      double spread = (i * 17 % models) / (double) models;
      var model =
          ModelInfo.builder(id)
              .isHidden(i % 11 == 7)
              .codingScore(i % 7 == 3 ? null : 0.35 + 0.64 * spread)
              .intelligenceScore(i % 6 == 5 ? null : 0.99 - 0.7 * spread);
      catalog.add(model.build(), i % 13 == 12 ? List.of() : endpoints(id, i));
    }
    return catalog.build();
  }

  private static List<Endpoint> endpoints(String id, int i) {
    String price = i % 9 == 4 ? "0" : i / 4 + "." + (i % 4 * 25 + i % 3);
    Endpoint one =
        Given.endpoint("alpha", id, price).toBuilder().assumedPerformance(20 + i, 300 + i).build();
    Endpoint other =
        Given.endpoint("beta", id, i % 9 == 4 ? "0" : i + 1 + ".5").toBuilder()
            .assumedPerformance(100.25 + i * 3, 200)
            .build();
    return i % 2 == 0 ? List.of(one) : List.of(one, other);
  }

  /** Returns a catalog of the same version with the same models in another order. */
  static Catalog shuffled(Catalog catalog, long seed) {
    var remaining = new ArrayList<>(catalog.models());
    var random = new SplittableRandom(seed);
    var shuffled = Catalog.builder(catalog.version());
    while (!remaining.isEmpty()) {
      ModelInfo model = remaining.remove(random.nextInt(remaining.size()));
      shuffled.add(model, model.endpoints());
    }
    return shuffled.build();
  }

  /** Returns the ids of about two thirds of the models of a catalog, chosen at random. */
  static String[] randomModelIds(Catalog catalog, SplittableRandom random) {
    return catalog.models().stream()
        .map(ModelInfo::id)
        .filter(id -> random.nextInt(3) > 0)
        .toArray(String[]::new);
  }

  /** Returns requests for the slugs of a router, or for another model when it has none. */
  static List<InferenceRequest> requests(Descriptor descriptor, String marker) {
    List<String> slugs =
        descriptor.slugs().isEmpty() ? List.of("author/model") : descriptor.slugs();
    var requests = new ArrayList<InferenceRequest>();
    for (String slug : slugs) {
      String prompt = "Write a haiku about " + marker + ", please.";
      requests.add(Given.request(slug, prompt));
      requests.add(Given.request(slug + ":nitro", (prompt + " ").repeat(LONG_REPETITIONS)));
      requests.add(
          Given.request("author/first", "Fix this: " + marker).toBuilder()
              .models(List.of(ModelRef.parse("author/first"), ModelRef.parse(slug)))
              .build());
      requests.add(conversation(slug, marker));
      requests.add(Given.request(slug, "x").toBuilder().messages(List.of()).build());
    }
    return requests;
  }

  private static InferenceRequest conversation(String slug, String marker) {
    Json.Obj extras =
        Json.object().put("model", marker).put("name", marker).put("user", marker).build();
    Message question = Message.text(Message.Role.USER, marker);
    Message answer = Message.text(Message.Role.ASSISTANT, "What of " + marker + "?");
    var named =
        new Message(Message.Role.ASSISTANT, answer.parts(), answer.contentForm(), extras, null);
    return Given.request(slug, marker).toBuilder()
        .messages(List.of(Message.text(Message.Role.SYSTEM, marker), question, named, question))
        .sessionId(marker)
        .user(marker)
        .build();
  }
}
