package io.strowger.conformance;

import static io.strowger.conformance.ServiceGateway.APP;
import static io.strowger.conformance.ServiceGateway.POOR;
import static io.strowger.conformance.ServiceGateway.as;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.spi.provider.Cancellation;
import io.strowger.tck.conformance.Proves;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("POST /audio/transcriptions")
class TranscriptionsTest {
  private static final String ENDPOINT =
      "{'provider':'%s','kind':'transcriptions','upstream_model':'hear','pricing':{%s}}";
  private static final String MODELS =
      "{'id':'acme/hear','endpoints':["
          + ENDPOINT.formatted("alpha", "'seconds':'0.0001'")
          + ","
          + ENDPOINT.formatted("beta", "'seconds':'0.001'")
          + "]},{'id':'acme/tokens','endpoints':["
          + ENDPOINT.formatted("alpha", "'input_audio':'0.000006','completion':'0.00001'")
          + "]},{'id':'acme/chat','endpoints':[{'provider':'alpha','upstream_model':'chat'}]}";
  private static final String SOUND = "ID3 some sound \r\n--not the boundary\0\1";
  private static final String BOUNDARY = "b0undary";
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private ServiceGateway gateway;

  @BeforeEach
  void start() {
    gateway =
        new ServiceGateway(
            MODELS,
            ",'account':{'guardrails':[{'name':'g','content_filter_builtins':["
                + "{'slug':'email','action':'redact'}]}]}");
    gateway.alpha.script("hear", Script.builder().text("what was said").tokens(3, 0).build());
    gateway.beta.script("hear", Script.builder().text("from beta").tokens(3, 0).build());
  }

  @AfterEach
  void nothingIsLeft() {
    gateway.close();
  }

  /** Returns a recording that is long enough to contain three seconds. */
  private static byte[] sound() {
    return (SOUND + "x".repeat(1500)).getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String json(String more) {
    return "{'model':'acme/hear','input_audio':{'data':'"
        + Base64.getEncoder().encodeToString(sound())
        + "','format':'mp3'}"
        + more
        + "}";
  }

  private ServiceGateway.TestResponse ask(String body) {
    return gateway.post("/audio/transcriptions", body);
  }

  private static String part(String parameters, String content) {
    return "--"
        + BOUNDARY
        + "\r\nContent-Disposition: form-data; "
        + parameters
        + "\r\n\r\n"
        + content
        + "\r\n";
  }

  private static String field(String name, String value) {
    return part("name=\"" + name + "\"", value);
  }

  private static String file() {
    return part(
        "name=\"file\"; filename=\"../\u00fc secret.MP3\"",
        new String(sound(), StandardCharsets.ISO_8859_1));
  }

  private ServiceGateway.TestResponse form(String parts) {
    return raw(parts + "--" + BOUNDARY + "--\r\n", "multipart/form-data; boundary=" + BOUNDARY);
  }

  private ServiceGateway.TestResponse raw(String body, String contentType) {
    return ServiceGateway.read(
        gateway.open(
            "POST",
            "/audio/transcriptions",
            body.getBytes(StandardCharsets.ISO_8859_1),
            Map.of("authorization", "Bearer " + APP, "content-type", contentType),
            new Cancellation()));
  }

  private String sent() {
    return new String(gateway.alpha.last().body(), StandardCharsets.ISO_8859_1);
  }

  private String servedBy() {
    return String.valueOf(gateway.records.getLast().endpoint());
  }

  private static Script document(String json) {
    return Script.responding(
        200, Map.of("Content-Type", "application/json"), json.replace('\'', '"'));
  }

  @Nested
  @DisplayName("The answer")
  class Answers {
    @Proves("unary.transcriptions")
    @Test
    @DisplayName("is the text, the seconds and their cost; the recording is sent byte for byte")
    void json() {
      ServiceGateway.TestResponse response =
          ask(TranscriptionsTest.json(",'language':'en','temperature':0.2"));
      assertThat(response.status()).as(response.text()).isEqualTo(200);
      JsonNode answer = response.json();
      assertThat(answer.path("text").asText()).isEqualTo("what was said");
      assertThat(answer.has("segments")).isFalse();
      assertThat(answer.path("usage").path("type").asText()).isEqualTo("duration");
      assertThat(answer.path("usage").path("seconds").asInt()).isEqualTo(3);
      assertThat(answer.path("usage").path("cost").decimalValue()).isEqualByComparingTo("0.0003");
      assertThat(gateway.paid()).isEqualByComparingTo("0.0003");
      assertThat(response.headers().get("X-Generation-Id")).startsWith("gen-");
      assertThat(gateway.alpha.last().path()).endsWith("/audio/transcriptions");
      assertThat(gateway.alpha.last().header("content-type"))
          .startsWith("multipart/form-data; boundary=");
      assertThat(sent())
          .contains(
              "name=\"model\"\r\n\r\nhear\r\n",
              "name=\"language\"\r\n\r\nen\r\n",
              "name=\"temperature\"\r\n\r\n0.2\r\n",
              "name=\"response_format\"\r\n\r\njson\r\n",
              "filename=\"audio.mp3\"",
              "\r\n\r\n" + new String(sound(), StandardCharsets.ISO_8859_1) + "\r\n--form-")
          .doesNotContain("input_audio", "acme/hear");
    }

    @Proves("unary.transcriptions")
    @Test
    @DisplayName(
        "to a form is the same, whatever the order of its parts, and the caller's file name is not"
            + " sent")
    void form() {
      ServiceGateway.TestResponse response =
          TranscriptionsTest.this.form(
              file()
                  + field("timestamp_granularities[]", "word")
                  + field("timestamp_granularities[]", "segment")
                  + field("response_format", "verbose_json")
                  + field("temperature", "0.5")
                  + field("prompt", "")
                  + field("model", "acme/hear"));
      assertThat(response.status()).as(response.text()).isEqualTo(200);
      assertThat(response.json().path("language").asText()).isEqualTo("english");
      assertThat(response.json().path("segments").isArray()).isTrue();
      assertThat(response.json().path("duration").asInt()).isEqualTo(3);
      assertThat(sent())
          .contains(
              "name=\"timestamp_granularities[]\"\r\n\r\nword\r\n",
              "name=\"timestamp_granularities[]\"\r\n\r\nsegment\r\n",
              "name=\"temperature\"\r\n\r\n0.5\r\n",
              "filename=\"audio.mp3\"",
              new String(sound(), StandardCharsets.ISO_8859_1))
          .doesNotContain("secret");
    }

    @Test
    @DisplayName("is charged by tokens if those have a price")
    void tokens() {
      gateway.alpha.answerNextWith(
          document(
              "{'text':'hi','usage':{'type':'tokens','input_tokens':20,'output_tokens':5,"
                  + "'total_tokens':25,'input_token_details':{'audio_tokens':20,'text_tokens':0}}}"));
      JsonNode usage =
          ask(TranscriptionsTest.json("").replace("acme/hear", "acme/tokens")).json().path("usage");
      assertThat(usage.path("type").asText()).isEqualTo("tokens");
      assertThat(usage.path("total_tokens").asInt()).isEqualTo(25);
      assertThat(gateway.paid()).isEqualByComparingTo("0.00017");
    }

    @Test
    @DisplayName(
        "has estimated seconds if the upstream reports none, and never costs more than was held")
    void uncounted() {
      gateway.alpha.answerNextWith(document("{'text':''}"));
      assertThat(ask(TranscriptionsTest.json("")).json().path("usage").path("seconds").asInt())
          .isEqualTo(1);
      gateway.alpha.answerNextWith(document("{'text':'','usage':{'seconds':1e12}}"));
      assertThat(ask(TranscriptionsTest.json("")).json().path("usage").path("seconds").asInt())
          .isEqualTo(4);
      byte[] wave =
          ByteBuffer.allocate(44 + 32_000)
              .order(ByteOrder.LITTLE_ENDIAN)
              .put("RIFF".getBytes(StandardCharsets.US_ASCII))
              .putInt(36 + 32_000)
              .put("WAVEfmt ".getBytes(StandardCharsets.US_ASCII))
              .putInt(16)
              .putShort((short) 1)
              .putShort((short) 1)
              .putInt(8_000)
              .putInt(16_000)
              .putShort((short) 2)
              .putShort((short) 16)
              .array();
      gateway.alpha.answerNextWith(document("{'text':''}"));
      String body =
          "{'model':'acme/hear','input_audio':{'format':'wav','data':'"
              + Base64.getEncoder().encodeToString(wave)
              + "'}}";
      assertThat(ask(body).json().path("usage").path("seconds").asInt()).isEqualTo(3);
    }

    @Test
    @DisplayName("is never cached, since the document is not the whole request")
    void uncached() {
      var cached = Map.of("authorization", "Bearer " + APP, "x-router-cache", "true");
      gateway.post("/audio/transcriptions", TranscriptionsTest.json(""), cached);
      gateway.post("/audio/transcriptions", TranscriptionsTest.json(""), cached);
      assertThat(gateway.alpha.requests()).isEqualTo(2);
    }

    @Test
    @DisplayName("is in a record of the kind stt")
    void record() {
      String id = ask(TranscriptionsTest.json("")).headers().get("X-Generation-Id");
      JsonNode record = gateway.get("/generation?id=" + id).json().path("data");
      assertThat(record.path("api_type").asText()).isEqualTo("stt");
      assertThat(record.path("total_cost").decimalValue()).isEqualByComparingTo("0.0003");
    }
  }

  @Nested
  @DisplayName("The request")
  class Requests {
    @Test
    @DisplayName("is routed by preferences, and sent with the options of its provider only")
    void routing() {
      for (String preference :
          new String[] {
            "'only':['beta']",
            "'ignore':['alpha']",
            "'order':['beta']",
            "'zdr':true",
            "'data_collection':'deny'"
          }) {
        assertThat(ask(json(",'provider':{" + preference + "}")).status()).isEqualTo(200);
        assertThat(servedBy()).as(preference).isEqualTo("acme/hear@beta");
      }
      ask(
          json(
              ",'language':'en','user':'u-17','stream':false,'provider':{'options':{'alpha':{"
                  + "'diarize':true,'language':'de','note':'of ann@example.com'},"
                  + "'beta':{'secret':1}}}"));
      assertThat(sent())
          .contains("name=\"diarize\"\r\n\r\ntrue", "\r\n\r\nen\r\n", "name=\"note\"")
          .doesNotContain(
              "secret", "\r\nde\r\n", "@example.com", "u-17", "name=\"stream", "name=\"provider");
      TranscriptionsTest.this.form(
          file() + field("model", "acme/hear") + field("provider", "{\"only\":[\"beta\"]}"));
      assertThat(servedBy()).isEqualTo("acme/hear@beta");
      assertThat(ask(json("").replace("acme/hear", "acme/chat")).status()).isEqualTo(400);
    }

    @Test
    @DisplayName("is refused before anything is sent if the key cannot pay for it")
    void poor() {
      assertThat(gateway.post("/audio/transcriptions", json(""), as(POOR)).status()).isEqualTo(402);
      assertThat(gateway.alpha.requests() + gateway.beta.requests()).isZero();
    }

    @Test
    @DisplayName("cannot break the lines of what is sent with the name of a field")
    void injection() {
      ask(json(",'a\\r\\nb\\\"c':'x'"));
      assertThat(sent()).contains("name=\"a%0D%0Ab%22c\"");
    }

    @Proves("unary.transcriptions")
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '~',
        value = {
          "{'model':'acme/hear'}|/input_audio: is required",
          "{'model':'acme/hear','input_audio':{'data':'?','format':'mp3'}}|/input_audio/data: must"
              + " be base64",
          "{'model':'acme/hear','input_audio':{'data':'UklG','format':'a/b'}}|/input_audio/format:"
              + " must be",
          "{'input_audio':{'data':'UklG','format':'mp3'}}|/model: is required",
          "{'model':'acme/hear','input_audio':{'data':'UklG','format':'mp3'},'response_format':'srt'}|/response_format",
        })
    @DisplayName("in JSON that is invalid is refused with the reason")
    void wrong(String body, String message) {
      ServiceGateway.TestResponse response = ask(body);
      assertThat(response.status()).as(response.text()).isEqualTo(400);
      assertThat(response.message()).contains(message);
    }

    @Test
    @DisplayName("in a form that is invalid is refused with all problems and their places")
    void wrongForm() {
      ServiceGateway.TestResponse response =
          TranscriptionsTest.this.form(
              field("temperature", "hot")
                  + field("stream", "true")
                  + field("response_format", "srt"));
      assertThat(response.status()).isEqualTo(400);
      assertThat(response.text())
          .contains("/file", "/model", "/temperature", "/stream", "/response_format");
      assertThat(
              TranscriptionsTest.this
                  .form(file() + field("model", "acme/hear") + field("model", "acme/chat"))
                  .message())
          .contains("/model: must be given once");
      assertThat(
              TranscriptionsTest.this
                  .form(part("name=\"file\"; filename=\"a.mp3\"", "") + field("stream", "true"))
                  .message())
          .contains("/file: must not be empty", "/model: is required", "/stream: must be false")
          .doesNotContain("/file: is required");
      assertThat(
              TranscriptionsTest.this
                  .form(part("name=\"file\"; filename=\"a\"", "x") + field("model", "m"))
                  .message())
          .contains("/file: must have a name that ends in its format");
      assertThat(
              TranscriptionsTest.this
                  .form(part("filename=\"a; name=model.mp3\"; name=\"file\"", "x"))
                  .message())
          .as("a quoted string contains no parameters")
          .contains("/model: is required")
          .doesNotContain("/file");
      assertThat(
              TranscriptionsTest.this
                  .form(part("name=\"file\"; name=\"model\"; filename=\"a.mp3\"", "x"))
                  .message())
          .contains("must have each parameter of a content-disposition only once");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "",
          "--b0undary",
          "--b0undary--",
          "--b0undary\r\n",
          "--b0undary\n",
          "preamble\r\n--b0undary--\r\n",
          "--b0undary\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nx",
          "--b0undary\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nx\r\n--b0undaryX",
          "--b0undary\r\n\r\nx\r\n--b0undary--",
          "--b0undary\r\nContent-Disposition: attachment; name=\"file\"\r\n\r\nx\r\n--b0undary--",
          "--b0undary\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b0undary--",
          "--b0undary\r\n"
              + "Content-Disposition: form-data; name=\"model\"\r\n\r\n"
              + "\u00ff\r\n"
              + "--b0undary--",
          "--b0undary\r\nContent-Disposition: form-data; name=\"model\"\r\n--b0undary--",
          "--b0undary\r\n"
              + "Content-Disposition: form-data; name=\"a\"\r\n"
              + "Content-Transfer-Encoding: base64\r\n\r\n"
              + "x\r\n"
              + "--b0undary--",
          "--b0undary\r\n"
              + "Content-Disposition: form-data; name=\"a\"\r\n"
              + "Content-Disposition: form-data; name=\"b\"\r\n\r\n"
              + "x\r\n"
              + "--b0undary--",
        })
    @DisplayName("that is a malformed form is refused, and reaches no provider")
    void malformed(String body) {
      ServiceGateway.TestResponse response = raw(body, "multipart/form-data; boundary=" + BOUNDARY);
      assertThat(response.status()).as(response.text()).isEqualTo(400);
      assertThat(gateway.alpha.requests()).isZero();
    }

    @Test
    @DisplayName(
        "in a form without a boundary, with too long headers or with too many parts is refused")
    void hostile() {
      assertThat(raw("--x--", "multipart/form-data").message()).contains("boundary");
      assertThat(raw("--x--", "multipart/form-data; boundary=\u00fc").status()).isEqualTo(400);
      assertThat(
              raw(
                      "--b0undary\r\nX: " + "y".repeat(1 << 20),
                      "multipart/form-data; boundary=" + BOUNDARY)
                  .message())
          .contains("bytes of headers in each part");
      assertThat(TranscriptionsTest.this.form(field("a", "1").repeat(65)).message())
          .contains("at most 64 parts");
      assertThat(TranscriptionsTest.this.form(field("a", "1".repeat(70_000))).message())
          .contains("bytes in each part except file");
    }
  }

  @Nested
  @DisplayName("Failures")
  class Failures {
    @ParameterizedTest
    @ValueSource(
        strings = {
          "{}",
          "{'text':7}",
          "{'text':null}",
          "[]",
          "<html>",
          "what was said",
          "{'error':{'message':'busy','code':'rate_limit_exceeded'}}",
        })
    @DisplayName("include answers without a text: the next provider is sent the whole recording")
    void unusable(String answer) {
      gateway.alpha.answerNextWith(document(answer));
      ServiceGateway.TestResponse response = ask(TranscriptionsTest.json(""));
      assertThat(response.status()).as(response.text()).isEqualTo(200);
      assertThat(response.json().path("text").asText()).isEqualTo("from beta");
      assertThat(new String(gateway.beta.last().body(), StandardCharsets.ISO_8859_1))
          .contains(new String(sound(), StandardCharsets.ISO_8859_1));
      assertThat(gateway.paid()).isEqualByComparingTo("0.003");
    }

    @Test
    @DisplayName("of all providers have a status, and cost nothing")
    void exhausted() {
      gateway.alpha.answerNextWith(Script.status(500));
      gateway.beta.answerNextWith(Script.failing(new ScriptedFault.Cut(ScriptedFault.AFTER_HEAD)));
      assertThat(ask(TranscriptionsTest.json("")).status()).isIn(502, 503);
      assertThat(gateway.paid()).isEqualByComparingTo(BigDecimal.ZERO);
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
                          .open(
                              "POST",
                              "/audio/transcriptions",
                              TranscriptionsTest.json(""),
                              as(APP),
                              cancellation)
                          .body()
                          .close());
      assertThat(gateway.alpha.awaitRequests(1, TIMEOUT)).isTrue();
      cancellation.cancel(Cancellation.Cause.CALLER_GONE);
      assertThat(client.join(TIMEOUT)).isTrue();
      assertThat(gateway.alpha.awaitClientGone(TIMEOUT)).isTrue();
      assertThat(gateway.paid()).isEqualByComparingTo(BigDecimal.ZERO);
    }
  }
}
