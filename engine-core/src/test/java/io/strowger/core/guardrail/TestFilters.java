package io.strowger.core.guardrail;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.core.dialect.messages.MessagesDecoder;
import io.strowger.core.dialect.responses.ResponsesDecoder;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Makes and applies content filters for tests. All JSON is written with single quotes. */
final class TestFilters {
  private static final JacksonCodec CODEC = new JacksonCodec();

  private TestFilters() {}

  static Json.Obj json(String text) {
    try {
      return (Json.Obj) CODEC.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException wrong) {
      throw new IllegalArgumentException(text, wrong);
    }
  }

  /** Returns the content filter of these guardrails, each of which is a JSON object. */
  static ContentFilter filter(String... guardrails) {
    return Objects.requireNonNull(
        ContentFilter.of(List.of(guardrails).stream().map(TestFilters::json).toList()));
  }

  static ContentFilter builtin(String action, String... slugs) {
    var list = List.of(slugs).stream().map(s -> "{'slug':'" + s + "','action':'" + action + "'}");
    return filter("{'content_filter_builtins':[" + String.join(",", list.toList()) + "]}");
  }

  static ContentFilter pattern(String pattern, String action) {
    return Objects.requireNonNull(
        ContentFilter.of(
            List.of(
                Json.object()
                    .put(
                        "content_filters",
                        Json.array(
                            Json.object().put("pattern", pattern).put("action", action).build()))
                    .build())));
  }

  static ContentFilter.Filtered apply(ContentFilter filter, InferenceRequest request) {
    return Objects.requireNonNull(filter.apply(request, new Cancellation()));
  }

  static InferenceRequest decode(Dialect dialect, String body) {
    var problems = new Problems(10);
    Json.Obj document = json(body);
    InferenceRequest request =
        switch (dialect) {
          case CHAT -> new ChatDecoder((e, at, p) -> {}).decode(document, problems);
          case MESSAGES -> new MessagesDecoder((e, at, p) -> {}).decode(document, problems);
          case RESPONSES -> new ResponsesDecoder((e, at, p) -> {}).decode(document, problems);
          case GEMINI ->
              throw new IllegalArgumentException("callers cannot use the dialect gemini");
        };
    assertThat(problems.list()).isEmpty();
    return request;
  }

  static InferenceRequest chat(String... messages) {
    return decode(Dialect.CHAT, "{'model':'a/b','messages':[" + String.join(",", messages) + "]}");
  }

  static InferenceRequest requestWithText(String text) {
    return InferenceRequest.builder(Dialect.CHAT, Json.Obj.EMPTY)
        .messages(List.of(Message.text(Message.Role.USER, text)))
        .build();
  }

  /** Returns the text of the first part of the first message. */
  static String text(InferenceRequest request) {
    return ((Part.Text) request.messages().getFirst().parts().getFirst()).text().text();
  }

  /** Returns a user's text as the filter passes it on. */
  static String filteredText(ContentFilter filter, String text) {
    return text(apply(filter, requestWithText(text)).request());
  }
}
