package io.strowger.host.demo;

import io.strowger.providers.simulated.Script;
import io.strowger.providers.simulated.SimulatedUpstream;
import io.strowger.spi.json.Json;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;

/** Requests whose model or endpoint the gateway chooses by more than its name. */
final class RoutingScenes {
  private static final String MODEL = "acme/large";

  private final Stage stage;
  private final Page page;
  private final Providers providers;

  RoutingScenes(Stage stage) {
    this.stage = stage;
    this.page = stage.page();
    this.providers = stage.providers();
  }

  void play() throws IOException, InterruptedException {
    for (SimulatedUpstream provider : List.of(providers.alpha, providers.beta, providers.gamma)) {
      provider.script(Providers.SMALL, Script.answer("This is acme/small."));
      provider.script(Providers.CODER, Script.answer("This is acme/coder."));
      provider.script(Providers.MINI, Script.answer("This is acme/mini."));
    }
    automatic();
    pareto();
    preferences();
    conversation();
  }

  private void automatic() throws IOException, InterruptedException {
    page.scene("router/auto: the model by what the task is and what it may cost");
    Json.Obj request =
        Stage.request("router/auto", "Fix this bug: the function throws a NullPointerException.")
            .build();
    stage.ask(providers.appKey(), request);
    page.blank();
    Json quality = Json.object().put("id", "auto-router").put("cost_quality_tradeoff", 2).build();
    stage.ask(providers.appKey(), request.with("plugins", Json.array(quality)));
  }

  private void pareto() throws IOException, InterruptedException {
    page.scene("router/pareto-code: the best coding models whose input costs at most $0.90/M");
    Json cap = Json.object().put("id", "pareto-router").put("max_price", dollars("0.9")).build();
    stage.ask(
        providers.appKey(),
        Stage.request("router/pareto-code", "Write a queue.")
            .put("plugins", Json.array(cap))
            .build());
  }

  private void preferences() throws IOException, InterruptedException {
    page.scene("Provider preferences: sort, max_price, zdr; what is dropped says why");
    Json most = Json.object().put("completion", dollars("2.5")).build();
    stage.ask(
        providers.appKey(),
        preferring(Json.object().put("sort", "throughput").put("max_price", most)));
    page.blank();
    stage.ask(providers.appKey(), preferring(Json.object().put("sort", "price").put("zdr", true)));
  }

  private void conversation() throws IOException, InterruptedException {
    page.scene("A conversation stays at its endpoint, though it is the dearest");
    Json only = Json.object().put("only", Stage.strings("gamma")).build();
    Json.Obj request = Stage.request(MODEL, "Hello?").put("session_id", "demo").build();
    stage.ask(providers.appKey(), request.with("provider", only));
    page.blank();
    stage.ask(providers.appKey(), request);
  }

  private static Json dollars(String amount) {
    return Json.of(new BigDecimal(amount));
  }

  private static Json.Obj preferring(Json.Obj.Builder preferences) {
    return Stage.request(MODEL, "Hello?").put("provider", preferences.build()).build();
  }
}
