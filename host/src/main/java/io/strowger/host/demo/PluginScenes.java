package io.strowger.host.demo;

import io.strowger.simulated.ReceivedRequest;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;

/** Scenes of requests that name plugins. */
final class PluginScenes {
  private static final String ANALYSIS =
      """
      {"consensus":["Both would wait."],"contradictions":[],"partial_coverage":[],\
      "unique_insights":[{"model":"acme/coder","insight":"Measure first."}],"blind_spots":[]}\
      """;

  private final DemoContext demo;
  private final DemoReport demoReport;
  private final Providers providers;

  PluginScenes(DemoContext demo) {
    this.demo = demo;
    this.demoReport = demo.report();
    this.providers = demo.providers();
  }

  void play() throws IOException, InterruptedException {
    redaction();
    fusion();
    search();
    fetch();
    document();
  }

  private void redaction() throws IOException, InterruptedException {
    demoReport.scene(
        "moderation: an e-mail address is held back until it is complete, then redacted");
    providers.gamma.answerNextWith(
        Script.builder()
            .text("Write to ann.lee@example.com if you like, she answers.")
            .chunks(9)
            .chunkDelay(Duration.ofMillis(100))
            .build());
    Json.Obj only = Json.object().put("only", DemoContext.strings("gamma")).build();
    demo.stream(
        providers.appKey(),
        DemoContext.request("acme/large", "Whom may I ask?")
            .put("plugins", plugin("moderation"))
            .put("provider", only)
            .build());
  }

  private void fusion() throws IOException, InterruptedException {
    demoReport.scene(
        "router/fusion: two models answer, one compares them, and the answer is streamed");
    for (SimulatedUpstream provider : List.of(providers.alpha, providers.beta, providers.gamma)) {
      provider.script(Providers.SMALL, Script.answer("I would wait for a week."));
      provider.script(Providers.CODER, Script.answer("Measure first, then wait."));
      provider.respond(Providers.MINI, PluginScenes::actAsFusionModel);
    }
    Json.Obj.Builder entry =
        Json.object()
            .put("id", "fusion")
            .put("analysis_models", DemoContext.strings("acme/small", "acme/coder"))
            .put("model", "acme/mini")
            .put("tools", Json.array());
    demo.stream(
        providers.appKey(),
        DemoContext.request("router/fusion", "Shall we release today?")
            .put("plugins", Json.array(entry.build()))
            .build());
  }

  /**
   * Acts as the model of fusion: calls the panel, compares its answers, or writes the final answer,
   * depending on the request.
   */
  private static Script actAsFusionModel(ReceivedRequest request) {
    if (request.text().contains("json_schema")) {
      return Script.answer(ANALYSIS);
    }
    return request.text().contains("Both would wait")
        ? Script.builder().text("Wait, and measure while you do.").chunks(3).build()
        : Script.builder().text("").toolCall("call_1", "fusion", "{}").build();
  }

  private void search() throws IOException, InterruptedException {
    demoReport.scene("web: the web is searched once, and what was found goes before the question");
    providers.gamma.script(Providers.LARGE, Script.answer("At six, says the harbour."));
    askGamma(
        DemoContext.request("acme/large", "When does the harbour open?")
            .put("plugins", plugin("web")));
  }

  private void fetch() throws IOException, InterruptedException {
    demoReport.scene("router:web_fetch: the model asks for a page, reads it as text, and answers");
    providers.gamma.respond(Providers.LARGE, this::actAsFetchingModel);
    askGamma(
        DemoContext.request("acme/large", "When does the harbour open? See its page.")
            .put("tools", Json.array(Json.object().put("type", "router:web_fetch").build())));
  }

  private Script actAsFetchingModel(ReceivedRequest request) {
    String url =
        Json.object().put("url", providers.website.address() + "/harbour").build().toString();
    return request.text().contains("Opening hours")
        ? Script.answer("Its page says: at six.")
        : Script.builder().text("").toolCall("call_1", "web_fetch", url).build();
  }

  /** Sends a request to gamma and shows the last request that gamma received. */
  private void askGamma(Json.Obj.Builder builder) throws IOException, InterruptedException {
    Json.Obj request =
        builder
            .put("provider", Json.object().put("only", DemoContext.strings("gamma")).build())
            .build();
    demoReport.showRequest(request);
    HttpCaller.Answer answer = demo.caller().ask(providers.appKey(), request);
    demoReport.showBody("  got ", providers.gamma.last().path(), providers.gamma.last().text());
    demoReport.showAnswer(answer);
    demo.showDecision(answer);
  }

  private void document() throws IOException, InterruptedException {
    demoReport.scene("file-parser: a model that reads no files gets the text of a PDF");
    providers.gamma.script(Providers.LARGE, Script.answer("It asks for 42 dollars."));
    Json file =
        Json.object()
            .put("filename", "invoice.pdf")
            .put("file_data", "data:application/pdf;base64," + invoice())
            .build();
    Json content =
        Json.array(
            Json.object().put("type", "text").put("text", "What does it ask for?").build(),
            Json.object().put("type", "file").put("file", file).build());
    Json.Obj request =
        Json.object()
            .put("model", "acme/large")
            .put(
                "messages",
                Json.array(Json.object().put("role", "user").put("content", content).build()))
            .put("provider", Json.object().put("only", DemoContext.strings("gamma")).build())
            .build();
    demoReport.say("→ a question with invoice.pdf (one page)");
    HttpCaller.Answer answer = demo.caller().ask(providers.appKey(), request);
    demoReport.showBody("  got ", providers.gamma.last().path(), providers.gamma.last().text());
    demoReport.showAnswer(answer);
    demo.showDecision(answer);
  }

  private static String invoice() throws IOException {
    try (InputStream file =
        Objects.requireNonNull(
            PluginScenes.class.getResourceAsStream("invoice.pdf"), "invoice.pdf")) {
      return Base64.getEncoder().encodeToString(file.readAllBytes());
    }
  }

  private static Json.Arr plugin(String id) {
    return Json.array(Json.object().put("id", id).build());
  }
}
