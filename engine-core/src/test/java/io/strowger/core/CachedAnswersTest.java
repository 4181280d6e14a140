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

import io.strowger.core.EdgeGateway.Heard;
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
  private EdgeGateway edge = new EdgeGateway("");

  @AfterEach
  void close() {
    edge.close();
  }

  private void with(String more) {
    edge.close();
    edge = new EdgeGateway(more);
  }

  @Nested
  @DisplayName("gives an answer a second time")
  class Hit {
    @Proves({"routing.other.metadata.place", "resources.record.cache.hit"})
    @Test
    @DisplayName("under a new name, for nothing, and says where from and how long still")
    void whole() {
      edge.upstream.answers(answer("Noon."));
      Heard first = edge.says("What time?").cached().send();
      assertThat(first.cache()).isEqualTo("MISS");
      assertThat(first.header("X-Router-Cache-TTL")).isEqualTo("300");
      assertThat(first.header("X-Router-Cache-Age")).isNull();
      assertThat(first.header("X-Router-Cache-Source-Id")).isNull();
      edge.ambient.advance(Duration.ofMillis(100_900));
      Heard second = edge.says("What time?").cached().header("x-router-metadata", "enabled").send();
      assertThat(second.status()).isEqualTo(200);
      assertThat(second.cache()).isEqualTo("HIT");
      assertThat(second.header("X-Router-Cache-TTL")).isEqualTo("200");
      assertThat(second.header("X-Router-Cache-Age")).isEqualTo("100");
      assertThat(second.header("X-Router-Cache-Source-Id"))
          .isEqualTo(first.header("X-Generation-Id"));
      assertThat(second.header("X-Generation-Id")).isNotEqualTo(first.header("X-Generation-Id"));
      assertThat(second.json().text("id")).isEqualTo(second.header("X-Generation-Id"));
      assertThat(second.json().longValue("created", 0))
          .isEqualTo(edge.ambient.now().getEpochSecond());
      assertThat(second.json().get("choices")).isEqualTo(first.json().get("choices"));
      assertThat(second.json().get("model")).isEqualTo(first.json().get("model"));
      assertThat(second.json().get("provider")).isEqualTo(first.json().get("provider"));
      assertThat(second.text()).contains("Noon.").doesNotContain("router_metadata");
      assertFree(second.at("usage"));
      assertThat(edge.calls()).hasSize(1);
    }

    @Proves("resources.record.cache.hit")
    @Test
    @DisplayName("piece by piece, if it was asked for so")
    void streamed() {
      edge.upstream.streams(
          started(), text("No"), text("on."), usage(10, 2), finished(StopReason.END));
      Heard first = edge.saysStreaming("What time?").cached().send();
      Heard second =
          edge.saysStreaming("What time?").cached().header("x-router-metadata", "enabled").send();
      assertThat(second.cache()).isEqualTo("HIT");
      assertThat(first.cache()).isEqualTo("MISS");
      assertThat(second.text().split("\n\n", -1)).hasSameSizeAs(first.text().split("\n\n", -1));
      assertThat(second.text())
          .contains("\"No\"")
          .contains("\"on.\"")
          .contains("\"prompt_tokens\":0")
          .contains("\"cost\":0")
          .doesNotContain("router_metadata")
          .endsWith("data: [DONE]\n\n");
      assertThat(edge.calls()).hasSize(1);
    }

    private void assertFree(Json.Obj usage) {
      assertThat(usage.longValue("prompt_tokens", 1)).isZero();
      assertThat(usage.longValue("completion_tokens", 1)).isZero();
      assertThat(usage.longValue("total_tokens", 1)).isZero();
      assertThat(usage.longValue("cost", 1)).isZero();
    }

    @Proves("resources.record.cache.hit")
    @Test
    @DisplayName("and records it: nothing paid, no line, and whose answer it was")
    void record() {
      edge.upstream.answers(answer("Noon."));
      Heard first = edge.says("What time?").cached().send();
      edge.says("What time?").cached().send();
      assertThat(edge.records).hasSize(2);
      assertThat(edge.records.get(0).cachedGeneration()).isNull();
      CallRecord hit = edge.records.get(1);
      assertThat(hit.cachedGeneration()).isEqualTo(first.header("X-Generation-Id"));
      assertThat(hit.outcome()).isEqualTo(CallRecord.Outcome.COMPLETE);
      assertThat(hit.endpoint()).isEqualTo("acme/large@alpha");
      assertThat(hit.billLines()).isEmpty();
      assertThat(hit.cost().nanos()).isZero();
    }

    @Test
    @DisplayName("and shows it as a generation of its own, with its source and without money")
    void generation() {
      edge.upstream.answers(answer("Noon."));
      Heard first = edge.says("What time?").cached().send();
      Heard second = edge.says("What time?").cached().send();
      String id = String.valueOf(second.header("X-Generation-Id"));
      Json.Obj shown = edge.get("/generation", "id=" + id).send().at("data");
      assertThat(shown.text("response_cache_source_id")).isEqualTo(first.header("X-Generation-Id"));
      assertThat(shown.text("model")).isEqualTo("acme/large");
      assertThat(shown.text("finish_reason")).isEqualTo("stop");
      assertThat(shown.longValue("total_cost", 1)).isZero();
      assertThat(shown.list("provider_responses")).isEmpty();
    }

    @Proves("resources.record.cache.what")
    @Test
    @DisplayName("of a call of tools as well")
    void toolCall() {
      edge.upstream.streams(
          emit(new Event.ToolCallDelta(0, "c1", "f", Json.of("{}"), null)),
          finished(StopReason.TOOL_CALLS));
      Heard first = edge.says("call").cached().send();
      Heard second = edge.says("call").cached().send();
      assertThat(second.cache()).isEqualTo("HIT");
      assertThat(second.json().get("choices")).isEqualTo(first.json().get("choices"));
    }
  }

  @Nested
  @DisplayName("takes requests for the same")
  class Same {
    private String second(String body) {
      edge.always(text("Noon."), finished());
      edge.chat("{'model':'acme/large','messages':[{'role':'user','content':'hi'}],'top_p':0.5}")
          .cached()
          .send();
      return String.valueOf(edge.chat(body).cached().send().cache());
    }

    @Proves({"resources.record.cache.key", "open.82"})
    @Test
    @DisplayName("whatever the white space and the escapes")
    void space() {
      assertThat(
              second(
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
    @DisplayName("only if order, numbers, members, texts, model and streaming are the same")
    void different(String what, String body) {
      assertThat(second(body)).as(what).isEqualTo("MISS");
      assertThat(edge.calls()).hasSize(2);
    }

    @Test
    @DisplayName("only if they ask the same features of the upstream")
    void features() {
      edge.always(text("Noon."), finished());
      edge.says("hi").header("anthropic-beta", "one").cached().send();
      assertThat(edge.says("hi").cached().send().cache()).isEqualTo("MISS");
      assertThat(edge.says("hi").header("anthropic-beta", "two").cached().send().cache())
          .isEqualTo("MISS");
      assertThat(edge.says("hi").header("x-anthropic-beta", "one").cached().send().cache())
          .isEqualTo("HIT");
    }

    @Proves("resources.record.cache.key")
    @Test
    @DisplayName("only over the same endpoint of the interface")
    void endpoints() {
      edge.always(text("Noon."), finished());
      edge.says("hi").cached().send();
      String body = "{'model':'acme/large','messages':[{'role':'user','content':'hi'}]}";
      assertThat(
              edge.ask("/messages", body.replace("}]}", "}],'max_tokens':9}"))
                  .cached()
                  .send()
                  .cache())
          .isEqualTo("MISS");
      assertThat(
              edge.ask("/messages", body.replace("}]}", "}],'max_tokens':9}"))
                  .cached()
                  .send()
                  .cache())
          .isEqualTo("HIT");
      String input = "{'model':'acme/large','input':'hi'}";
      assertThat(edge.ask("/responses", input).cached().send().cache()).isEqualTo("MISS");
      assertThat(edge.ask("/responses", input).cached().send().cache()).isEqualTo("HIT");
    }

    @Test
    @DisplayName("after redaction: two that are sent alike are alike")
    void redacted() {
      with(
          ",'account':{'guardrails':[{'name':'g','content_filter_builtins':"
              + "[{'slug':'email','action':'redact'}]}]}");
      edge.always(text("Noon."), finished());
      assertThat(edge.says("I am a@b.co").cached().send().cache()).isEqualTo("MISS");
      assertThat(edge.says("I am c@d.co").cached().send().cache()).isEqualTo("HIT");
      assertThat(edge.says("You are c@d.co").cached().send().cache()).isEqualTo("MISS");
    }
  }

  @Nested
  @DisplayName("keeps")
  class Keeps {
    @Test
    @DisplayName("an answer as long as it is told, and not longer")
    void expires() {
      edge.always(text("Noon."), finished());
      edge.says("hi").cached().header("x-router-cache-ttl", "60").send();
      edge.ambient.advance(Duration.ofMillis(59_999));
      Heard late = edge.says("hi").cached().send();
      assertThat(late.cache()).isEqualTo("HIT");
      assertThat(late.header("X-Router-Cache-TTL")).isEqualTo("1");
      edge.ambient.advance(Duration.ofMillis(1));
      assertThat(edge.says("hi").cached().send().cache()).isEqualTo("MISS");
    }

    @Proves("resources.record.cache.what")
    @Test
    @DisplayName("another answer after it was told to clear, and clears nothing else")
    void clears() {
      edge.always(text("Noon."), finished());
      edge.says("hi").cached().send();
      edge.says("ho").cached().send();
      assertThat(edge.says("hi").header("x-router-cache-clear", "true").send().cache()).isNull();
      assertThat(edge.says("hi").cached().send().cache()).as("not asked to cache").isEqualTo("HIT");
      Heard cleared = edge.says("hi").cached().header("x-router-cache-clear", "true").send();
      assertThat(cleared.cache()).isEqualTo("MISS");
      assertThat(edge.says("hi").cached().send().header("X-Router-Cache-Source-Id"))
          .isEqualTo(cleared.header("X-Generation-Id"));
      assertThat(edge.says("ho").cached().send().cache()).isEqualTo("HIT");
    }

    @Test
    @DisplayName("no answer unasked, and gives none")
    void unasked() {
      edge.always(text("Noon."), finished());
      assertThat(edge.says("hi").send().cache()).isNull();
      assertThat(edge.says("hi").cached().send().cache()).isEqualTo("MISS");
      assertThat(edge.says("hi").send().cache()).isNull();
      assertThat(edge.says("hi").header("x-router-cache", "false").send().cache()).isNull();
      assertThat(edge.calls()).hasSize(4);
    }

    @Proves("resources.record.cache.what")
    @Test
    @DisplayName("no failure")
    void failures() {
      edge.upstream
          .refuses(failure(FailureKind.INVALID_REQUEST))
          .streams(text("Noon."), finished());
      assertThat(edge.says("hi").cached().send().status()).isEqualTo(400);
      assertThat(edge.says("hi").cached().send().cache()).isEqualTo("MISS");
      assertThat(edge.calls()).hasSize(2);
    }

    @Test
    @DisplayName("no answer that broke off, whole or streamed")
    void broken() {
      edge.upstream
          .streams(text("No"), failed(failure(FailureKind.UNAVAILABLE)))
          .streams(text("Noon."), finished())
          .streams(text("No"), failed(failure(FailureKind.UNAVAILABLE)));
      edge.always(text("Noon."), finished());
      edge.says("hi").cached().send();
      assertThat(edge.says("hi").cached().send().cache()).isEqualTo("MISS");
      edge.saysStreaming("hi").cached().send();
      assertThat(edge.saysStreaming("hi").cached().send().cache()).isEqualTo("MISS");
      assertThat(edge.saysStreaming("hi").cached().send().cache()).isEqualTo("HIT");
      assertThat(edge.calls()).hasSize(4);
    }

    @Test
    @DisplayName("no answer that ended in an error")
    void erroneous() {
      edge.upstream.streams(text("No"), finished(StopReason.ERROR));
      edge.always(text("Noon."), finished());
      edge.says("hi").cached().send();
      assertThat(edge.says("hi").cached().send().cache()).isEqualTo("MISS");
    }

    @Test
    @DisplayName("no stream its caller gave up")
    void cancelled() throws IOException {
      edge.always(started(), text("No"), text("on."), finished());
      try (WireBody body = edge.saysStreaming("hi").cached().open().body()) {
        body.writeNext(new ByteArrayOutputStream());
      }
      assertThat(edge.saysStreaming("hi").cached().send().cache()).isEqualTo("MISS");
      assertThat(edge.saysStreaming("hi").cached().send().cache()).isEqualTo("HIT");
    }

    @Proves("resources.record.cache.what")
    @Test
    @DisplayName("no answer for two that ask at once: both are asked for")
    void noCoalescing() throws IOException {
      edge.always(started(), text("No"), text("on."), finished());
      try (WireBody first = edge.saysStreaming("hi").cached().open().body();
          WireBody second = edge.saysStreaming("hi").cached().open().body()) {
        first.transferTo(new ByteArrayOutputStream());
        second.transferTo(new ByteArrayOutputStream());
      }
      assertThat(edge.calls()).hasSize(2);
    }

    @Proves("resources.record.cache.zdr")
    @Test
    @DisplayName("nothing of an account that wants nothing retained, whatever the request says")
    void zdr() {
      with(",'account':{'zdr':['openai']}");
      edge.always(text("Noon."), finished());
      edge.says("hi").cached().send();
      assertThat(edge.says("hi").cached().send().cache()).isNull();
    }

    @Proves("resources.record.cache.zdr")
    @Test
    @DisplayName("an answer though the request wants nothing retained upstream")
    void zdrOfRequest() {
      with("");
      String body =
          "{'model':'acme/large','provider':{'zdr':false},'messages':[{'role':'user','content':'hi'}]}";
      edge.always(text("Noon."), finished());
      edge.chat(body).cached().send();
      assertThat(edge.chat(body).cached().send().cache()).isEqualTo("HIT");
    }

    @Test
    @DisplayName("nothing when it has no room")
    void noRoom() {
      with(",'cache':{'entries':0}");
      edge.always(text("Noon."), finished());
      edge.says("hi").cached().send();
      assertThat(edge.says("hi").cached().send().cache()).isNull();
      assertThat(edge.calls()).hasSize(2);
    }

    @Test
    @DisplayName("no more answers than it may")
    void bounded() {
      with(",'cache':{'entries':3}");
      edge.always(text("Noon."), finished());
      for (int i = 0; i < 20; i++) {
        edge.says("hi " + i).cached().send();
      }
      int hits = 0;
      for (int i = 0; i < 20; i++) {
        hits +=
            "HIT".equals(edge.says("hi " + i).header("x-router-cache", "true").send().cache())
                ? 1
                : 0;
      }
      assertThat(hits).isBetween(1, 3);
    }
  }
}
