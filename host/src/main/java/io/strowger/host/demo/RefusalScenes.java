package io.strowger.host.demo;

import io.strowger.core.json.JacksonCodec;
import io.strowger.simulated.ReceivedRequest;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;

/** Scenes of requests that are refused, limited or abandoned. */
final class RefusalScenes {
  private static final int LONG_ANSWER_TOKENS = 400;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final DemoContext demo;
  private final DemoReport demoReport;
  private final Providers providers;

  RefusalScenes(DemoContext demo) {
    this.demo = demo;
    this.demoReport = demo.report();
    this.providers = demo.providers();
  }

  void play() throws IOException, InterruptedException {
    badRequest();
    wrongKey();
    limit();
    clientLeaves();
  }

  private void badRequest() throws IOException, InterruptedException {
    demoReport.scene("A bad request: every problem at once, each with its place");
    Json.Obj invalid =
        Json.object()
            .put("model", "acme/large")
            .put("messages", Json.array())
            .put("temperature", Json.of(new BigDecimal("2.5")))
            .put("provider", Json.object().put("ordre", DemoContext.strings("alpha")).build())
            .build();
    demo.ask(providers.appKey(), invalid);
  }

  private void wrongKey() throws IOException, InterruptedException {
    demoReport.scene("A wrong key");
    demo.ask("sk-nobody", DemoContext.request("acme/large", "Hello?").build());
  }

  private void limit() throws IOException, InterruptedException {
    demoReport.scene("A key that may spend $0.001: its output is capped, then it is refused");
    providers.gamma.respond(Providers.SMALL, request -> longAnswer(request, LONG_ANSWER_TOKENS));
    Json.Obj request = DemoContext.request("acme/small", "Tell me a story.").build();
    for (int i = 0; i < 3; i++) {
      if (i > 0) {
        demoReport.blank();
      }
      demo.ask(providers.internKey(), request);
    }
  }

  /** Returns an answer of as many tokens as the request allows, at most {@code maxTokens}. */
  static Script longAnswer(ReceivedRequest request, int maxTokens) {
    long cap = LONG_ANSWER_TOKENS;
    try {
      if (new JacksonCodec().parse(request.body().clone()) instanceof Json.Obj body) {
        cap =
            body.longValue(
                "max_completion_tokens", body.longValue("max_tokens", LONG_ANSWER_TOKENS));
      }
    } catch (JsonCodec.MalformedJsonException e) {
      return Script.status(400);
    }
    int written = (int) Math.min(maxTokens, cap);
    return Script.builder()
        .text("Once upon a time ... (" + written + " tokens, was allowed " + cap + ")")
        .tokens(10, written)
        .finishReason(written == cap ? "length" : "stop")
        .build();
  }

  private void clientLeaves() throws IOException, InterruptedException {
    demoReport.scene("A client that goes away: its upstream request is cancelled at once");
    providers.alpha.answerNextWith(
        Script.builder()
            .text("Nobody will read all of this.")
            .fault(new ScriptedFault.Stall(1))
            .build());
    Json.Obj request =
        DemoContext.request("acme/large", "Hello?")
            .put("provider", Json.object().put("only", DemoContext.strings("alpha")).build())
            .build();
    demoReport.showRequest(request.with("stream", Json.TRUE));
    HttpCaller.Answer answer =
        demo.caller().streamAndLeave(providers.appKey(), request, demoReport::showPiece);
    long start = demo.ambient().nanoTime();
    boolean isCancelled = providers.alpha.awaitClientGone(PATIENCE);
    double millis = (demo.ambient().nanoTime() - start) / 1e6;
    demoReport.say(
        isCancelled
            ? "The client left; alpha saw its request cancelled "
                + DemoReport.millis(millis)
                + " later."
            : "The client left, and alpha did not notice.");
    demo.showDecision(answer);
  }
}
