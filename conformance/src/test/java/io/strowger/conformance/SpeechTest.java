package io.strowger.conformance;

import static io.strowger.conformance.ServiceGateway.APP;
import static io.strowger.conformance.ServiceGateway.OTHER;
import static io.strowger.conformance.ServiceGateway.POOR;
import static io.strowger.conformance.ServiceGateway.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.strowger.core.wire.TruncatedAnswerException;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireResponse;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Cancellation;
import io.strowger.tck.conformance.Proves;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("POST /audio/speech")
class SpeechTest {
  private static final String ENDPOINT =
      "{'provider':'%s','kind':'speech','upstream_model':'voice','pricing':{'characters':'%s'}%s}";
  private static final String MODELS =
      "{'id':'acme/voice','endpoints':["
          + ENDPOINT.formatted("alpha", "0.00001", ",'audio_formats':['mp3','pcm','opus']")
          + ","
          + ENDPOINT.formatted(
              "beta", "0.00002", ",'multi_speaker':true,'input_modalities':['text','audio']")
          + "]},{'id':'acme/generated','endpoints':[{'provider':'gamma','kind':'speech',"
          + "'upstream_model':'tts','multi_speaker':true,"
          + "'pricing':{'prompt':'0.000001','output_audio':'0.00001'}}]},"
          + "{'id':'acme/alone','endpoints':["
          + ENDPOINT.formatted("alpha", "0.00001", "")
          + "]},{'id':'acme/chat','endpoints':[{'provider':'alpha','upstream_model':'chat'}]}";
  private static final String HELLO = "{'model':'acme/voice','input':'hello','voice':'alloy'}";
  private static final String MP3 =
      "{'model':'acme/voice','input':'hello','voice':'alloy','response_format':'mp3'}";
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** A sample of it takes two bytes, a character of a simulated voice 64 samples. */
  private static final int CHARACTER = 128;

  private ServiceGateway gateway;

  @BeforeEach
  void start() {
    gateway =
        new ServiceGateway(
            MODELS,
            ",'account':{'guardrails':[{'name':'g','content_filter_builtins':["
                + "{'slug':'email','action':'redact'}]}]}");
    gateway.alpha.script("voice", Script.answer("alpha speaks"));
    gateway.beta.script("voice", Script.answer("beta!"));
    gateway.beta.script("tts", Script.builder().text("generated").tokens(12, 40).build());
  }

  @AfterEach
  void nothingIsLeft() {
    gateway.close();
  }

  private ServiceGateway.Heard ask(String body) {
    return gateway.post("/audio/speech", body);
  }

  private static Script sound(String contentType, String bytes) {
    return Script.failing(
        new ScriptedFault.Refuse(200, Map.of("Content-Type", contentType), bytes));
  }

  private String servedBy() {
    return Objects.requireNonNull(gateway.records.getLast().endpoint());
  }

  /** What came before the connection was cut. */
  private byte[] cut(WireResponse response) {
    var out = new ByteArrayOutputStream();
    try (WireBody body = response.body()) {
      assertThatThrownBy(() -> body.transferTo(out)).isInstanceOf(TruncatedAnswerException.class);
    }
    return out.toByteArray();
  }

  @Nested
  @DisplayName("The answer")
  class Answers {
    @Proves({"operation.speech.answer", "chat.header.generation-id", "speech.member.answer"})
    @ParameterizedTest
    @CsvSource({"mp3,audio/mpeg", "pcm,audio/pcm", ",audio/pcm"})
    @DisplayName("is the provider's sound byte for byte, with its type and the generation id")
    void sound(String format, String type) {
      String member = format == null ? "" : ",'response_format':'" + format + "'";
      ServiceGateway.Heard heard =
          ask("{'model':'acme/voice','input':'hello','voice':'alloy'" + member + "}");
      assertThat(heard.status()).as(heard.text()).isEqualTo(200);
      assertThat(heard.headers()).containsEntry("Content-Type", type);
      assertThat(heard.headers().get("X-Generation-Id")).startsWith("gen-");
      int each = "mp3".equals(format) ? 144 : CHARACTER;
      assertThat(heard.body()).hasSize("alpha speaks".length() * each);
      assertThat(gateway.alpha.last().path()).endsWith("/audio/speech");
      assertThat(gateway.alpha.last().header("Authorization")).isEqualTo("Bearer sk-upstream");
      assertThat(gateway.alpha.last().text())
          .contains(
              "\"model\":\"voice\"",
              "\"input\":\"hello\"",
              "\"voice\":\"alloy\"",
              "\"response_format\":\"" + (format == null ? "pcm" : format) + "\"");
    }

    @Test
    @DisplayName("begins with the first bytes, long before the last have come")
    void streamed() throws IOException {
      gateway.alpha.answerNextWith(Script.failing(new ScriptedFault.Stall(2)));
      WireResponse response = gateway.open("POST", "/audio/speech", HELLO, as(APP));
      var out = new ByteArrayOutputStream();
      try (WireBody body = response.body()) {
        assertThat(body.length()).isNegative();
        assertThat(body.writeNext(out)).isTrue();
        assertThat(out.size()).isPositive();
      }
    }

    @Test
    @DisplayName("is believed to be what was asked for when the provider says nothing of its type")
    void untyped() {
      gateway.alpha.answerNextWith(SpeechTest.sound("application/octet-stream", "RAWSOUND"));
      ServiceGateway.Heard heard = ask(MP3);
      assertThat(heard.headers()).containsEntry("Content-Type", "audio/mpeg");
      assertThat(heard.text()).isEqualTo("RAWSOUND");
      gateway.alpha.answerNextWith(SpeechTest.sound("audio/L16;rate=24000", "xy"));
      assertThat(ask(HELLO).headers()).containsEntry("Content-Type", "audio/pcm");
    }

    @Proves({"operation.speech.provider", "speech.member.provider"})
    @Test
    @DisplayName("is of another format that the endpoint declares when it is passed an option")
    void declared() {
      gateway.alpha.answerNextWith(SpeechTest.sound("audio/opus", "OggS"));
      ServiceGateway.Heard heard =
          ask(
              "{'model':'acme/voice','input':'x','voice':'v','provider':{'options':{"
                  + "'alpha':{'response_format':'opus','bitrate':64,'input':'other words'},"
                  + "'beta':{'secret':1}}}}");
      assertThat(heard.headers()).containsEntry("Content-Type", "audio/opus");
      assertThat(gateway.alpha.last().text())
          .contains("\"response_format\":\"opus\"", "\"bitrate\":64", "\"input\":\"x\"")
          .doesNotContain("secret", "other words", "options");
      gateway.alpha.answerNextWith(Script.answer("a"));
      ServiceGateway.Heard undeclared =
          ask(
              "{'model':'acme/voice','input':'x','voice':'v','provider':{'options':{"
                  + "'alpha':{'response_format':'flac'}}}}");
      assertThat(undeclared.headers()).containsEntry("Content-Type", "audio/pcm");
    }
  }

  @Nested
  @DisplayName("The request")
  class Requests {
    @Proves({"operation.speech.session_id", "operation.speech.trace", "operation.speech.user"})
    @Test
    @DisplayName("leaves without session, user, trace and preferences, and otherwise as it came")
    void sent() {
      String body =
          "{'model':'acme/voice','input':'x','voice':'v','speed':1.50,'instructions':'softly',"
              + "'session_id':'s-1','user':'u-1','trace':{'trace_id':'t-1'},'custom':[1],"
              + "'stream_format':'sse','provider':{'zdr':false}}";
      assertThat(ask(body).status()).isEqualTo(200);
      assertThat(gateway.alpha.last().text())
          .contains("\"speed\":1.50", "\"instructions\":\"softly\"", "\"custom\":[1]")
          .doesNotContain("s-1", "u-1", "t-1", "session", "\"user\"", "provider", "sse");
    }

    @Proves("operation.speech.provider")
    @Test
    @DisplayName("goes to who retains nothing, or collects nothing, when that is asked for")
    void dataPolicy() {
      for (String preference : new String[] {"'zdr':true", "'data_collection':'deny'"}) {
        assertThat(
                ask("{'model':'acme/voice','input':'x','voice':'v','provider':{"
                        + preference
                        + "}}")
                    .status())
            .isEqualTo(200);
        assertThat(servedBy()).isEqualTo("acme/voice@beta");
      }
      assertThat(gateway.alpha.requests()).isZero();
    }

    @Proves({"operation.speech.input", "speech.member.input"})
    @Test
    @DisplayName("with turns goes to who speaks with several voices, with all of each turn")
    void turns() {
      String turns =
          "[{'text':'one','voice':'a','instructions':'low'},{'text':'three','voice':'b'}]";
      ServiceGateway.Heard heard = ask("{'model':'acme/voice','voice':'a','input':" + turns + "}");
      assertThat(heard.status()).as(heard.text()).isEqualTo(200);
      assertThat(servedBy()).isEqualTo("acme/voice@beta");
      assertThat(gateway.beta.last().text()).contains(turns.replace('\'', '"'));
      assertThat(gateway.paid()).isEqualByComparingTo("0.00016");
      gateway.beta.answerNextWith(Script.status(500));
      assertThat(ask("{'model':'acme/voice','voice':'a','input':" + turns + "}").status())
          .isEqualTo(502);
      assertThat(gateway.alpha.requests()).isZero();
    }

    @Proves("operation.speech.references")
    @Test
    @DisplayName("with recordings goes only to who takes them, and a picture to nobody here")
    void references() {
      String clip = "{'type':'input_audio','input_audio':{'data':'UklGRg==','format':'wav'}}";
      ServiceGateway.Heard heard =
          ask(
              "{'model':'acme/voice','input':'x','voice':'v','input_references':["
                  + clip
                  + ",{'type':'text','text':'said in it'}]}");
      assertThat(heard.status()).as(heard.text()).isEqualTo(200);
      assertThat(servedBy()).isEqualTo("acme/voice@beta");
      assertThat(gateway.beta.last().text()).contains(clip.replace('\'', '"'), "said in it");
      assertThat(
              ask("{'model':'acme/voice','input':'x','voice':'v','input_references':["
                      + "{'type':'image_url','image_url':{'url':'https://x/y.png'}}]}")
                  .status())
          .isEqualTo(404);
      assertThat(
              ask("{'model':'acme/voice','input':'x','voice':'v','input_references':[]}").status())
          .isEqualTo(200);
      assertThat(servedBy()).isEqualTo("acme/voice@alpha");
      assertThat(gateway.alpha.last().text()).doesNotContain("input_references");
    }

    @Proves("operation.speech.speed")
    @ParameterizedTest
    @ValueSource(strings = {"1e2000000000", "1e99999999", "1e-2000000000", "0.3333333333"})
    @DisplayName(
        "may name any speed, which costs the gateway nothing and is the provider's to judge")
    void speeds(String speed) {
      ServiceGateway.Heard heard =
          ask("{'model':'acme/voice','input':'x','voice':'v','speed':" + speed + "}");
      assertThat(heard.status()).as(heard.text()).isEqualTo(200);
      assertThat(gateway.alpha.last().text()).contains("\"speed\":" + speed);
    }

    @Test
    @DisplayName("loses what a content filter takes out of its texts, and never a voice or a sound")
    void filtered() {
      String voice = "eve@example.com";
      ServiceGateway.Heard heard =
          ask(
              "{'model':'acme/voice','voice':'"
                  + voice
                  + "','instructions':'like bob@example.com','input':["
                  + "{'text':'write to ann@example.com','voice':'"
                  + voice
                  + "'}]}");
      assertThat(heard.status()).as(heard.text()).isEqualTo(200);
      assertThat(gateway.beta.last().text())
          .contains("\"voice\":\"" + voice + "\"", "write to ", "like ")
          .doesNotContain("ann@example.com", "bob@example.com");
    }

    @Test
    @DisplayName("loses what a content filter takes out of what is passed to its provider, too")
    void filteredOptions() {
      ServiceGateway.Heard heard =
          ask(
              "{'model':'acme/voice','input':'x','voice':'v','provider':{'options':{"
                  + "'alpha':{'prelude':'for ann@example.com','list':['bob@example.com']}}}}");
      assertThat(heard.status()).as(heard.text()).isEqualTo(200);
      assertThat(gateway.alpha.last().text())
          .contains("prelude", "list")
          .doesNotContain("@example.com");
    }

    @Proves("operation.speech.errors")
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '~',
        value = {
          "{'model':'acme/voice','input':'x'}|400|/voice: is required",
          "{'model':'acme/voice','input':'x','voice':''}|400|/voice",
          "{'model':'acme/voice','voice':'v'}|400|/input: is required",
          "{'input':'x','voice':'v'}|400|/model: is required",
          "{'model':'acme/voice','input':'x','voice':'v','response_format':'wav'}|400|/response_format",
          "{'model':'acme/voice','input':'x','voice':'v','provider':{'only':['beta']}}|400|/provider/only",
          "{'model':'acme/nothing','input':'x','voice':'v'}|400|acme/nothing",
          "{'model':'acme/chat','input':'x','voice':'v'}|400|serves chat, not speech",
        })
    @DisplayName("that is wrong is told what is wrong with it, and reaches no provider")
    void wrong(String body, int status, String message) {
      ServiceGateway.Heard heard = ask(body);
      assertThat(heard.status()).as(heard.text()).isEqualTo(status);
      assertThat(heard.message()).contains(message);
      assertThat(heard.headers()).containsEntry("Content-Type", "application/json");
      assertThat(gateway.alpha.requests() + gateway.beta.requests()).isZero();
    }

    @Proves("operation.speech.session_id")
    @Test
    @DisplayName("may name its session in the header, where the body names none")
    void session() {
      var headers = Map.of("authorization", "Bearer " + APP, "x-session-id", "from-header");
      for (String member : new String[] {"", ",'session_id':'from-body'"}) {
        String body = "{'model':'acme/voice','input':'x','voice':'v'" + member + "}";
        String id = gateway.post("/audio/speech", body, headers).headers().get("X-Generation-Id");
        assertThat(
                gateway.get("/generation?id=" + id).json().path("data").path("session_id").asText())
            .isEqualTo(member.isEmpty() ? "from-header" : "from-body");
      }
    }
  }

  @Nested
  @DisplayName("Failures")
  class Failures {
    @ParameterizedTest
    @ValueSource(ints = {401, 402, 404, 408, 429, 500, 502, 503, 524, 529})
    @DisplayName("of one provider before its sound are made good by the next, and cost nothing")
    void fallback(int status) {
      gateway.alpha.answerNextWith(Script.status(status));
      ServiceGateway.Heard heard = ask(HELLO);
      assertThat(heard.status()).as(heard.text()).isEqualTo(200);
      assertThat(heard.body()).hasSize("beta!".length() * CHARACTER);
      assertThat(gateway.paid()).isEqualByComparingTo("0.0001");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {"text/html", "application/json", "audio/wav", "audio/mpeg", "text/event-stream"})
    @DisplayName("are answers of another type than was asked for: samples here")
    void hostile(String type) {
      gateway.alpha.answerNextWith(SpeechTest.sound(type, "{}"));
      assertThat(ask(HELLO).status()).isEqualTo(200);
      assertThat(servedBy()).isEqualTo("acme/voice@beta");
    }

    @Test
    @DisplayName("are answers without a byte, and those that are cut before the first")
    void nothing() {
      gateway.alpha.answerNextWith(SpeechTest.sound("audio/pcm", ""));
      ask(HELLO);
      assertThat(servedBy()).isEqualTo("acme/voice@beta");
      gateway.alpha.answerNextWith(Script.failing(new ScriptedFault.Cut(ScriptedFault.AFTER_HEAD)));
      ask(HELLO);
      assertThat(servedBy()).isEqualTo("acme/voice@beta");
      gateway.alpha.answerNextWith(
          Script.failing(new ScriptedFault.Cut(ScriptedFault.BEFORE_HEAD)));
      ask(HELLO);
      assertThat(servedBy()).isEqualTo("acme/voice@beta");
    }

    @Proves("operation.speech.speed")
    @Test
    @DisplayName("of the request itself are the caller's to read: a speed the model does not have")
    void speed() {
      gateway.alpha.answerNextWith(Script.status(400));
      ServiceGateway.Heard heard = ask("{'model':'acme/voice','input':'x','voice':'v','speed':2}");
      assertThat(heard.status()).isEqualTo(400);
      assertThat(gateway.beta.requests()).isZero();
      assertThat(gateway.paid()).isEqualByComparingTo(BigDecimal.ZERO);
    }

    @Proves("operation.speech.errors")
    @ParameterizedTest
    @CsvSource({"500,502", "503,503", "529,529", "429,429", "504,524", "400,400"})
    @DisplayName("of the only provider have a status of the contract, an id, and cost nothing")
    void exhausted(int status, int answered) {
      gateway.alpha.answerNextWith(Script.status(status));
      ServiceGateway.Heard heard = ask("{'model':'acme/alone','input':'x','voice':'v'}");
      assertThat(heard.status()).as(heard.text()).isEqualTo(answered);
      assertThat(heard.json().path("error").path("code").asInt()).isEqualTo(answered);
      assertThat(heard.headers()).containsKey("X-Generation-Id");
      assertThat(gateway.paid()).isEqualByComparingTo(BigDecimal.ZERO);
    }

    @Proves("speech.member.answer")
    @Test
    @DisplayName("after sound began cut the connection: never an error, never another provider")
    void broken() {
      gateway.alpha.answerNextWith(Script.failing(new ScriptedFault.Cut(2)));
      WireResponse response = gateway.open("POST", "/audio/speech", HELLO, as(APP));
      assertThat(response.status()).isEqualTo(200);
      byte[] heard = cut(response);
      assertThat(heard).isNotEmpty();
      assertThat(new String(heard, StandardCharsets.ISO_8859_1)).doesNotContain("error");
      assertThat(gateway.beta.requests()).isZero();
      assertThat(gateway.records.getLast().outcome()).isEqualTo(CallRecord.Outcome.ERROR);
    }

    @Test
    @DisplayName("are answers that go on and on: they are cut, and the provider is left")
    void endless() {
      int most = (8 << 20) + 5 * (64 << 10);
      gateway.alpha.answerNextWith(SpeechTest.sound("audio/pcm", "x".repeat(most + 1)));
      byte[] heard = cut(gateway.open("POST", "/audio/speech", HELLO, as(APP)));
      assertThat(heard).hasSizeBetween(most - (64 << 10), most);
      assertThat(gateway.paid()).isEqualByComparingTo("0.00005");
      gateway.alpha.answerNextWith(SpeechTest.sound("audio/pcm", "x".repeat(most)));
      assertThat(ask(HELLO).body()).hasSize(most);
    }

    @Test
    @DisplayName("of a client that goes end the exchange with the provider")
    void clientGone() throws InterruptedException {
      gateway.alpha.answerNextWith(
          Script.failing(new ScriptedFault.Stall(ScriptedFault.BEFORE_HEAD)));
      var cancellation = new Cancellation();
      Thread client =
          Thread.ofVirtual()
              .start(
                  () ->
                      gateway
                          .open("POST", "/audio/speech", HELLO, as(APP), cancellation)
                          .body()
                          .close());
      assertThat(gateway.alpha.awaitRequests(1, PATIENCE)).isTrue();
      cancellation.cancel(Cancellation.Cause.CALLER_GONE);
      assertThat(client.join(PATIENCE)).isTrue();
      assertThat(gateway.alpha.awaitClientGone(PATIENCE)).isTrue();
      assertThat(gateway.beta.requests()).isZero();
      assertThat(gateway.paid()).isEqualByComparingTo(BigDecimal.ZERO);
      assertThat(gateway.records.getLast().outcome()).isEqualTo(CallRecord.Outcome.CANCELLED);
    }
  }

  @Nested
  @DisplayName("Money")
  class Money {
    @ParameterizedTest
    @CsvSource({"hello,5", "'',0", "\u00e4\u2603,2", "\uD83D\uDE00\uD83D\uDE00,2"})
    @DisplayName("is charged for each character of the text, as Unicode counts them")
    void characters(String text, int characters) {
      ask("{'model':'acme/voice','voice':'v','instructions':'not counted','input':'" + text + "'}");
      assertThat(gateway.paid())
          .isEqualByComparingTo(new BigDecimal("0.00001").multiply(BigDecimal.valueOf(characters)));
    }

    @Proves("operation.speech.errors")
    @Test
    @DisplayName("is held before anything is sent: who cannot pay is refused")
    void held() {
      ServiceGateway.Heard heard = gateway.post("/audio/speech", HELLO, as(POOR));
      assertThat(heard.status()).isIn(402, 403);
      assertThat(gateway.alpha.requests() + gateway.beta.requests()).isZero();
    }

    @Proves("resources.insurance.speech")
    @Test
    @DisplayName("ZC speech: a usable sound costs the full input though its client goes")
    void usable() throws IOException {
      gateway.alpha.answerNextWith(Script.failing(new ScriptedFault.Stall(2)));
      try (WireBody body = gateway.open("POST", "/audio/speech", HELLO, as(APP)).body()) {
        body.writeNext(new ByteArrayOutputStream());
      }
      assertThat(gateway.paid()).isEqualByComparingTo("0.00005");
      assertThat(gateway.records.getLast().outcome()).isEqualTo(CallRecord.Outcome.CANCELLED);
    }

    @Proves("resources.insurance.speech")
    @Test
    @DisplayName("ZC speech: a usable sound costs the full input though its provider breaks off")
    void brokenOff() {
      gateway.alpha.answerNextWith(Script.failing(new ScriptedFault.Cut(2)));
      cut(gateway.open("POST", "/audio/speech", HELLO, as(APP)));
      assertThat(gateway.paid()).isEqualByComparingTo("0.00005");
    }

    @Proves("resources.insurance.speech")
    @ParameterizedTest
    @CsvSource({"pcm,x,0", "pcm,xy,1", "mp3,no frame of MPEG audio at all,0"})
    @DisplayName("ZC speech: less than a sample or a frame costs nothing")
    void unusable(String format, String bytes, int usable) {
      gateway.alpha.answerNextWith(
          SpeechTest.sound(format.equals("mp3") ? "audio/mpeg" : "audio/pcm", bytes));
      assertThat(ask(format.equals("mp3") ? MP3 : HELLO).status()).isEqualTo(200);
      assertThat(gateway.paid())
          .isEqualByComparingTo(new BigDecimal("0.00005").multiply(BigDecimal.valueOf(usable)));
    }

    @Test
    @DisplayName("ZC speech: nothing that was handed out costs nothing, whoever went")
    void unread() {
      gateway.alpha.answerNextWith(
          Script.failing(new ScriptedFault.Stall(ScriptedFault.AFTER_HEAD)));
      var cancellation = new Cancellation();
      Thread client =
          Thread.ofVirtual()
              .start(
                  () ->
                      gateway
                          .open("POST", "/audio/speech", HELLO, as(APP), cancellation)
                          .body()
                          .close());
      try {
        assertThat(gateway.alpha.awaitRequests(1, PATIENCE)).isTrue();
        cancellation.cancel(Cancellation.Cause.CALLER_GONE);
        assertThat(client.join(PATIENCE)).isTrue();
      } catch (InterruptedException stopped) {
        throw new AssertionError(stopped);
      }
      assertThat(gateway.paid()).isEqualByComparingTo(BigDecimal.ZERO);
    }

    @Test
    @DisplayName("stands in a record of the kind tts, for its owner alone")
    void record() {
      String id = ask(HELLO).headers().get("X-Generation-Id");
      JsonNode kept = gateway.get("/generation?id=" + id).json().path("data");
      assertThat(kept.path("api_type").asText()).isEqualTo("tts");
      assertThat(kept.path("model").asText()).isEqualTo("acme/voice");
      assertThat(kept.path("provider_name").asText()).isEqualTo("Alpha");
      assertThat(kept.path("total_cost").decimalValue()).isEqualByComparingTo("0.00005");
      WireResponse other = gateway.open("GET", "/generation?id=" + id, "", as(OTHER));
      assertThat(ServiceGateway.read(other).status()).isIn(200, 404);
    }

    @Test
    @DisplayName("is the sum of what each of many callers is told, who all get their own sound")
    void tenants() throws InterruptedException {
      gateway.alpha.respond(
          "voice",
          receivedRequest ->
              SpeechTest.sound(
                  "audio/pcm", receivedRequest.text().contains("\"one\"") ? "11" : "22"));
      var wrong = new AtomicInteger();
      var threads = new ArrayList<Thread>();
      for (int i = 0; i < 40; i++) {
        String word = i % 2 == 0 ? "one" : "two";
        threads.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      String body = "{'model':'acme/alone','voice':'v','input':'" + word + "'}";
                      var heard =
                          gateway.post("/audio/speech", body, as(word.equals("one") ? APP : OTHER));
                      if (!heard.text().equals(word.equals("one") ? "11" : "22")) {
                        wrong.incrementAndGet();
                      }
                    }));
      }
      for (Thread thread : threads) {
        assertThat(thread.join(PATIENCE)).isTrue();
      }
      assertThat(wrong).hasValue(0);
      assertThat(gateway.paid()).isEqualByComparingTo("0.0012");
    }
  }

  @Nested
  @DisplayName("Generated sound of the Gemini dialect")
  class Generated {
    private static final String ASKED = "{'model':'acme/generated','input':'hi','voice':'Kore'}";

    @Test
    @DisplayName("is passed on as samples, and paid by the tokens that were counted")
    void samples() {
      ServiceGateway.Heard heard = ask(ASKED);
      assertThat(heard.status()).as(heard.text()).isEqualTo(200);
      assertThat(heard.headers()).containsEntry("Content-Type", "audio/pcm");
      assertThat(heard.body()).hasSize("generated".length() * CHARACTER);
      assertThat(gateway.beta.last().path()).contains("/models/tts:streamGenerateContent");
      assertThat(gateway.beta.last().text())
          .contains(
              "\"responseModalities\":[\"AUDIO\"]",
              "\"prebuiltVoiceConfig\":{\"voiceName\":\"Kore\"}",
              "\"text\":\"hi\"");
      assertThat(gateway.paid()).isEqualByComparingTo("0.000412");
    }

    @Proves("operation.speech.instructions")
    @Test
    @DisplayName("has a speaker for each voice, and instructions in its prompt")
    void speakers() {
      ask(
          "{'model':'acme/generated','voice':'Kore','instructions':'calmly','input':["
              + "{'text':'hi'},{'text':'ho','voice':'Puck','instructions':'whispering'}]}");
      assertThat(gateway.beta.last().text())
          .contains(
              "calmly:\\nSpeaker1: hi\\nSpeaker2: [whispering] ho",
              "{\"speaker\":\"Speaker2\",\"voiceConfig\":"
                  + "{\"prebuiltVoiceConfig\":{\"voiceName\":\"Puck\"}}}");
    }

    @Test
    @DisplayName("is no mp3: nobody here makes that, and nothing is sent")
    void noMp3() {
      ServiceGateway.Heard heard =
          ask("{'model':'acme/generated','input':'hi','voice':'Kore','response_format':'mp3'}");
      assertThat(heard.status()).isEqualTo(404);
      assertThat(gateway.beta.requests()).isZero();
    }

    @Test
    @DisplayName("is cut where its frames end before they say why")
    void cutShort() {
      gateway.beta.answerNextWith(
          Script.builder().text("generated").fault(new ScriptedFault.Unfinished()).build());
      assertThat(cut(gateway.open("POST", "/audio/speech", ASKED, as(APP)))).isNotEmpty();
      gateway.beta.answerNextWith(
          Script.builder().text("generated").finishReason("length").build());
      assertThat(cut(gateway.open("POST", "/audio/speech", ASKED, as(APP)))).isNotEmpty();
      gateway.beta.answerNextWith(
          Script.builder().text("generated").fault(new ScriptedFault.Garbage(2)).build());
      assertThat(cut(gateway.open("POST", "/audio/speech", ASKED, as(APP)))).isNotEmpty();
    }

    @Test
    @DisplayName("that is refused, or only words, is an error with its status")
    void refused() {
      gateway.beta.answerNextWith(Script.builder().refusal("no").build());
      assertThat(ask(ASKED).status()).isEqualTo(400);
      gateway.beta.answerNextWith(Script.status(429));
      assertThat(ask(ASKED).status()).isEqualTo(429);
      assertThat(gateway.paid()).isEqualByComparingTo(BigDecimal.ZERO);
    }
  }
}
