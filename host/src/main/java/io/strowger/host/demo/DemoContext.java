package io.strowger.host.demo;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallRecord;
import java.io.IOException;
import java.util.Arrays;

/** The objects that all scenes share. */
record DemoContext(
    DemoReport report,
    Providers providers,
    HttpCaller caller,
    CallRecordCollector records,
    Catalog catalog,
    Ambient ambient) {

  /** Returns a request builder with one user message. */
  static Json.Obj.Builder request(String model, String message) {
    return Json.object()
        .put("model", model)
        .put(
            "messages",
            Json.array(Json.object().put("role", "user").put("content", message).build()));
  }

  static Json strings(String... texts) {
    return Json.array(Arrays.stream(texts).map(Json::of).toList());
  }

  /** Sends a request; prints it, the answer and the decision. */
  void ask(String key, Json.Obj request) throws IOException, InterruptedException {
    report.showRequest(request);
    HttpCaller.Answer answer = caller.ask(key, request);
    report.showAnswer(answer);
    showDecision(answer);
  }

  /** Streams an answer, printing pieces as they arrive. */
  void stream(String key, Json.Obj request) throws IOException, InterruptedException {
    report.showRequest(request.with("stream", Json.TRUE));
    showDecision(caller.stream(key, request, report::showPiece));
  }

  /** Prints the decision behind an answer, if there was one. */
  void showDecision(HttpCaller.Answer answer) throws InterruptedException {
    CallRecord record = answer.id() == null ? null : records.take(answer.id());
    if (record != null) {
      report.showDecision(catalog, record);
    }
  }
}
