package io.strowger.conformance;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Draws the spans of one call as {@code docs/telemetry.md} shows them: without ids and times, and
 * with calls that run at the same time in the order of their endpoints.
 */
final class SpanTree {
  private static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("strowger.attempt");
  private static final AttributeKey<String> CALL = AttributeKey.stringKey("strowger.inner_call");
  private static final AttributeKey<String> ENDPOINT = AttributeKey.stringKey("strowger.endpoint");

  private SpanTree() {}

  /** The span that has no parent among the spans. */
  static SpanData root(List<SpanData> spans) {
    return spans.stream()
        .filter(span -> span.getKind() == SpanKind.SERVER)
        .reduce(
            (one, other) -> {
              throw new AssertionError("two calls: " + one + ", " + other);
            })
        .orElseThrow();
  }

  /** The spans below it, in the order their attempts began. */
  static List<SpanData> attempts(List<SpanData> spans) {
    String parent = root(spans).getSpanId();
    return spans.stream()
        .filter(span -> span.getParentSpanId().equals(parent))
        .sorted(Comparator.comparing(span -> span.getAttributes().get(ATTEMPT)))
        .toList();
  }

  static String draw(List<SpanData> spans) {
    SpanData root = root(spans);
    var lines = new ArrayList<String>();
    lines.add(line(root));
    events(root, "|   ", lines);
    for (SpanData attempt : inOrder(attempts(spans))) {
      lines.add("+-- " + line(attempt));
      events(attempt, "|   | ", lines);
    }
    return String.join("\n", lines) + "\n";
  }

  /** Inner calls of one name in a row began at the same time, in any order. */
  private static List<SpanData> inOrder(List<SpanData> attempts) {
    var all = new ArrayList<SpanData>();
    var together = new ArrayList<SpanData>();
    for (SpanData attempt : attempts) {
      if (!together.isEmpty() && !isPanel(attempt)) {
        addSorted(together, all);
      }
      if (isPanel(attempt)) {
        together.add(attempt);
      } else {
        all.add(attempt);
      }
    }
    addSorted(together, all);
    return all;
  }

  private static boolean isPanel(SpanData attempt) {
    String call = attempt.getAttributes().get(CALL);
    return call != null && call.contains("panel");
  }

  private static void addSorted(List<SpanData> together, List<SpanData> all) {
    together.sort(Comparator.comparing(span -> span.getAttributes().get(ENDPOINT)));
    all.addAll(together);
    together.clear();
  }

  private static String line(SpanData span) {
    var said = new TreeMap<String, Object>();
    span.getAttributes()
        .forEach(
            (key, value) -> {
              if (!key.getKey().equals("gen_ai.response.id")
                  && !key.getKey().equals("strowger.attempt")) {
                said.put(key.getKey(), value);
              }
            });
    return "%s (%s%s)%s"
        .formatted(
            span.getName(),
            span.getKind().name().toLowerCase(Locale.ROOT),
            span.getStatus().getStatusCode().name().equals("ERROR") ? ", error" : "",
            attributes(said));
  }

  private static void events(SpanData span, String before, List<String> lines) {
    for (EventData event : span.getEvents()) {
      var said = new TreeMap<String, Object>();
      event.getAttributes().forEach((key, value) -> said.put(key.getKey(), value));
      lines.add(before + "* " + event.getName() + attributes(said));
    }
  }

  private static String attributes(Map<String, Object> said) {
    var text = new StringBuilder();
    said.forEach((name, value) -> text.append(' ').append(name).append('=').append(value));
    return text.toString();
  }
}
