package io.strowger.host.demo;

import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.spi.json.Json;
import java.io.IOException;
import java.time.Duration;

/** Scenes of requests that are answered. */
final class AnswerScenes {
  private static final String MODEL = "acme/large";

  private final DemoContext demo;
  private final DemoReport demoReport;
  private final Providers providers;

  AnswerScenes(DemoContext demo) {
    this.demo = demo;
    this.demoReport = demo.report();
    this.providers = demo.providers();
  }

  void play() throws IOException, InterruptedException {
    providers.alpha.script(Providers.LARGE, Script.answer("Hello, this is alpha."));
    providers.beta.script(Providers.LARGE, Script.answer("Hello, this is beta."));
    providers.gamma.script(Providers.LARGE, Script.answer("Hello, this is gamma."));
    plainRequest();
    stream();
    fallback();
    preferences();
    brokenStream();
    speech();
  }

  private void plainRequest() throws IOException, InterruptedException {
    demoReport.scene("A plain request: the cheaper an endpoint, the likelier it comes first");
    demo.ask(providers.appKey(), DemoContext.request(MODEL, "Hello?").build());
  }

  private void stream() throws IOException, InterruptedException {
    demoReport.scene("The same as a stream: each piece arrives when it is made");
    providers.beta.answerNextWith(
        Script.builder()
            .text("One by one the pieces come.")
            .chunks(4)
            .chunkDelay(Duration.ofMillis(60))
            .tokens(12, 9)
            .build());
    demo.stream(providers.appKey(), requestWith("order", "beta").build());
  }

  private void fallback() throws IOException, InterruptedException {
    demoReport.scene(
        "Fallback: the first provider fails with 500, the second hangs up before any content");
    providers.alpha.answerNextWith(Script.status(500));
    providers.beta.answerNextWith(Script.failing(new ScriptedFault.Cut(ScriptedFault.AFTER_HEAD)));
    demo.stream(providers.appKey(), requestWith("order", "alpha", "beta", "gamma").build());
  }

  private void preferences() throws IOException, InterruptedException {
    demoReport.scene("Provider preferences: only, ignore, order");
    demo.ask(providers.appKey(), requestWith("only", "gamma").build());
    demoReport.blank();
    demo.ask(providers.appKey(), requestWith("ignore", "alpha", "gamma").build());
    demoReport.blank();
    demo.ask(providers.appKey(), requestWith("order", "gamma", "beta").build());
    demoReport.scene("Provider preferences: without fallbacks the first failure is the answer");
    providers.beta.answerNextWith(Script.status(503));
    Json.Obj strict =
        Json.object()
            .put("order", DemoContext.strings("beta"))
            .put("allow_fallbacks", false)
            .build();
    demo.ask(
        providers.appKey(), DemoContext.request(MODEL, "Hello?").put("provider", strict).build());
  }

  private void brokenStream() throws IOException, InterruptedException {
    demoReport.scene(
        "A stream that breaks after content: an error in the stream, never a silent end");
    providers.gamma.answerNextWith(
        Script.builder().text("This will not be finished").fault(new ScriptedFault.Cut(2)).build());
    demo.stream(providers.appKey(), requestWith("only", "gamma").build());
  }

  private void speech() throws IOException, InterruptedException {
    demoReport.scene("A spoken answer: its sound is passed on while the voice still speaks");
    providers.alpha.answerNextWith(
        Script.builder()
            .text("Welcome to the gateway.")
            .chunks(4)
            .chunkDelay(Duration.ofMillis(60))
            .build());
    Json.Obj request =
        Json.object()
            .put("model", "acme/voice")
            .put("input", "Welcome to the gateway.")
            .put("voice", "alloy")
            .put("response_format", "mp3")
            .build();
    demoReport.showRequest(request);
    HttpCaller.SpeechAnswer answer = demo.caller().speak(providers.appKey(), request, 8);
    demoReport.showSpeech(answer);
    demo.showDecision(answer.answer());
  }

  private static Json.Obj.Builder requestWith(String preference, String... slugs) {
    return DemoContext.request(MODEL, "Hello?")
        .put("provider", Json.object().put(preference, DemoContext.strings(slugs)).build());
  }
}
