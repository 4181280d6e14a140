package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.ask;
import static io.strowger.core.pipeline.Asking.drain;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.started;
import static io.strowger.tck.Step.text;
import static io.strowger.tck.Step.usage;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.guardrail.ContentFilter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.plugin.Interceptor.Scope;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Citations of an answer")
class GuardedCitationsTest {
  private static Around guard(String id, int order, String action) {
    Json.Obj filter =
        (Json.Obj)
            Loops.json(
                "{'name':'g','content_filters':[{'pattern':'secret-[0-9]+','action':'%s',"
                        .formatted(action)
                    + "'direction':'output'}]}");
    Interceptor answers =
        Objects.requireNonNull(
            Objects.requireNonNull(ContentFilter.of(List.of(filter))).answerInterceptor());
    return new Around(id, order, Scope.REQUEST, answers::intercept);
  }

  private static Around citing(int order, Scope where, String... titles) {
    return new Around(
        "finder-" + order + where.name().toLowerCase(Locale.ROOT),
        order,
        where,
        (request, chain) -> {
          for (String title : titles) {
            cite(title, chain);
          }
          return chain.proceed(request);
        });
  }

  private static void cite(String title, Chain chain) {
    chain.cite(
        Json.object()
            .put("type", "url_citation")
            .put(
                "url_citation",
                Json.object()
                    .put("url", "https://example.com/" + title)
                    .put("title", title)
                    .build())
            .build());
  }

  private static List<Event> asked(Around... plugins) {
    try (var exchange = new ScriptedEngine(null, Around.all(plugins))) {
      exchange.alpha.streams(started(), text("It is so."), usage(1, 1), finished());
      return drain(answered(exchange.serve(ask())));
    }
  }

  private static List<String> titles(List<Event> events) {
    return events.stream()
        .filter(Event.Annotation.class::isInstance)
        .map(event -> ((Event.Annotation) event).body().object("url_citation"))
        .map(page -> Objects.requireNonNull(page).text("title"))
        .toList();
  }

  @ParameterizedTest(name = "{0} at {1}, pages found at {2} around each {3}")
  @CsvSource({
    "content-filter, 1, 200, REQUEST",
    "content-filter, 1, 500, REQUEST",
    "content-filter, 1, 500, ATTEMPT",
    "moderation, 300, 350, REQUEST",
    "moderation, 300, 500, REQUEST",
    "moderation, 300, 500, ATTEMPT"
  })
  @DisplayName("are looked through by the guard in front of whoever found the pages")
  void looked(String id, int order, int found, Scope where) {
    Around finder = citing(found, where, "secret-12", "page");
    assertThat(titles(asked(guard(id, order, "redact"), finder)))
        .containsExactly("[REDACTED]", "page");
    assertThat(asked(guard(id, order, "block"), finder).getLast()).isInstanceOf(Event.Failed.class);
  }

  @Test
  @DisplayName("stand once behind the first text, whichever plugins found the page")
  void once() {
    List<Event> events =
        asked(
            guard("content-filter", 1, "redact"),
            guard("moderation", 300, "redact"),
            citing(500, Scope.REQUEST, "one", "two"),
            citing(600, Scope.REQUEST, "two"));
    assertThat(titles(events)).containsExactly("one", "two");
    assertThat(events.stream().map(event -> event.getClass().getSimpleName()))
        .containsSubsequence("TextDelta", "Annotation", "Annotation", "Finished");
  }

  @Test
  @DisplayName("belong to the answer they were found for, not to one that was given up")
  void discarded() {
    Around twice =
        new Around(
            "twice",
            200,
            Scope.REQUEST,
            (request, chain) -> {
              try (var first = chain.proceed(request)) {
                while (first.next() != null) {}
              }
              return chain.proceed(request);
            });
    try (var exchange =
        new ScriptedEngine(
            null,
            Around.all(
                twice, guard("moderation", 300, "redact"), citing(500, Scope.REQUEST, "page")))) {
      for (int i = 0; i < 2; i++) {
        exchange.alpha.streams(started(), text("It is so."), usage(1, 1), finished());
      }
      assertThat(titles(drain(answered(exchange.serve(ask()))))).containsExactly("page");
    }
  }
}
