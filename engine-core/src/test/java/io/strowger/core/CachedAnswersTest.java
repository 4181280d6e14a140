package io.strowger.core;

import static io.strowger.tck.Given.answer;
import static io.strowger.tck.Given.failure;
import static io.strowger.tck.Step.emit;
import static io.strowger.tck.Step.failed;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.started;
import static io.strowger.tck.Step.text;
import static io.strowger.tck.Step.usage;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ScriptedServer.TestResponse;
import io.strowger.core.wire.WireBody;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.observe.CallRecord;
import io.strowger.tck.conformance.Proves;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The response cache")
class CachedAnswersTest {
  private ScriptedServer server = new ScriptedServer("");

  @AfterEach
  void close() {
    server.close();
  }

  private void reopen(String members) {
    server.close();
    server = new ScriptedServer(members);
  }

  @Nested
  @DisplayName("returns a stored answer")
  class Hit {
    @Proves({"routing.other.metadata.place", "resources.record.cache.hit"})
    @Test
    @DisplayName("with a new id, free, and with headers for its source and remaining lifetime")
    void whole() {
      server.upstream.answers(answer("Noon."));
      TestResponse first = server.prompt("What time?").cached().send();
      assertThat(first.cacheStatus()).isEqualTo("MISS");
      assertThat(first.header("X-Router-Cache-TTL")).isEqualTo("300");
      assertThat(first.header("X-Router-Cache-Age")).isNull();
      assertThat(first.header("X-Router-Cache-Source-Id")).isNull();
      server.ambient.advance(Duration.ofMillis(100_900));
      TestResponse second =
          server.prompt("What time?").cached().header("x-router-metadata", "enabled").send();
      assertThat(second.status()).isEqualTo(200);
      assertThat(second.cacheStatus()).isEqualTo("HIT");
      assertThat(second.header("X-Router-Cache-TTL")).isEqualTo("200");
      assertThat(second.header("X-Router-Cache-Age")).isEqualTo("100");
      assertThat(second.header("X-Router-Cache-Source-Id"))
          .isEqualTo(first.header("X-Generation-Id"));
      assertThat(second.header("X-Generation-Id")).isNotEqualTo(first.header("X-Generation-Id"));
      assertThat(second.json().text("id")).isEqualTo(second.header("X-Generation-Id"));
      assertThat(second.json().longValue("created", 0))
          .isEqualTo(server.ambient.now().getEpochSecond());
      assertThat(second.json().get("choices")).isEqualTo(first.json().get("choices"));
      assertThat(second.json().get("model")).isEqualTo(first.json().get("model"));
      assertThat(second.json().get("provider")).isEqualTo(first.json().get("provider"));
      assertThat(second.text()).contains("Noon.").doesNotContain("router_metadata");
      assertFree(second.at("usage"));
      assertThat(server.calls()).hasSize(1);
    }

    @Proves("resources.record.cache.hit")
    @Test
    @DisplayName("as a stream to a request for a stream")
    void streamed() {
      server.upstream.streams(
          started(), text("No"), text("on."), usage(10, 2), finished(StopReason.END));
      TestResponse first = server.streamingPrompt("What time?").cached().send();
      TestResponse second =
          server
              .streamingPrompt("What time?")
              .cached()
              .header("x-router-metadata", "enabled")
              .send();
      assertThat(second.cacheStatus()).isEqualTo("HIT");
      assertThat(first.cacheStatus()).isEqualTo("MISS");
      assertThat(second.text().split("\n\n", -1)).hasSameSizeAs(first.text().split("\n\n", -1));
      assertThat(second.text())
          .contains("\"No\"")
          .contains("\"on.\"")
          .contains("\"prompt_tokens\":0")
          .contains("\"cost\":0")
          .doesNotContain("router_metadata")
          .endsWith("data: [DONE]\n\n");
      assertThat(server.calls()).hasSize(1);
    }

    private void assertFree(Json.Obj usage) {
      assertThat(usage.longValue("prompt_tokens", 1)).isZero();
      assertThat(usage.longValue("completion_tokens", 1)).isZero();
      assertThat(usage.longValue("total_tokens", 1)).isZero();
      assertThat(usage.longValue("cost", 1)).isZero();
    }

    @Proves("resources.record.cache.hit")
    @Test
    @DisplayName("and records the call without cost or bill lines, with the source of the answer")
    void record() {
      server.upstream.answers(answer("Noon."));
      TestResponse first = server.prompt("What time?").cached().send();
      server.prompt("What time?").cached().send();
      assertThat(server.records).hasSize(2);
      assertThat(server.records.get(0).cachedGeneration()).isNull();
      CallRecord hit = server.records.get(1);
      assertThat(hit.cachedGeneration()).isEqualTo(first.header("X-Generation-Id"));
      assertThat(hit.outcome()).isEqualTo(CallRecord.Outcome.COMPLETE);
      assertThat(hit.endpoint()).isEqualTo("acme/large@alpha");
      assertThat(hit.billLines()).isEmpty();
      assertThat(hit.cost().nanos()).isZero();
    }

    @Test
    @DisplayName("and stores a generation of its own with its source and no cost")
    void generation() {
      server.upstream.answers(answer("Noon."));
      TestResponse first = server.prompt("What time?").cached().send();
      TestResponse second = server.prompt("What time?").cached().send();
      String id = String.valueOf(second.header("X-Generation-Id"));
      Json.Obj shown = server.get("/generation", "id=" + id).send().at("data");
      assertThat(shown.text("response_cache_source_id")).isEqualTo(first.header("X-Generation-Id"));
      assertThat(shown.text("model")).isEqualTo("acme/large");
      assertThat(shown.text("finish_reason")).isEqualTo("stop");
      assertThat(shown.longValue("total_cost", 1)).isZero();
      assertThat(shown.list("provider_responses")).isEmpty();
    }

    @Proves("resources.record.cache.what")
    @Test
    @DisplayName("that contains tool calls")
    void toolCall() {
      server.upstream.streams(
          emit(new Event.ToolCallDelta(0, "c1", "f", Json.of("{}"), null)),
          finished(StopReason.TOOL_CALLS));
      TestResponse first = server.prompt("call").cached().send();
      TestResponse second = server.prompt("call").cached().send();
      assertThat(second.cacheStatus()).isEqualTo("HIT");
      assertThat(second.json().get("choices")).isEqualTo(first.json().get("choices"));
    }
  }

  @Nested
  @DisplayName("treats requests as equal")
  class Same {
    /** Returns the cache status of a request that follows a fixed request. */
    private String statusAfterFirst(String body) {
      server.always(text("Noon."), finished());
      server
          .postChat(
              "{'model':'acme/large','messages':[{'role':'user','content':'hi'}],'top_p':0.5}")
          .cached()
          .send();
      return String.valueOf(server.postChat(body).cached().send().cacheStatus());
    }

    @Proves({"resources.record.cache.key", "open.82"})
    @Test
    @DisplayName("if they differ only in white space and escapes")
    void space() {
      assertThat(
              statusAfterFirst(
                  "{ 'model' : 'acme/large',\n'messages':[ {'role':'user','content':'\\u0068i'} ],"
                      + " 'top_p':0.5 }"))
          .isEqualTo("HIT");
    }

    @Proves({"resources.record.cache.key", "open.82"})
    @ParameterizedTest
    @CsvSource(
        delimiterString = " => ",
        quoteCharacter = '`',
        value = {
          "order => {'messages':[{'role':'user','content':'hi'}],'model':'acme/large','top_p':0.5}",
          "inner order =>"
              + " {'model':'acme/large','messages':[{'content':'hi','role':'user'}],'top_p':0.5}",
          "spelling =>"
              + " {'model':'acme/large','messages':[{'role':'user','content':'hi'}],'top_p':0.50}",
          "absent => {'model':'acme/large','messages':[{'role':'user','content':'hi'}]}",
          "default =>"
              + " {'model':'acme/large','messages':[{'role':'user','content':'hi'}],'top_p':0.5,'stream':false}",
          "text => {'model':'acme/large','messages':[{'role':'user','content':'hi '}],'top_p':0.5}",
          "stream =>"
              + " {'model':'acme/large','messages':[{'role':'user','content':'hi'}],'top_p':0.5,'stream':true}",
          "model =>"
              + " {'model':'acme/small:free','messages':[{'role':'user','content':'hi'}],'top_p':0.5}",
        })
    @DisplayName(
        "only if order, spelling of numbers, members, text, model and streaming are the same")
    void different(String difference, String body) {
      assertThat(statusAfterFirst(body)).as(difference).isEqualTo("MISS");
      assertThat(server.calls()).hasSize(2);
    }

    @Test
    @DisplayName("only if they request the same upstream features by header")
    void features() {
      server.always(text("Noon."), finished());
      server.prompt("hi").header("anthropic-beta", "one").cached().send();
      assertThat(server.prompt("hi").cached().send().cacheStatus()).isEqualTo("MISS");
      assertThat(server.prompt("hi").header("anthropic-beta", "two").cached().send().cacheStatus())
          .isEqualTo("MISS");
      assertThat(
              server.prompt("hi").header("x-anthropic-beta", "one").cached().send().cacheStatus())
          .isEqualTo("HIT");
    }

    @Proves("resources.record.cache.key")
    @Test
    @DisplayName("only on the same path of the API")
    void endpoints() {
      server.always(text("Noon."), finished());
      server.prompt("hi").cached().send();
      String body = "{'model':'acme/large','messages':[{'role':'user','content':'hi'}]}";
      assertThat(
              server
                  .post("/messages", body.replace("}]}", "}],'max_tokens':9}"))
                  .cached()
                  .send()
                  .cacheStatus())
          .isEqualTo("MISS");
      assertThat(
              server
                  .post("/messages", body.replace("}]}", "}],'max_tokens':9}"))
                  .cached()
                  .send()
                  .cacheStatus())
          .isEqualTo("HIT");
      String input = "{'model':'acme/large','input':'hi'}";
      assertThat(server.post("/responses", input).cached().send().cacheStatus()).isEqualTo("MISS");
      assertThat(server.post("/responses", input).cached().send().cacheStatus()).isEqualTo("HIT");
    }

    @Test
    @DisplayName("if they are the same after redaction")
    void redacted() {
      reopen(
          ",'account':{'guardrails':[{'name':'g','content_filter_builtins':"
              + "[{'slug':'email','action':'redact'}]}]}");
      server.always(text("Noon."), finished());
      assertThat(server.prompt("I am a@b.co").cached().send().cacheStatus()).isEqualTo("MISS");
      assertThat(server.prompt("I am c@d.co").cached().send().cacheStatus()).isEqualTo("HIT");
      assertThat(server.prompt("You are c@d.co").cached().send().cacheStatus()).isEqualTo("MISS");
    }
  }

  @Nested
  @DisplayName("stores")
  class Keeps {
    @Test
    @DisplayName("an answer for exactly the time that the request sets")
    void expires() {
      server.always(text("Noon."), finished());
      server.prompt("hi").cached().header("x-router-cache-ttl", "60").send();
      server.ambient.advance(Duration.ofMillis(59_999));
      TestResponse hit = server.prompt("hi").cached().send();
      assertThat(hit.cacheStatus()).isEqualTo("HIT");
      assertThat(hit.header("X-Router-Cache-TTL")).isEqualTo("1");
      server.ambient.advance(Duration.ofMillis(1));
      assertThat(server.prompt("hi").cached().send().cacheStatus()).isEqualTo("MISS");
    }

    @Proves("resources.record.cache.what")
    @Test
    @DisplayName("a new answer after a request to clear, which clears only the same request")
    void clears() {
      server.always(text("Noon."), finished());
      server.prompt("hi").cached().send();
      server.prompt("ho").cached().send();
      assertThat(server.prompt("hi").header("x-router-cache-clear", "true").send().cacheStatus())
          .isNull();
      assertThat(server.prompt("hi").cached().send().cacheStatus())
          .as("a request that does not use the cache clears nothing")
          .isEqualTo("HIT");
      TestResponse cleared =
          server.prompt("hi").cached().header("x-router-cache-clear", "true").send();
      assertThat(cleared.cacheStatus()).isEqualTo("MISS");
      assertThat(server.prompt("hi").cached().send().header("X-Router-Cache-Source-Id"))
          .isEqualTo(cleared.header("X-Generation-Id"));
      assertThat(server.prompt("ho").cached().send().cacheStatus()).isEqualTo("HIT");
    }

    @Test
    @DisplayName("nothing for a request that does not ask for the cache, and returns nothing to it")
    void unasked() {
      server.always(text("Noon."), finished());
      assertThat(server.prompt("hi").send().cacheStatus()).isNull();
      assertThat(server.prompt("hi").cached().send().cacheStatus()).isEqualTo("MISS");
      assertThat(server.prompt("hi").send().cacheStatus()).isNull();
      assertThat(server.prompt("hi").header("x-router-cache", "false").send().cacheStatus())
          .isNull();
      assertThat(server.calls()).hasSize(4);
    }

    @Proves("resources.record.cache.what")
    @Test
    @DisplayName("no failure")
    void failures() {
      server
          .upstream
          .refuses(failure(FailureKind.INVALID_REQUEST))
          .streams(text("Noon."), finished());
      assertThat(server.prompt("hi").cached().send().status()).isEqualTo(400);
      assertThat(server.prompt("hi").cached().send().cacheStatus()).isEqualTo("MISS");
      assertThat(server.calls()).hasSize(2);
    }

    @Test
    @DisplayName("no answer that broke off, with or without streaming")
    void broken() {
      server
          .upstream
          .streams(text("No"), failed(failure(FailureKind.UNAVAILABLE)))
          .streams(text("Noon."), finished())
          .streams(text("No"), failed(failure(FailureKind.UNAVAILABLE)));
      server.always(text("Noon."), finished());
      server.prompt("hi").cached().send();
      assertThat(server.prompt("hi").cached().send().cacheStatus()).isEqualTo("MISS");
      server.streamingPrompt("hi").cached().send();
      assertThat(server.streamingPrompt("hi").cached().send().cacheStatus()).isEqualTo("MISS");
      assertThat(server.streamingPrompt("hi").cached().send().cacheStatus()).isEqualTo("HIT");
      assertThat(server.calls()).hasSize(4);
    }

    @Test
    @DisplayName("no answer that ended in an error")
    void erroneous() {
      server.upstream.streams(text("No"), finished(StopReason.ERROR));
      server.always(text("Noon."), finished());
      server.prompt("hi").cached().send();
      assertThat(server.prompt("hi").cached().send().cacheStatus()).isEqualTo("MISS");
    }

    @Test
    @DisplayName("no stream that its caller closed early")
    void cancelled() throws IOException {
      server.always(started(), text("No"), text("on."), finished());
      try (WireBody body = server.streamingPrompt("hi").cached().open().body()) {
        body.writeNext(new ByteArrayOutputStream());
      }
      assertThat(server.streamingPrompt("hi").cached().send().cacheStatus()).isEqualTo("MISS");
      assertThat(server.streamingPrompt("hi").cached().send().cacheStatus()).isEqualTo("HIT");
    }

    @Proves("resources.record.cache.what")
    @Test
    @DisplayName("no answer before its end: two equal requests at the same time both go upstream")
    void noCoalescing() throws IOException {
      server.always(started(), text("No"), text("on."), finished());
      try (WireBody first = server.streamingPrompt("hi").cached().open().body();
          WireBody second = server.streamingPrompt("hi").cached().open().body()) {
        first.transferTo(new ByteArrayOutputStream());
        second.transferTo(new ByteArrayOutputStream());
      }
      assertThat(server.calls()).hasSize(2);
    }

    @Proves("resources.record.cache.zdr")
    @Test
    @DisplayName("nothing for an account with zero data retention, whatever the request says")
    void zdr() {
      reopen(",'account':{'zdr':['openai']}");
      server.always(text("Noon."), finished());
      server.prompt("hi").cached().send();
      assertThat(server.prompt("hi").cached().send().cacheStatus()).isNull();
    }

    @Proves("resources.record.cache.zdr")
    @Test
    @DisplayName("an answer even if the request has a preference for zero data retention upstream")
    void zdrOfRequest() {
      reopen("");
      String body =
          "{'model':'acme/large','provider':{'zdr':false},'messages':[{'role':'user','content':'hi'}]}";
      server.always(text("Noon."), finished());
      server.postChat(body).cached().send();
      assertThat(server.postChat(body).cached().send().cacheStatus()).isEqualTo("HIT");
    }

    @Test
    @DisplayName("nothing if it is configured without entries")
    void noRoom() {
      reopen(",'cache':{'entries':0}");
      server.always(text("Noon."), finished());
      server.prompt("hi").cached().send();
      assertThat(server.prompt("hi").cached().send().cacheStatus()).isNull();
      assertThat(server.calls()).hasSize(2);
    }

    @Test
    @DisplayName("no more answers than configured")
    void bounded() {
      reopen(",'cache':{'entries':3}");
      server.always(text("Noon."), finished());
      for (int i = 0; i < 20; i++) {
        server.prompt("hi " + i).cached().send();
      }
      int hits = 0;
      for (int i = 0; i < 20; i++) {
        hits +=
            "HIT"
                    .equals(
                        server
                            .prompt("hi " + i)
                            .header("x-router-cache", "true")
                            .send()
                            .cacheStatus())
                ? 1
                : 0;
      }
      assertThat(hits).isBetween(1, 3);
    }
  }
}
