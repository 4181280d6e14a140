package io.strowger.host.demo;

import io.strowger.core.json.JacksonCodec;
import io.strowger.host.show.PrettyJson;
import io.strowger.simulated.ReceivedRequest;
import io.strowger.simulated.Script;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.store.Stores;
import io.strowger.stores.JdbcStores;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Objects;

/** A scene with a gateway whose store is a file, which is stopped and started again. */
final class StoreScenes {
  private final DemoReport demoReport;
  private final Providers providers;
  private final CallRecordCollector callRecordCollector;
  private final Ambient ambient;

  StoreScenes(DemoContext demo) {
    this.demoReport = demo.report();
    this.providers = demo.providers();
    this.callRecordCollector = demo.records();
    this.ambient = demo.ambient();
  }

  void play() throws IOException, InterruptedException {
    try (var folder = TemporaryFolder.create("strowger-demo")) {
      Path data = folder.path();
      demoReport.scene(
          "Balances survive a restart: a key made over HTTP spends, and the gateway restarts");
      providers.gamma.respond(
          Providers.SMALL, request -> RefusalScenes.longAnswer(request, Integer.MAX_VALUE));
      String key = firstRun(data);
      demoReport.blank();
      demoReport.say("The gateway stops. Another one starts over the same directory.");
      demoReport.blank();
      secondRun(data, key);
    }
  }

  /**
   * Creates a key and a preset, and spends money with the key.
   *
   * @return the plaintext of a new key, which the gateway shows only once
   */
  private String firstRun(Path data) throws IOException, InterruptedException {
    try (Stores stores = open(data, ambient);
        DemoGateway gateway = DemoGateway.open(providers, stores, callRecordCollector, ambient)) {
      DemoContext demo = demo(gateway);
      Json.Obj createdKey = createKey(gateway.caller());
      String key = Objects.requireNonNull(createdKey.text("key"), "no key");
      createPreset(gateway.caller());
      demoReport.blank();
      demo.ask(key, DemoContext.request("acme/small", "Tell me a story.").build());
      showKey(gateway.caller(), key);
      return key;
    }
  }

  private void secondRun(Path data, String key) throws IOException, InterruptedException {
    try (Stores stores = open(data, ambient);
        DemoGateway gateway = DemoGateway.open(providers, stores, callRecordCollector, ambient)) {
      DemoContext demo = demo(gateway);
      showKey(gateway.caller(), key);
      demoReport.blank();
      demo.ask(key, DemoContext.request("acme/small", "Tell me another story.").build());
      demoReport.blank();
      providers.gamma.respond(Providers.SMALL, StoreScenes::repeatInstruction);
      demo.ask(providers.appKey(), DemoContext.request("@preset/pirate", "Hello?").build());
    }
  }

  private DemoContext demo(DemoGateway gateway) {
    return new DemoContext(
        demoReport, providers, gateway.caller(), callRecordCollector, gateway.catalog(), ambient);
  }

  static Stores open(Path data, Ambient ambient) {
    return JdbcStores.open(
        new JdbcStores.Settings(
            "jdbc:h2:file:" + data.resolve("gateway"), null, Credential.NONE, data),
        new JacksonCodec(),
        ambient);
  }

  private Json.Obj createKey(HttpCaller caller) throws IOException, InterruptedException {
    Json.Obj body =
        Json.object()
            .put("name", "visitor")
            .put("limit", Json.of(new BigDecimal("0.001")))
            .put("limit_reset", "monthly")
            .build();
    demoReport.showBody("→ ", "POST /keys", PrettyJson.line(body));
    HttpCaller.Answer answer = caller.ask("/keys", providers.adminKey(), body);
    showMembers(answer, "label", "limit", "limit_reset");
    return answer.body();
  }

  private void createPreset(HttpCaller caller) throws IOException, InterruptedException {
    Json.Obj body =
        DemoContext.request("acme/small", "Hello?")
            .put(
                "messages",
                Json.array(
                    Json.object().put("role", "system").put("content", "You are a pirate.").build(),
                    Json.object().put("role", "user").put("content", "Hello?").build()))
            .build();
    demoReport.showBody("→ ", "POST /presets/pirate/chat/completions", PrettyJson.line(body));
    showMembers(
        caller.ask("/presets/pirate/chat/completions", providers.adminKey(), body),
        "slug",
        "status");
  }

  private void showKey(HttpCaller caller, String key) throws IOException, InterruptedException {
    demoReport.showBody("→ ", "GET /key", "by the visitor");
    showMembers(caller.get("/key", key), "usage", "limit", "limit_remaining");
  }

  /** Prints some members of the data of an answer. */
  private void showMembers(HttpCaller.Answer answer, String... names) {
    Json.Obj data = Objects.requireNonNullElse(answer.body().object("data"), answer.body());
    Json.Obj.Builder members = Json.object();
    for (String name : names) {
      members.put(name, Objects.requireNonNullElse(data.get(name), Json.NULL));
    }
    demoReport.showBody("← ", String.valueOf(answer.status()), PrettyJson.line(members.build()));
  }

  /** Returns an answer that repeats the system message of the request. */
  private static Script repeatInstruction(ReceivedRequest request) {
    String instruction = "nothing";
    try {
      if (new JacksonCodec().parse(request.body().clone()) instanceof Json.Obj body
          && body.get("messages") instanceof Json.Arr messages
          && messages.getFirst() instanceof Json.Obj system) {
        instruction = String.valueOf(system.text("content"));
      }
    } catch (JsonCodec.MalformedJsonException e) {
      return Script.status(400);
    }
    return Script.builder()
        .text("I was told: " + instruction)
        .tokens(20, 8)
        .finishReason("stop")
        .build();
  }
}
