package io.strowger.host.demo;

import io.strowger.host.show.PrettyJson;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Stores;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/** A scene with a batch that two gateways process, one after the other. */
final class BatchScenes {
  private static final int REQUESTS = 12;
  private static final Duration POLL_INTERVAL = Duration.ofMillis(40);
  private static final int MAX_POLLS = 1_500; // a minute

  private final DemoReport demoReport;
  private final Providers providers;
  private final CallRecordCollector callRecordCollector;
  private final Ambient ambient;

  BatchScenes(DemoContext demo) {
    this.demoReport = demo.report();
    this.providers = demo.providers();
    this.callRecordCollector = demo.records();
    this.ambient = demo.ambient();
  }

  void play() throws IOException, InterruptedException {
    demoReport.scene("A batch at half price, and a gateway that is restarted during the work");
    Script slow =
        Script.builder()
            .text("Done.")
            .tokens(20, 10)
            .latency(Duration.ofMillis(120))
            .finishReason("stop")
            .build();
    for (SimulatedUpstream provider : List.of(providers.alpha, providers.beta, providers.gamma)) {
      provider.script(Providers.SMALL, slow);
    }
    try (var folder = TemporaryFolder.create("strowger-demo")) {
      Path data = folder.path();
      String id = firstGateway(data);
      demoReport.say("The gateway stops. Another one starts with the same data directory.");
      secondGateway(data, id);
    }
  }

  private String firstGateway(Path data) throws IOException, InterruptedException {
    try (Stores stores = StoreScenes.open(data, ambient);
        DemoGateway gateway = DemoGateway.open(providers, stores, callRecordCollector, ambient)) {
      demoReport.showBody(
          "→ ", "POST /batches", "for /v1/chat/completions, with " + REQUESTS + " requests");
      HttpCaller.Answer created = gateway.caller().ask("/batches", providers.appKey(), batch());
      showMembers(created, "status", "provider", "request_counts");
      String id = Objects.requireNonNull(created.body().text("id"), "no batch");
      awaitBatch(gateway, id, batch -> completed(batch) >= 2);
      return id;
    }
  }

  private void secondGateway(Path data, String id) throws IOException, InterruptedException {
    try (Stores stores = StoreScenes.open(data, ambient);
        DemoGateway gateway = DemoGateway.open(providers, stores, callRecordCollector, ambient)) {
      HttpCaller.Answer finished = awaitBatch(gateway, id, batch -> batch.has("results"));
      Json.Arr results = Objects.requireNonNull(finished.body().list("results"), "no results");
      demoReport.say("%d results, one for each request. The first:".formatted(results.size()));
      demoReport.showBody("← ", "results/0", PrettyJson.line(results.getFirst()));
    }
  }

  /** Polls the batch until the condition holds, shows it and returns it. */
  private HttpCaller.Answer awaitBatch(
      DemoGateway gateway, String id, Predicate<Json.Obj> condition)
      throws IOException, InterruptedException {
    HttpCaller.Answer answer = gateway.caller().get("/batches/" + id, providers.appKey());
    for (int polls = 0; !condition.test(answer.body()); polls++) {
      if (polls == MAX_POLLS) {
        throw new IllegalStateException("the batch makes no progress: " + answer.body());
      }
      ambient.sleep(POLL_INTERVAL);
      answer = gateway.caller().get("/batches/" + id, providers.appKey());
    }
    demoReport.showBody("→ ", "GET /batches/" + id, "");
    showMembers(answer, "status", "request_counts", "usage");
    return answer;
  }

  private static int completed(Json.Obj batch) {
    Json.Obj counts = batch.object("request_counts");
    return counts == null ? 0 : (int) counts.longValue("completed", 0);
  }

  private static Json.Obj batch() {
    List<Json> requests = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      Json.Obj message = Json.object().put("role", "user").put("content", "Task " + i).build();
      Json.Obj body =
          Json.object().put("messages", Json.array(message)).put("max_tokens", 50).build();
      requests.add(Json.object().put("custom_id", "task-" + i).put("body", body).build());
    }
    return Json.object()
        .put("endpoint", "/v1/chat/completions")
        .put("model", "acme/small")
        .put("requests", Json.array(requests))
        .build();
  }

  private void showMembers(HttpCaller.Answer answer, String... names) {
    Json.Obj.Builder members = Json.object();
    for (String name : names) {
      members.put(name, Objects.requireNonNullElse(answer.body().get(name), Json.NULL));
    }
    demoReport.showBody("← ", String.valueOf(answer.status()), PrettyJson.line(members.build()));
  }
}
