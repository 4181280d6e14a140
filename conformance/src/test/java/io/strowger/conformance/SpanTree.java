package io.strowger.conformance;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Draws the spans of one call as {@code docs/telemetry.md} shows them: without ids and times, and
 * with calls that run at the same time in the order of their endpoints.
 */
final class SpanTree {
  private static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("strowger.attempt");
  private static final AttributeKey<String> CALL = AttributeKey.stringKey("strowger.inner_call");
  private static final AttributeKey<String> ENDPOINT = AttributeKey.stringKey("strowger.endpoint");

  /** What differs from run to run, and what the names of spans say. */
  private static final Set<String> UNSAID =
      Set.of(
          "gen_ai.response.id",
          "gen_ai.operation.name",
          "gen_ai.request.model",
          "strowger.attempt");

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
    span(root, "", "|  ", lines);
    for (SpanData attempt : inOrder(attempts(spans))) {
      span(attempt, "+- ", "|    ", lines);
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
    return isPanel(attempt.getAttributes());
  }

  private static boolean isPanel(Attributes of) {
    String call = of.get(CALL);
    return call != null && call.contains("panel");
  }

  private static void addSorted(List<SpanData> together, List<SpanData> all) {
    together.sort(Comparator.comparing(span -> span.getAttributes().get(ENDPOINT)));
    all.addAll(together);
    together.clear();
  }

  /** Adds the name, and the attributes that the name does not say. */
  private static void span(SpanData span, String before, String below, List<String> lines) {
    var said = new TreeMap<String, Object>();
    span.getAttributes()
        .forEach(
            (key, value) -> {
              if (!UNSAID.contains(key.getKey())) {
                said.put(key.getKey(), value);
              }
            });
    boolean failed = span.getStatus().getStatusCode() == StatusCode.ERROR;
    String kind = span.getKind().name().toLowerCase(Locale.ROOT);
    lines.add(before + span.getName() + " (" + kind + (failed ? ", error)" : ")"));
    lines.add(below + " " + attributes(said));
    events(span, below + " * ", lines);
  }

  private static void events(SpanData span, String before, List<String> lines) {
    var together = new ArrayList<EventData>();
    for (EventData event : span.getEvents()) {
      if (!isPanel(event.getAttributes())) {
        addSortedEvents(together, before, lines);
        add(event, before, lines);
      } else {
        together.add(event);
      }
    }
    addSortedEvents(together, before, lines);
  }

  private static void addSortedEvents(List<EventData> together, String before, List<String> lines) {
    together.sort(Comparator.comparing(event -> event.getAttributes().get(CALL)));
    together.forEach(event -> add(event, before, lines));
    together.clear();
  }

  private static void add(EventData event, String before, List<String> lines) {
    var said = new TreeMap<String, Object>();
    event.getAttributes().forEach((key, value) -> said.put(key.getKey(), value));
    lines.add(before + event.getName() + attributes(said));
  }

  private static String attributes(Map<String, Object> said) {
    var text = new StringBuilder();
    said.forEach((name, value) -> text.append(' ').append(name).append('=').append(value));
    return text.toString();
  }
}
