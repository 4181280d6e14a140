package io.strowger.host.demo;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallRecord;
import java.io.IOException;
import java.util.Arrays;

/** What every scene plays on. */
record DemoContext(
    DemoReport page,
    Providers providers,
    HttpCaller caller,
    CallRecordCollector records,
    Catalog catalog,
    Ambient ambient) {

  /** A request for the model with one message. */
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

  /** Asks, and shows question, answer and decision. */
  void ask(String key, Json.Obj request) throws IOException, InterruptedException {
    page.asks(request);
    HttpCaller.Answer answer = caller.ask(key, request);
    page.answers(answer);
    decision(answer);
  }

  /** Asks for a stream, and shows its pieces as they come. */
  void stream(String key, Json.Obj request) throws IOException, InterruptedException {
    page.asks(request.with("stream", Json.TRUE));
    decision(caller.stream(key, request, page::piece));
  }

  /** Shows what is behind an answer, when it got as far as a decision. */
  void decision(HttpCaller.Answer answer) throws InterruptedException {
    CallRecord record = answer.id() == null ? null : records.take(answer.id());
    if (record != null) {
      page.decision(catalog, record);
    }
  }
}
