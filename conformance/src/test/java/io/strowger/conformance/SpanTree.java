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
  private static final AttributeKey<String> INNER_CALL =
      AttributeKey.stringKey("strowger.inner_call");
  private static final AttributeKey<String> ENDPOINT = AttributeKey.stringKey("strowger.endpoint");

  /** The attributes that differ from run to run, or that are in the name of the span. */
  private static final Set<String> OMITTED =
      Set.of(
          "gen_ai.response.id",
          "gen_ai.operation.name",
          "gen_ai.request.model",
          "strowger.attempt");

  private SpanTree() {}

  /** Returns the span of the call, which is the only one of kind server. */
  static SpanData root(List<SpanData> spans) {
    return spans.stream()
        .filter(span -> span.getKind() == SpanKind.SERVER)
        .reduce(
            (one, other) -> {
              throw new AssertionError("two calls: " + one + ", " + other);
            })
        .orElseThrow();
  }

  /** Returns the spans below the span of the call, in the order of their attempts. */
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

  /**
   * Returns attempts in a stable order: adjacent calls of a panel, which run concurrently, are
   * sorted by endpoint.
   */
  private static List<SpanData> inOrder(List<SpanData> attempts) {
    var all = new ArrayList<SpanData>();
    var concurrent = new ArrayList<SpanData>();
    for (SpanData attempt : attempts) {
      if (!concurrent.isEmpty() && !isPanel(attempt)) {
        addSorted(concurrent, all);
      }
      if (isPanel(attempt)) {
        concurrent.add(attempt);
      } else {
        all.add(attempt);
      }
    }
    addSorted(concurrent, all);
    return all;
  }

  private static boolean isPanel(SpanData attempt) {
    return isPanel(attempt.getAttributes());
  }

  private static boolean isPanel(Attributes of) {
    String call = of.get(INNER_CALL);
    return call != null && call.contains("panel");
  }

  private static void addSorted(List<SpanData> concurrent, List<SpanData> all) {
    concurrent.sort(Comparator.comparing(span -> span.getAttributes().get(ENDPOINT)));
    all.addAll(concurrent);
    concurrent.clear();
  }

  /** Adds the name of a span, and the attributes that are not in the name. */
  private static void span(SpanData span, String before, String below, List<String> lines) {
    var values = new TreeMap<String, Object>();
    span.getAttributes()
        .forEach(
            (key, value) -> {
              if (!OMITTED.contains(key.getKey())) {
                values.put(key.getKey(), value);
              }
            });
    boolean failed = span.getStatus().getStatusCode() == StatusCode.ERROR;
    String kind = span.getKind().name().toLowerCase(Locale.ROOT);
    lines.add(before + span.getName() + " (" + kind + (failed ? ", error)" : ")"));
    lines.add(below + " " + attributes(values));
    events(span, below + " * ", lines);
  }

  private static void events(SpanData span, String before, List<String> lines) {
    var concurrent = new ArrayList<EventData>();
    for (EventData event : span.getEvents()) {
      if (!isPanel(event.getAttributes())) {
        addSortedEvents(concurrent, before, lines);
        add(event, before, lines);
      } else {
        concurrent.add(event);
      }
    }
    addSortedEvents(concurrent, before, lines);
  }

  private static void addSortedEvents(
      List<EventData> concurrent, String before, List<String> lines) {
    concurrent.sort(Comparator.comparing(event -> event.getAttributes().get(INNER_CALL)));
    concurrent.forEach(event -> add(event, before, lines));
    concurrent.clear();
  }

  private static void add(EventData event, String before, List<String> lines) {
    var values = new TreeMap<String, Object>();
    event.getAttributes().forEach((key, value) -> values.put(key.getKey(), value));
    lines.add(before + event.getName() + attributes(values));
  }

  private static String attributes(Map<String, Object> values) {
    var text = new StringBuilder();
    values.forEach((name, value) -> text.append(' ').append(name).append('=').append(value));
    return text.toString();
  }
}
