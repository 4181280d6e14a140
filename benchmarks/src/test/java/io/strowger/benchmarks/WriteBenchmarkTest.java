package io.strowger.benchmarks;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WriteBenchmarkTest {
  @ParameterizedTest
  @ValueSource(strings = {"1k", "32k"})
  @DisplayName("The engine and its peer write the same document, which differs from the caller's")
  void sameDocument(String body) throws Exception {
    var benchmark = new WriteBenchmark();
    benchmark.body = body;
    benchmark.setUp();
    Json written = new JacksonCodec().parse(benchmark.write().toByteArray());
    assertThat(written).isEqualTo(new JacksonCodec().parse(benchmark.tree()));
    assertThat(written).isNotEqualTo(new JacksonCodec().parse(benchmark.copy()));
    assertThat(((Json.Obj) written).text("model")).isEqualTo("large-2026-05-01");
    assertThat(((Json.Obj) written).has("provider")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1k", "32k"})
  @DisplayName("The documents in other dialects have every text of the caller's")
  void otherDialects(String body) throws Exception {
    var benchmark = new WriteBenchmark();
    benchmark.body = body;
    benchmark.setUp();
    Json.Obj request = object(benchmark.copy());
    Json.Obj messages = object(benchmark.toMessages().toByteArray());
    Json.Obj gemini = object(benchmark.toGemini().toByteArray());
    var messagesTexts = new ArrayList<String>();
    messagesTexts.add(requireNonNull(messages.text("system")));
    messagesTexts.addAll(texts(messages, "messages", "content"));
    assertThat(messagesTexts).isEqualTo(texts(request, "messages", "content"));
    var geminiTexts = new ArrayList<String>();
    geminiTexts.addAll(texts(requireNonNull(gemini.object("systemInstruction")), "parts", "text"));
    for (Json turn : requireNonNull(gemini.list("contents"))) {
      geminiTexts.addAll(texts((Json.Obj) turn, "parts", "text"));
    }
    assertThat(geminiTexts).isEqualTo(messagesTexts);
  }

  private static List<String> texts(Json.Obj object, String list, String member) {
    var texts = new ArrayList<String>();
    for (Json item : requireNonNull(object.list(list))) {
      texts.add(requireNonNull(((Json.Obj) item).text(member)));
    }
    return texts;
  }

  private static Json.Obj object(byte[] document) throws Exception {
    return (Json.Obj) new JacksonCodec().parse(document);
  }
}
