package io.strowger.core.destination;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallTrace;
import java.time.Instant;

/** Finished calls for tests. */
final class SampleTraces {
  private SampleTraces() {}

  /** Returns a call with a value in every member. */
  static CallTrace full(String id, String prompt, Instant started) {
    return new CallTrace(
        id,
        new CallTrace.Span(
            "0af7651916cd43dd8448eb211c80319c",
            "00f067aa0ba902b7",
            "b7ad6b7169203331",
            "step",
            "job",
            "inner",
            Json.object().put("team", "red").put("n", 5).build()),
        new CallTrace.Result(started, 12, 345_678_901L, "stop", "overloaded", 503, true),
        new CallTrace.Model("acme/large", "acme/small", "beta", "chat", true),
        Usage.builder()
            .freshInput(1)
            .inputAudio(2)
            .cacheRead(3)
            .cacheWrite5m(4)
            .cacheWrite1h(5)
            .outputText(6)
            .reasoning(7)
            .outputAudio(8)
            .images(9)
            .searches(10)
            .characters(11)
            .searchUnits(12)
            .seconds(13)
            .toolCallsRequested(14)
            .toolCallsExecuted(15)
            .estimated(true)
            .build(),
        new Usd(1_234_567),
        new CallTrace.Sender("u", "s"),
        new CallTrace.Details(
            new CallTrace.Identity("app", "ab12", "ws", "me"),
            new CallTrace.RequestContext("http://r.test", "t", "agent", "preset"),
            new CallTrace.Content(messages(prompt), messages("answer"))));
  }

  /** Returns a call with as few values as possible. */
  static CallTrace bare(String id, Instant started) {
    return new CallTrace(
        id,
        new CallTrace.Span("0", "1", null, "n", null, null, Json.Obj.EMPTY),
        new CallTrace.Result(started, -1, 0, null, null, 200, false),
        new CallTrace.Model("", "m", null, "chat", false),
        Usage.NONE,
        null,
        new CallTrace.Sender(null, null),
        CallTrace.Details.NONE);
  }

  private static Json.Arr messages(String text) {
    return Json.array(Json.object().put("role", "user").put("content", text).build());
  }
}
