package io.strowger.host.demo;

import io.strowger.simulated.ReceivedRequest;
import io.strowger.simulated.Script;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.Loss;
import io.strowger.spi.routing.TraceEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Scenes of callers and providers with different dialects, and of tools that the gateway runs. */
final class DialectScenes {
  private static final String MODEL = "acme/polyglot";

  private final DemoContext demo;
  private final DemoReport demoReport;
  private final Providers providers;

  DialectScenes(DemoContext demo) {
    this.demo = demo;
    this.demoReport = demo.report();
    this.providers = demo.providers();
  }

  void play() throws IOException, InterruptedException {
    providers.polyglot.script(Providers.POLYGLOT, Script.answer("Noon, by every clock."));
    providerDialects();
    callerDialects();
    tools();
  }

  private void providerDialects() throws IOException, InterruptedException {
    demoReport.scene("One chat request, and what providers of four dialects receive");
    for (String provider : new String[] {"chat", "responses", "messages", "gemini"}) {
      Json.Obj request =
          DemoContext.request(MODEL, "What time is it?")
              .put("max_tokens", 2000)
              .put("seed", 7)
              .put("reasoning", Json.object().put("effort", "high").build())
              .put("provider", Json.object().put("only", DemoContext.strings(provider)).build())
              .build();
      HttpCaller.Answer answer = demo.caller().ask(providers.appKey(), request);
      showReceived();
      demoReport.showAnswer(answer);
      losses(answer.id());
      demoReport.blank();
    }
  }

  private void callerDialects() throws IOException, InterruptedException {
    demoReport.scene(
        "Callers of other dialects, one provider: each caller gets answers in its own dialect");
    Json.Obj only = Json.object().put("only", DemoContext.strings("gemini")).build();
    Json.Obj.Builder messages =
        DemoContext.request(MODEL, "What time is it?").put("max_tokens", 100);
    ask("/messages", messages.put("provider", only).build());
    demoReport.blank();
    ask(
        "/responses",
        Json.object()
            .put("model", MODEL)
            .put("input", "What time is it?")
            .put("provider", only)
            .build());
  }

  private void ask(String path, Json.Obj request) throws IOException, InterruptedException {
    demoReport.showBody(
        "→ ", "POST " + path, new String(request.toBytes(), StandardCharsets.UTF_8));
    HttpCaller.RawAnswer answer = demo.caller().askRaw(path, providers.appKey(), request);
    demoReport.showBody("← ", String.valueOf(answer.status()), answer.body());
    losses(answer.id());
  }

  private void tools() throws IOException, InterruptedException {
    demoReport.scene("A tool the gateway runs: the model asks for the time, reads it, and answers");
    providers.polyglot.answerNextWith(
        Script.builder()
            .text("Let me look. ")
            .toolCall("call_1", "datetime", "{}")
            .tokens(20, 10)
            .build());
    providers.polyglot.answerNextWith(Script.builder().text("It is late.").tokens(50, 5).build());
    Json.Obj tool = Json.object().put("type", "router:datetime").build();
    Json.Obj request =
        DemoContext.request(MODEL, "What time is it?")
            .put("tools", Json.array(tool))
            .put("provider", Json.object().put("only", DemoContext.strings("messages")).build())
            .build();
    demo.stream(providers.appKey(), request);
    showReceived();
  }

  /** Prints the last request that the provider received. */
  private void showReceived() {
    ReceivedRequest last = providers.polyglot.last();
    demoReport.showBody("  got ", last.path(), last.text());
  }

  private void losses(@Nullable String id) throws InterruptedException {
    CallRecord record = id == null ? null : demo.records().take(id);
    if (record == null) {
      return;
    }
    for (TraceEntry entry : record.trace()) {
      if (entry instanceof TraceEntry.Translated translated) {
        translated.losses().forEach(this::say);
      }
    }
  }

  private void say(Loss loss) {
    demoReport.say(
        "  "
            + loss.kind().name().toLowerCase(Locale.ROOT)
            + " "
            + loss.subject()
            + ": "
            + loss.reason());
  }
}
