package io.strowger.host.demo;

import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.json.Json;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;

/** Scenes of requests for which the gateway chooses the model or the endpoint. */
final class RoutingScenes {
  private static final String MODEL = "acme/large";

  private final DemoContext demo;
  private final DemoReport demoReport;
  private final Providers providers;

  RoutingScenes(DemoContext demo) {
    this.demo = demo;
    this.demoReport = demo.report();
    this.providers = demo.providers();
  }

  void play() throws IOException, InterruptedException {
    for (SimulatedUpstream provider : List.of(providers.alpha, providers.beta, providers.gamma)) {
      provider.script(Providers.SMALL, Script.answer("This is acme/small."));
      provider.script(Providers.CODER, Script.answer("This is acme/coder."));
      provider.script(Providers.MINI, Script.answer("This is acme/mini."));
    }
    autoRouter();
    pareto();
    preferences();
    conversation();
  }

  private void autoRouter() throws IOException, InterruptedException {
    demoReport.scene("router/auto: chooses the model by the task and by what it may cost");
    Json.Obj request =
        DemoContext.request(
                "router/auto", "Fix this bug: the function throws a NullPointerException.")
            .build();
    demo.ask(providers.appKey(), request);
    demoReport.blank();
    Json quality = Json.object().put("id", "auto-router").put("cost_quality_tradeoff", 2).build();
    demo.ask(providers.appKey(), request.with("plugins", Json.array(quality)));
  }

  private void pareto() throws IOException, InterruptedException {
    demoReport.scene(
        "router/pareto-code: the best coding models whose input costs at most $0.90/M");
    Json cap = Json.object().put("id", "pareto-router").put("max_price", dollars("0.9")).build();
    demo.ask(
        providers.appKey(),
        DemoContext.request("router/pareto-code", "Write a queue.")
            .put("plugins", Json.array(cap))
            .build());
  }

  private void preferences() throws IOException, InterruptedException {
    demoReport.scene("Provider preferences: sort, max_price, zdr; each dropped endpoint says why");
    Json caps = Json.object().put("completion", dollars("2.5")).build();
    demo.ask(
        providers.appKey(),
        requestWith(Json.object().put("sort", "throughput").put("max_price", caps)));
    demoReport.blank();
    demo.ask(providers.appKey(), requestWith(Json.object().put("sort", "price").put("zdr", true)));
  }

  private void conversation() throws IOException, InterruptedException {
    demoReport.scene("A conversation stays at its endpoint, though it is the dearest");
    Json only = Json.object().put("only", DemoContext.strings("gamma")).build();
    Json.Obj request = DemoContext.request(MODEL, "Hello?").put("session_id", "demo").build();
    demo.ask(providers.appKey(), request.with("provider", only));
    demoReport.blank();
    demo.ask(providers.appKey(), request);
  }

  private static Json dollars(String amount) {
    return Json.of(new BigDecimal(amount));
  }

  private static Json.Obj requestWith(Json.Obj.Builder preferences) {
    return DemoContext.request(MODEL, "Hello?").put("provider", preferences.build()).build();
  }
}
