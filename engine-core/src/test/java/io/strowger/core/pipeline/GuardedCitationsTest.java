package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.EngineCalls.helloRequest;
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
  private static TestInterceptor guardPlugin(String id, int order, String action) {
    Json.Obj filter =
        (Json.Obj)
            ToolLoops.json(
                "{'name':'g','content_filters':[{'pattern':'secret-[0-9]+','action':'%s',"
                        .formatted(action)
                    + "'direction':'output'}]}");
    Interceptor answers =
        Objects.requireNonNull(
            Objects.requireNonNull(ContentFilter.of(List.of(filter))).answerInterceptor());
    return new TestInterceptor(id, order, Scope.REQUEST, answers::intercept);
  }

  private static TestInterceptor citingPlugin(int order, Scope where, String... titles) {
    return new TestInterceptor(
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

  private static List<Event> serve(TestInterceptor... plugins) {
    try (var engine = new ScriptedEngine(null, TestInterceptor.pluginsOf(plugins))) {
      engine.alpha.streams(started(), text("It is so."), usage(1, 1), finished());
      return drain(answered(engine.serve(helloRequest())));
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
  @DisplayName("are checked by the guard in front of the plugin that found the pages")
  void checked(String id, int order, int finderOrder, Scope where) {
    TestInterceptor finder = citingPlugin(finderOrder, where, "secret-12", "page");
    assertThat(titles(serve(guardPlugin(id, order, "redact"), finder)))
        .containsExactly("[REDACTED]", "page");
    assertThat(serve(guardPlugin(id, order, "block"), finder).getLast())
        .isInstanceOf(Event.Failed.class);
  }

  @Test
  @DisplayName("are added once, after the first text, whichever plugins found the page")
  void once() {
    List<Event> events =
        serve(
            guardPlugin("content-filter", 1, "redact"),
            guardPlugin("moderation", 300, "redact"),
            citingPlugin(500, Scope.REQUEST, "one", "two"),
            citingPlugin(600, Scope.REQUEST, "two"));
    assertThat(titles(events)).containsExactly("one", "two");
    assertThat(events.stream().map(event -> event.getClass().getSimpleName()))
        .containsSubsequence("TextDelta", "Annotation", "Annotation", "Finished");
  }

  @Test
  @DisplayName("belong to the answer for which they were found, not to one that a plugin discarded")
  void discarded() {
    TestInterceptor twice =
        new TestInterceptor(
            "twice",
            200,
            Scope.REQUEST,
            (request, chain) -> {
              try (var first = chain.proceed(request)) {
                while (first.next() != null) {}
              }
              return chain.proceed(request);
            });
    try (var engine =
        new ScriptedEngine(
            null,
            TestInterceptor.pluginsOf(
                twice,
                guardPlugin("moderation", 300, "redact"),
                citingPlugin(500, Scope.REQUEST, "page")))) {
      for (int i = 0; i < 2; i++) {
        engine.alpha.streams(started(), text("It is so."), usage(1, 1), finished());
      }
      assertThat(titles(drain(answered(engine.serve(helloRequest()))))).containsExactly("page");
    }
  }
}
