package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.sdk.trace.data.SpanData;
import io.strowger.simulated.ReceivedRequest;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests traces. Their trees are shown in {@code docs/telemetry.md}. */
@DisplayName("The trace of a call")
class TelemetryTracesTest {
  private static final Path PAGE = Path.of("../docs/telemetry.md");
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String SPAN = "b7ad6b7169203331";
  private static final String ORDERED =
      "{'model':'acme/large','provider':{'order':['alpha','beta']},"
          + "'messages':[{'role':'user','content':'My secret question'}]%s}";

  /** Returns the tree under a heading of the page. */
  private static String documentedTree(String heading) throws IOException {
    Matcher found =
        Pattern.compile("\n## " + heading + "\n.*?```text\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(PAGE));
    assertThat(found.find()).as(heading).isTrue();
    return found.group(1);
  }

  private static String traceparentOf(SpanData span) {
    return "00-%s-%s-%s"
        .formatted(
            span.getTraceId(), span.getSpanId(), span.getSpanContext().getTraceFlags().asHex());
  }

  private static void assertNoSecrets(List<SpanData> spans) {
    assertThat(spans.toString())
        .doesNotContain("secret", Fixtures.APP_KEY, "sk-", "Hello from afar", "The panel agrees");
  }

  /** Asserts that attempts lie within their call, and end after they begin. */
  private static void assertNested(List<SpanData> spans) {
    SpanData root = SpanTree.root(spans);
    assertThat(root.getStartEpochNanos()).isLessThanOrEqualTo(root.getEndEpochNanos());
    assertThat(SpanTree.attempts(spans))
        .hasSize(spans.size() - 1)
        .allSatisfy(
            span -> {
              assertThat(span.getTraceId()).isEqualTo(root.getTraceId());
              assertThat(span.getStartEpochNanos())
                  .isBetween(root.getStartEpochNanos(), span.getEndEpochNanos());
              assertThat(span.getEndEpochNanos()).isLessThanOrEqualTo(root.getEndEpochNanos());
            });
  }

  @Test
  @DisplayName(
      "has a span for each attempt of a fallback, and the span's id is sent to the upstream")
  void fallback() throws IOException {
    try (var traced = new TracedGateway(true)) {
      traced.alpha.script("large", Script.status(503));
      traced.beta.script("large", Script.answer("Hello from afar"));
      assertThat(traced.ask("/chat/completions", ORDERED.formatted(""), Map.of()))
          .contains("Hello from afar");
      List<SpanData> spans = traced.spans.ended();
      assertThat(SpanTree.draw(spans)).isEqualTo(documentedTree("A fallback"));
      assertNested(spans);
      assertNoSecrets(spans);
      assertThat(SpanTree.root(spans).getParentSpanContext().isValid()).isFalse();
      List<SpanData> attempts = SpanTree.attempts(spans);
      assertThat(traced.alpha.last().header("traceparent"))
          .isEqualTo(traceparentOf(attempts.get(0)));
      assertThat(traced.beta.last().header("traceparent"))
          .isEqualTo(traceparentOf(attempts.get(1)));
    }
  }

  @Test
  @DisplayName(
      "has a span for each member of a panel, for the analyst and for each turn of the answer")
  void fusion() throws IOException {
    try (var spans = new TracedGateway.Spans();
        var gateway = new FusionGateway(spans.tracer())) {
      FusionGateway.TestResponse response =
          gateway.ask(
              "{'model':'acme/outer','messages':[{'role':'user','content':'A secret?'}],"
                  + "'plugins':[{'id':'fusion','analysis_models':['acme/a','acme/b'],"
                  + "'model':'acme/judge','tools':[]}]}");
      assertThat(response.body()).contains(FusionGateway.FINAL_ANSWER);
      assertThat(SpanTree.draw(spans.ended())).isEqualTo(documentedTree("A fusion"));
      assertNested(spans.ended());
      assertNoSecrets(spans.ended());
      assertThat(gateway.upstream.received())
          .extracting(one -> one.header("traceparent"))
          .containsExactlyInAnyOrderElementsOf(
              SpanTree.attempts(spans.ended()).stream()
                  .map(TelemetryTracesTest::traceparentOf)
                  .toList());
    }
  }

  private static Script callClock(ReceivedRequest request) {
    return request.text().contains("tool_call_id")
        ? Script.answer("Hello from afar")
        : Script.builder().text("").toolCall("call_1", "datetime", "{}").build();
  }

  @Test
  @DisplayName("has a span for each turn of a tool loop")
  void toolLoop() throws IOException {
    try (var traced = new TracedGateway(true)) {
      traced.alpha.respond("large", TelemetryTracesTest::callClock);
      assertThat(
              traced.ask(
                  "/chat/completions",
                  ORDERED.formatted(",'tools':[{'type':'router:datetime'}]"),
                  Map.of()))
          .contains("Hello from afar");
      List<SpanData> spans = traced.spans.ended();
      assertThat(SpanTree.draw(spans)).isEqualTo(documentedTree("A tool loop"));
      assertNested(spans);
      assertNoSecrets(spans);
    }
  }

  @Test
  @DisplayName("shows that a stream which broke off failed after its first content")
  void cut() throws IOException {
    try (var traced = new TracedGateway(true)) {
      traced.alpha.script(
          "large",
          Script.builder()
              .text("Hello from afar")
              .chunks(4)
              .fault(new ScriptedFault.Cut(2))
              .build());
      assertThat(traced.ask("/chat/completions", ORDERED.formatted(",'stream':true"), Map.of()))
          .contains("\"Hel\"", "\"error\"");
      List<SpanData> spans = traced.spans.ended();
      assertThat(SpanTree.draw(spans)).isEqualTo(documentedTree("A cut stream"));
      assertNested(spans);
      assertNoSecrets(spans);
    }
  }

  @Test
  @DisplayName("continues the caller's trace")
  void continued() throws IOException {
    try (var traced = new TracedGateway(true)) {
      traced.alpha.script("large", Script.answer("Hello from afar"));
      traced.ask(
          "/chat/completions",
          ORDERED.formatted(""),
          Map.of(
              "traceparent", List.of("00-" + TRACE + "-" + SPAN + "-01"),
              "tracestate", List.of("vendor=opaque", "other=1")));
      SpanData root = SpanTree.root(traced.spans.ended());
      assertThat(root.getTraceId()).isEqualTo(TRACE);
      assertThat(root.getParentSpanId()).isEqualTo(SPAN);
      assertThat(root.getParentSpanContext().isRemote()).isTrue();
      assertThat(root.getParentSpanContext().getTraceState().get("vendor")).isEqualTo("opaque");
      assertThat(root.getParentSpanContext().getTraceState().get("other")).isEqualTo("1");
      assertThat(traced.alpha.last().header("traceparent"))
          .startsWith("00-" + TRACE + "-")
          .doesNotContain(SPAN);
      assertThat(traced.alpha.last().header("tracestate"))
          .as("tracestate, which is not for upstreams")
          .isNull();
    }
  }

  @Test
  @DisplayName("keeps the sampling decision of the caller, and sends it to upstreams")
  void unsampled() throws IOException {
    try (var traced = new TracedGateway(true)) {
      traced.alpha.script("large", Script.answer("Hello from afar"));
      traced.ask(
          "/chat/completions",
          ORDERED.formatted(""),
          Map.of("traceparent", List.of("00-" + TRACE + "-" + SPAN + "-00")));
      assertThat(traced.spans.ended()).isEmpty();
      assertThat(traced.alpha.last().header("traceparent")).matches("00-" + TRACE + "-.{16}-00");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0\u00e9",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\nX-Evil: 1"
      })
  @DisplayName("is a new trace if the header is invalid, and the request is still served")
  void hostile(String header) throws IOException {
    try (var traced = new TracedGateway(true)) {
      traced.alpha.script("large", Script.answer("Hello from afar"));
      assertThat(
              traced.ask(
                  "/chat/completions",
                  ORDERED.formatted(""),
                  Map.of("traceparent", List.of(header))))
          .contains("Hello from afar");
      SpanData root = SpanTree.root(traced.spans.ended());
      assertThat(root.getParentSpanContext().isValid()).isFalse();
      assertThat(root.getTraceId()).isNotEqualTo(TRACE);
      assertThat(traced.alpha.last().headers()).doesNotContainKey("x-evil");
    }
  }

  @Test
  @DisplayName("is a new trace if two headers contradict each other")
  void twoHeaders() throws IOException {
    try (var traced = new TracedGateway(true)) {
      traced.alpha.script("large", Script.answer("Hello from afar"));
      traced.ask(
          "/chat/completions",
          ORDERED.formatted(""),
          Map.of(
              "traceparent",
              List.of(
                  "00-" + TRACE + "-" + SPAN + "-01",
                  "00-" + TRACE.replace('0', '1') + "-" + SPAN + "-01")));
      assertThat(SpanTree.root(traced.spans.ended()).getParentSpanContext().isValid()).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /embeddings   | {'model':'acme/vectors','input':'a'} | embeddings acme/vectors
          /audio/speech | {'model':'acme/voice','input':'a','voice':'v'} | speech acme/voice
          /rerank       | {'model':'acme/rank','query':'a','documents':['a','b']} | rerank acme/rank
          """)
  @DisplayName("is created and passed on for every kind of request")
  void kinds(String path, String body, String name) throws IOException {
    try (var traced = new TracedGateway(true)) {
      traced.ask(path, body, Map.of());
      List<SpanData> spans = traced.spans.ended();
      assertThat(SpanTree.root(spans).getName()).isEqualTo(name);
      assertThat(traced.beta.last().header("traceparent"))
          .isEqualTo(traceparentOf(SpanTree.attempts(spans).getFirst()));
    }
  }

  @Test
  @DisplayName("is neither read nor sent if nothing is traced")
  void untraced() throws IOException {
    try (var plain = new TracedGateway(false)) {
      plain.alpha.script("large", Script.answer("Hello from afar"));
      plain.ask(
          "/chat/completions",
          ORDERED.formatted(""),
          Map.of("traceparent", List.of("00-" + TRACE + "-" + SPAN + "-01")));
      assertThat(plain.alpha.last().header("traceparent")).isNull();
    }
  }
}
