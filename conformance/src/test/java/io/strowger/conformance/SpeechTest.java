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
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  /** The bytes of PCM for a character of a simulated voice: 64 samples of two bytes. */
  private static final int BYTES_PER_CHARACTER = 128;

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

  private ServiceGateway.TestResponse ask(String body) {
    return gateway.post("/audio/speech", body);
  }

  private static Script audio(String contentType, String bytes) {
    return Script.responding(200, Map.of("Content-Type", contentType), bytes);
  }

  private String servedBy() {
    return Objects.requireNonNull(gateway.records.getLast().endpoint());
  }

  /** Reads an answer that must be cut, and returns what came before the cut. */
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
    @DisplayName("is the provider's audio byte for byte, with its type and the generation id")
    void sound(String format, String type) {
      String member = format == null ? "" : ",'response_format':'" + format + "'";
      ServiceGateway.TestResponse response =
          ask("{'model':'acme/voice','input':'hello','voice':'alloy'" + member + "}");
      assertThat(response.status()).as(response.text()).isEqualTo(200);
      assertThat(response.headers()).containsEntry("Content-Type", type);
      assertThat(response.headers().get("X-Generation-Id")).startsWith("gen-");
      int each = "mp3".equals(format) ? 144 : BYTES_PER_CHARACTER;
      assertThat(response.body()).hasSize("alpha speaks".length() * each);
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
    @DisplayName("begins with the first bytes, long before the provider has sent the last")
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
    @DisplayName("has the requested content type if the provider does not state a usable one")
    void untyped() {
      gateway.alpha.answerNextWith(SpeechTest.audio("application/octet-stream", "RAWSOUND"));
      ServiceGateway.TestResponse response = ask(MP3);
      assertThat(response.headers()).containsEntry("Content-Type", "audio/mpeg");
      assertThat(response.text()).isEqualTo("RAWSOUND");
      gateway.alpha.answerNextWith(SpeechTest.audio("audio/L16;rate=24000", "xy"));
      assertThat(ask(HELLO).headers()).containsEntry("Content-Type", "audio/pcm");
    }

    @Proves({"operation.speech.provider", "speech.member.provider"})
    @Test
    @DisplayName(
        "may have another format that the endpoint declares, if an option for the provider asks for"
            + " it")
    void declared() {
      gateway.alpha.answerNextWith(SpeechTest.audio("audio/opus", "OggS"));
      ServiceGateway.TestResponse response =
          ask(
              "{'model':'acme/voice','input':'x','voice':'v','provider':{'options':{"
                  + "'alpha':{'response_format':'opus','bitrate':64,'input':'other words'},"
                  + "'beta':{'secret':1}}}}");
      assertThat(response.headers()).containsEntry("Content-Type", "audio/opus");
      assertThat(gateway.alpha.last().text())
          .contains("\"response_format\":\"opus\"", "\"bitrate\":64", "\"input\":\"x\"")
          .doesNotContain("secret", "other words", "options");
      gateway.alpha.answerNextWith(Script.answer("a"));
      ServiceGateway.TestResponse undeclared =
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
    @DisplayName("is sent without session, user, trace and preferences, and otherwise unchanged")
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
    @DisplayName("goes to a provider that retains or collects nothing if it asks for that")
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
    @DisplayName(
        "with turns goes to an endpoint with several voices, with all members of each turn")
    void turns() {
      String turns =
          "[{'text':'one','voice':'a','instructions':'low'},{'text':'three','voice':'b'}]";
      ServiceGateway.TestResponse response =
          ask("{'model':'acme/voice','voice':'a','input':" + turns + "}");
      assertThat(response.status()).as(response.text()).isEqualTo(200);
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
    @DisplayName(
        "with recordings goes only to an endpoint that accepts them, and with an image to none")
    void references() {
      String clip = "{'type':'input_audio','input_audio':{'data':'UklGRg==','format':'wav'}}";
      ServiceGateway.TestResponse response =
          ask(
              "{'model':'acme/voice','input':'x','voice':'v','input_references':["
                  + clip
                  + ",{'type':'text','text':'said in it'}]}");
      assertThat(response.status()).as(response.text()).isEqualTo(200);
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
    @DisplayName("may have any speed, which only the provider checks")
    void speeds(String speed) {
      ServiceGateway.TestResponse response =
          ask("{'model':'acme/voice','input':'x','voice':'v','speed':" + speed + "}");
      assertThat(response.status()).as(response.text()).isEqualTo(200);
      assertThat(gateway.alpha.last().text()).contains("\"speed\":" + speed);
    }

    @Test
    @DisplayName("has its texts redacted by a content filter, but never its voice")
    void filtered() {
      String voice = "eve@example.com";
      ServiceGateway.TestResponse response =
          ask(
              "{'model':'acme/voice','voice':'"
                  + voice
                  + "','instructions':'like bob@example.com','input':["
                  + "{'text':'write to ann@example.com','voice':'"
                  + voice
                  + "'}]}");
      assertThat(response.status()).as(response.text()).isEqualTo(200);
      assertThat(gateway.beta.last().text())
          .contains("\"voice\":\"" + voice + "\"", "write to ", "like ")
          .doesNotContain("ann@example.com", "bob@example.com");
    }

    @Test
    @DisplayName("has the options for its provider redacted by a content filter, too")
    void filteredOptions() {
      ServiceGateway.TestResponse response =
          ask(
              "{'model':'acme/voice','input':'x','voice':'v','provider':{'options':{"
                  + "'alpha':{'prelude':'for ann@example.com','list':['bob@example.com']}}}}");
      assertThat(response.status()).as(response.text()).isEqualTo(200);
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
    @DisplayName("that is invalid is refused with the reason, and reaches no provider")
    void wrong(String body, int status, String message) {
      ServiceGateway.TestResponse response = ask(body);
      assertThat(response.status()).as(response.text()).isEqualTo(status);
      assertThat(response.message()).contains(message);
      assertThat(response.headers()).containsEntry("Content-Type", "application/json");
      assertThat(gateway.alpha.requests() + gateway.beta.requests()).isZero();
    }

    @Proves("operation.speech.session_id")
    @Test
    @DisplayName("may name its session in the header if the body names none")
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
    @DisplayName("of a provider before its first audio lead to the next provider, and cost nothing")
    void fallback(int status) {
      gateway.alpha.answerNextWith(Script.status(status));
      ServiceGateway.TestResponse response = ask(HELLO);
      assertThat(response.status()).as(response.text()).isEqualTo(200);
      assertThat(response.body()).hasSize("beta!".length() * BYTES_PER_CHARACTER);
      assertThat(gateway.paid()).isEqualByComparingTo("0.0001");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {"text/html", "application/json", "audio/wav", "audio/mpeg", "text/event-stream"})
    @DisplayName("include answers of another type than the requested one, which is PCM here")
    void hostile(String type) {
      gateway.alpha.answerNextWith(SpeechTest.audio(type, "{}"));
      assertThat(ask(HELLO).status()).isEqualTo(200);
      assertThat(servedBy()).isEqualTo("acme/voice@beta");
    }

    @Test
    @DisplayName("include answers without a byte, and answers that break off before the first one")
    void nothing() {
      gateway.alpha.answerNextWith(SpeechTest.audio("audio/pcm", ""));
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
    @DisplayName("of the request itself, such as an unsupported speed, are returned to the caller")
    void speed() {
      gateway.alpha.answerNextWith(Script.status(400));
      ServiceGateway.TestResponse response =
          ask("{'model':'acme/voice','input':'x','voice':'v','speed':2}");
      assertThat(response.status()).isEqualTo(400);
      assertThat(gateway.beta.requests()).isZero();
      assertThat(gateway.paid()).isEqualByComparingTo(BigDecimal.ZERO);
    }

    @Proves("operation.speech.errors")
    @ParameterizedTest
    @CsvSource({"500,502", "503,503", "529,529", "429,429", "504,524", "400,400"})
    @DisplayName("of the only provider have a status of the contract, an id, and cost nothing")
    void exhausted(int status, int answered) {
      gateway.alpha.answerNextWith(Script.status(status));
      ServiceGateway.TestResponse response = ask("{'model':'acme/alone','input':'x','voice':'v'}");
      assertThat(response.status()).as(response.text()).isEqualTo(answered);
      assertThat(response.json().path("error").path("code").asInt()).isEqualTo(answered);
      assertThat(response.headers()).containsKey("X-Generation-Id");
      assertThat(gateway.paid()).isEqualByComparingTo(BigDecimal.ZERO);
    }

    @Proves("speech.member.answer")
    @Test
    @DisplayName(
        "after the first audio cut the connection, without an error and without another provider")
    void broken() {
      gateway.alpha.answerNextWith(Script.failing(new ScriptedFault.Cut(2)));
      WireResponse response = gateway.open("POST", "/audio/speech", HELLO, as(APP));
      assertThat(response.status()).isEqualTo(200);
      byte[] audio = cut(response);
      assertThat(audio).isNotEmpty();
      assertThat(new String(audio, StandardCharsets.ISO_8859_1)).doesNotContain("error");
      assertThat(gateway.beta.requests()).isZero();
      assertThat(gateway.records.getLast().outcome()).isEqualTo(CallRecord.Outcome.ERROR);
    }

    @Test
    @DisplayName("include answers that are too long, which are cut at the limit")
    void endless() {
      int limit = (8 << 20) + 5 * (64 << 10);
      gateway.alpha.answerNextWith(SpeechTest.audio("audio/pcm", "x".repeat(limit + 1)));
      byte[] audio = cut(gateway.open("POST", "/audio/speech", HELLO, as(APP)));
      assertThat(audio).hasSizeBetween(limit - (64 << 10), limit);
      assertThat(gateway.paid()).isEqualByComparingTo("0.00005");
      gateway.alpha.answerNextWith(SpeechTest.audio("audio/pcm", "x".repeat(limit)));
      assertThat(ask(HELLO).body()).hasSize(limit);
    }

    @Test
    @DisplayName("of the client's connection cancel the request to the provider")
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
      assertThat(gateway.alpha.awaitRequests(1, TIMEOUT)).isTrue();
      cancellation.cancel(Cancellation.Cause.CALLER_GONE);
      assertThat(client.join(TIMEOUT)).isTrue();
      assertThat(gateway.alpha.awaitClientGone(TIMEOUT)).isTrue();
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
    @DisplayName("is charged for each Unicode character of the text")
    void characters(String text, int characters) {
      ask("{'model':'acme/voice','voice':'v','instructions':'not counted','input':'" + text + "'}");
      assertThat(gateway.paid())
          .isEqualByComparingTo(new BigDecimal("0.00001").multiply(BigDecimal.valueOf(characters)));
    }

    @Proves("operation.speech.errors")
    @Test
    @DisplayName("is held before anything is sent, and a key that cannot pay is refused")
    void held() {
      ServiceGateway.TestResponse response = gateway.post("/audio/speech", HELLO, as(POOR));
      assertThat(response.status()).isEqualTo(402);
      assertThat(gateway.alpha.requests() + gateway.beta.requests()).isZero();
    }

    @Proves("resources.insurance.speech")
    @Test
    @DisplayName("ZC speech: usable audio costs the full input even if the client disconnects")
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
    @DisplayName("ZC speech: usable audio costs the full input even if the provider breaks off")
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
          SpeechTest.audio(format.equals("mp3") ? "audio/mpeg" : "audio/pcm", bytes));
      assertThat(ask(format.equals("mp3") ? MP3 : HELLO).status()).isEqualTo(200);
      assertThat(gateway.paid())
          .isEqualByComparingTo(new BigDecimal("0.00005").multiply(BigDecimal.valueOf(usable)));
    }

    @Test
    @DisplayName("ZC speech: an answer of which the client got nothing costs nothing")
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
        assertThat(gateway.alpha.awaitRequests(1, TIMEOUT)).isTrue();
        cancellation.cancel(Cancellation.Cause.CALLER_GONE);
        assertThat(client.join(TIMEOUT)).isTrue();
      } catch (InterruptedException stopped) {
        throw new AssertionError(stopped);
      }
      assertThat(gateway.paid()).isEqualByComparingTo(BigDecimal.ZERO);
    }

    @Test
    @DisplayName("is in a record of the kind tts")
    void record() {
      String id = ask(HELLO).headers().get("X-Generation-Id");
      JsonNode record = gateway.get("/generation?id=" + id).json().path("data");
      assertThat(record.path("api_type").asText()).isEqualTo("tts");
      assertThat(record.path("model").asText()).isEqualTo("acme/voice");
      assertThat(record.path("provider_name").asText()).isEqualTo("Alpha");
      assertThat(record.path("total_cost").decimalValue()).isEqualByComparingTo("0.00005");
      WireResponse other = gateway.open("GET", "/generation?id=" + id, "", as(OTHER));
      assertThat(ServiceGateway.read(other).status())
          .as("for another key of the same workspace")
          .isEqualTo(200);
    }

    @Test
    @DisplayName("is charged for each of many concurrent callers, who all get their own audio")
    void tenants() throws InterruptedException {
      gateway.alpha.respond(
          "voice",
          receivedRequest ->
              SpeechTest.audio(
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
                      var response =
                          gateway.post("/audio/speech", body, as(word.equals("one") ? APP : OTHER));
                      if (!response.text().equals(word.equals("one") ? "11" : "22")) {
                        wrong.incrementAndGet();
                      }
                    }));
      }
      for (Thread thread : threads) {
        assertThat(thread.join(TIMEOUT)).isTrue();
      }
      assertThat(wrong).hasValue(0);
      assertThat(gateway.paid()).isEqualByComparingTo("0.0012");
    }
  }

  @Nested
  @DisplayName("Generated audio of the Gemini dialect")
  class Generated {
    private static final String GENERATED_SPEECH =
        "{'model':'acme/generated','input':'hi','voice':'Kore'}";

    @Test
    @DisplayName("is passed on as samples, and charged by the reported tokens")
    void samples() {
      ServiceGateway.TestResponse response = ask(GENERATED_SPEECH);
      assertThat(response.status()).as(response.text()).isEqualTo(200);
      assertThat(response.headers()).containsEntry("Content-Type", "audio/pcm");
      assertThat(response.body()).hasSize("generated".length() * BYTES_PER_CHARACTER);
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
    @DisplayName("is never mp3: such a request is refused, and nothing is sent")
    void noMp3() {
      ServiceGateway.TestResponse response =
          ask("{'model':'acme/generated','input':'hi','voice':'Kore','response_format':'mp3'}");
      assertThat(response.status()).isEqualTo(404);
      assertThat(gateway.beta.requests()).isZero();
    }

    @Test
    @DisplayName("is cut if its stream does not end normally")
    void cutShort() {
      gateway.beta.answerNextWith(
          Script.builder().text("generated").fault(new ScriptedFault.Unfinished()).build());
      assertThat(cut(gateway.open("POST", "/audio/speech", GENERATED_SPEECH, as(APP))))
          .isNotEmpty();
      gateway.beta.answerNextWith(
          Script.builder().text("generated").finishReason("length").build());
      assertThat(cut(gateway.open("POST", "/audio/speech", GENERATED_SPEECH, as(APP))))
          .isNotEmpty();
      gateway.beta.answerNextWith(
          Script.builder().text("generated").fault(new ScriptedFault.Garbage(2)).build());
      assertThat(cut(gateway.open("POST", "/audio/speech", GENERATED_SPEECH, as(APP))))
          .isNotEmpty();
    }

    @Test
    @DisplayName("that the upstream refuses is an error with the matching status")
    void refused() {
      gateway.beta.answerNextWith(Script.builder().refusal("no").build());
      assertThat(ask(GENERATED_SPEECH).status()).isEqualTo(400);
      gateway.beta.answerNextWith(Script.status(429));
      assertThat(ask(GENERATED_SPEECH).status()).isEqualTo(429);
      assertThat(gateway.paid()).isEqualByComparingTo(BigDecimal.ZERO);
    }
  }
}
