package io.strowger.conformance;

import static io.strowger.conformance.ServiceGateway.APP;
import static io.strowger.conformance.ServiceGateway.OTHER;
import static io.strowger.conformance.ServiceGateway.POOR;
import static io.strowger.conformance.ServiceGateway.as;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Cancellation;
import io.strowger.tck.conformance.Proves;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("POST /embeddings")
class EmbeddingsTest {
  private static final String ENDPOINT =
      "{'provider':'%s','kind':'embeddings','upstream_model':'embed','context_length':8192,"
          + "'input_modalities':['text','image'],'pricing':{'prompt':'%s'}}";
  private static final String MODELS =
      "{'id':'acme/embed','endpoints':["
          + ENDPOINT.formatted("alpha", "0.000001")
          + ","
          + ENDPOINT.formatted("beta", "0.000003")
          + "]},{'id':'acme/chat','endpoints':[{'provider':'alpha','upstream_model':'chat'}]}";
  private static final String HELLO = "{'model':'acme/embed','input':'hello'}";
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final Map<String, String> CACHED =
      Map.of("authorization", "Bearer " + APP, "x-router-cache", "true");

  private ServiceGateway gateway;

  @BeforeEach
  void start() {
    gateway =
        new ServiceGateway(
            MODELS,
            ",'account':{'guardrails':[{'name':'g','content_filter_builtins':["
                + "{'slug':'email','action':'redact'}]}]}");
    gateway.alpha.script("embed", Script.builder().tokens(7, 0).build());
    gateway.beta.script("embed", Script.builder().tokens(9, 0).build());
  }

  @AfterEach
  void nothingIsLeft() {
    gateway.close();
  }

  private ServiceGateway.TestResponse ask(String body) {
    return gateway.post("/embeddings", body);
  }

  private static Script document(String json) {
    return Script.responding(
        200, Map.of("Content-Type", "application/json"), json.replace('\'', '"'));
  }

  @Proves("unary.embeddings.answer")
  @Test
  @DisplayName("answers with the list, the model, the usage and the cost")
  void answer() {
    ServiceGateway.TestResponse response = ask(HELLO);
    JsonNode answer = response.json();
    assertThat(response.status()).as(response.text()).isEqualTo(200);
    assertThat(response.headers()).containsKey("X-Generation-Id");
    assertThat(answer.path("id").asText()).isEqualTo(response.headers().get("X-Generation-Id"));
    assertThat(answer.path("object").asText()).isEqualTo("list");
    assertThat(answer.path("model").asText()).isEqualTo("acme/embed");
    assertThat(answer.path("data")).hasSize(1);
    assertThat(answer.path("data").path(0).path("embedding")).hasSize(4);
    assertThat(answer.path("usage").path("prompt_tokens").asInt()).isEqualTo(7);
    assertThat(answer.path("usage").path("total_tokens").asInt()).isEqualTo(7);
    assertThat(answer.path("usage").path("cost").decimalValue()).isEqualByComparingTo("0.000007");
    assertThat(answer.path("usage").path("is_byok").asBoolean()).isFalse();
    assertThat(gateway.paid()).isEqualByComparingTo("0.000007");
    assertThat(gateway.alpha.last().path()).endsWith("/embeddings");
    assertThat(gateway.alpha.last().header("Authorization")).isEqualTo("Bearer sk-upstream");
  }

  @Proves({"unary.embeddings.input", "unary.embeddings.answer"})
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'one'|1",
        "['one','two','three']|3",
        "[1,2,3]|1",
        "[[1,2],[3],[4,5,6]]|3",
        "[{'content':[{'type':'text','text':'a'},{'type':'image_url','image_url':{'url':'http://x/y.png'}}]}]|1",
      })
  @DisplayName("accepts every form of input, sends it unchanged, and answers in its order")
  void forms(String input, int count) {
    JsonNode data = ask("{'model':'acme/embed','input':" + input + "}").json().path("data");
    assertThat(data).hasSize(count);
    for (int i = 0; i < count; i++) {
      assertThat(data.path(i).path("index").asInt()).isEqualTo(i);
    }
    assertThat(gateway.alpha.last().text()).contains(input.replace('\'', '"'));
  }

  @Test
  @DisplayName("passes base64 on unchanged, and numbers of any spelling")
  void untouched() {
    gateway.alpha.answerNextWith(
        document(
            "{'data':[{'index':0,'embedding':'AACAPwAAAMA='}],'usage':{'prompt_tokens':1,'total_tokens':1}}"));
    assertThat(ask("{'model':'acme/embed','input':'x','encoding_format':'base64'}").text())
        .contains("\"embedding\":\"AACAPwAAAMA=\"");
    assertThat(gateway.alpha.last().text()).contains("\"encoding_format\":\"base64\"");
    gateway.alpha.answerNextWith(document("{'data':[{'index':0,'embedding':[1.50e-1, 2]}]}"));
    assertThat(ask(HELLO).text()).contains("\"embedding\":[1.50e-1, 2]");
  }

  @Proves("unary.embeddings.encoding")
  @Test
  @DisplayName("writes the encoding that the caller asked for if the upstream gives the other")
  void otherEncoding() {
    gateway.alpha.answerNextWith(document("{'data':[{'index':0,'embedding':[1,-2]}]}"));
    assertThat(
            ask("{'model':'acme/embed','input':'x','encoding_format':'base64'}")
                .json()
                .path("data")
                .path(0)
                .path("embedding")
                .asText())
        .isEqualTo("AACAPwAAAMA=");
    byte[] floats =
        ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putFloat(0.1f).putFloat(3).array();
    gateway.alpha.answerNextWith(
        document(
            "{'data':[{'index':0,'embedding':'"
                + Base64.getEncoder().encodeToString(floats)
                + "'}]}"));
    JsonNode vector = ask(HELLO).json().path("data").path(0).path("embedding");
    assertThat(vector.path(0).decimalValue()).isEqualByComparingTo("0.1");
    assertThat(vector.path(1).decimalValue()).isEqualByComparingTo("3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e39", "-1e39", "1e99999999999999", "1e400"})
  @DisplayName("asks the next provider if a number cannot be written in the caller's encoding")
  void beyondFloats(String number) {
    gateway.alpha.answerNextWith(document("{'data':[{'index':0,'embedding':[1," + number + "]}]}"));
    ServiceGateway.TestResponse response =
        ask("{'model':'acme/embed','input':'x','encoding_format':'base64'}");
    assertThat(response.status()).as(response.text()).isEqualTo(200);
    assertThat(gateway.records.getLast().endpoint()).isEqualTo("acme/embed@beta");
  }

  @Test
  @DisplayName("asks for the number of dimensions that the caller wants, and accepts no other")
  void dimensions() {
    String body = "{'model':'acme/embed','input':'x','dimensions':6,'input_type':'search_query'}";
    assertThat(ask(body).json().path("data").path(0).path("embedding")).hasSize(6);
    assertThat(gateway.alpha.last().text())
        .contains("\"dimensions\":6", "\"input_type\":\"search_query\"", "\"model\":\"embed\"");
    gateway.alpha.answerNextWith(document("{'data':[{'index':0,'embedding':[1,2]}]}"));
    ServiceGateway.TestResponse response = ask(body);
    assertThat(response.status()).isEqualTo(200);
    assertThat(gateway.records.getLast().endpoint()).isEqualTo("acme/embed@beta");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'data':[]}",
        "{'data':[{'index':0,'embedding':[1]},{'index':1,'embedding':[1]}]}",
        "{'data':[{'index':1,'embedding':[1]}]}",
        "{'data':[{'embedding':[1]}]}",
        "{'data':[{'index':0,'embedding':[]}]}",
        "{'data':[{'index':0,'embedding':['a']}]}",
        "{'data':[{'index':0,'embedding':'AAA'}]}",
        "{'data':[{'index':0,'embedding':'AADAfw=='}]}",
        "{'data':[{'index':0,'embedding':'????'}]}",
        "{'data':{}}",
        "{'data':[{'index':4294967296,'embedding':[1]}]}",
        "{'data':[{'index':0,'embedding':{'0':1}}]}",
        "[]",
        "<html>",
        "{'error':{'message':'busy','code':'rate_limit_exceeded'}}",
      })
  @DisplayName(
      "asks the next provider if an answer is not a list with one embedding for each input")
  void unusable(String answer) {
    gateway.alpha.answerNextWith(document(answer));
    ServiceGateway.TestResponse response = ask(HELLO);
    assertThat(response.status()).as(response.text()).isEqualTo(200);
    assertThat(response.json().path("usage").path("prompt_tokens").asInt()).isEqualTo(9);
    assertThat(gateway.paid()).isEqualByComparingTo("0.000027");
  }

  @Test
  @DisplayName("asks the next provider if one fails, and charges for the one that answers")
  void fallback() {
    gateway
        .alpha
        .answerNextWith(Script.status(500))
        .answerNextWith(Script.failing(new ScriptedFault.Cut(ScriptedFault.AFTER_HEAD)));
    assertThat(ask(HELLO).status()).isEqualTo(200);
    assertThat(ask(HELLO).status()).isEqualTo(200);
    assertThat(gateway.paid()).isEqualByComparingTo("0.000054");
    assertThat(gateway.records.getLast().endpoint()).isEqualTo("acme/embed@beta");
  }

  @Test
  @DisplayName("reports the failure if every provider fails, and charges nothing")
  void exhausted() {
    gateway.alpha.answerNextWith(Script.status(500));
    gateway.beta.answerNextWith(Script.status(503));
    assertThat(ask(HELLO).status()).isIn(502, 503);
    assertThat(gateway.paid()).isEqualByComparingTo(BigDecimal.ZERO);
  }

  @Test
  @DisplayName("cuts an answer that is too long, and asks the next provider")
  void endless() {
    gateway.alpha.answerNextWith(document("{'data':[" + "0,".repeat(4_000_000) + "0]}"));
    assertThat(ask(HELLO).status()).isEqualTo(200);
    assertThat(gateway.records.getLast().endpoint()).isEqualTo("acme/embed@beta");
  }

  @Test
  @DisplayName(
      "routes by the same provider preferences as a chat request, and only to endpoints for"
          + " embeddings")
  void routing() {
    ask("{'model':'acme/embed','input':'x','provider':{'only':['beta']}}");
    assertThat(gateway.beta.requests()).isEqualTo(1);
    ask("{'model':'acme/embed','input':'x','provider':{'zdr':true}}");
    assertThat(gateway.beta.requests()).isEqualTo(2);
    assertThat(gateway.beta.last().text()).doesNotContain("provider", "zdr");
    ServiceGateway.TestResponse dear =
        ask("{'model':'acme/embed','input':'x','provider':{'max_price':{'prompt':0.5}}}");
    assertThat(dear.status()).isEqualTo(404);
    assertThat(ask("{'model':'acme/chat','input':'x'}").status()).isEqualTo(400);
    assertThat(
            gateway
                .post(
                    "/chat/completions",
                    "{'model':'acme/embed','messages':[{'role':'user','content':'x'}]}")
                .status())
        .isEqualTo(400);
  }

  @Test
  @DisplayName("shows how it was routed if the request asks for that")
  void metadata() {
    ServiceGateway.TestResponse response =
        gateway.post(
            "/embeddings",
            HELLO,
            Map.of("authorization", "Bearer " + APP, "x-router-metadata", "enabled"));
    assertThat(response.json().path("router_metadata").isObject()).isTrue();
    assertThat(ask(HELLO).json().has("router_metadata")).isFalse();
  }

  @Test
  @DisplayName("keeps a record of the kind embeddings, with its bill")
  void record() {
    String id = ask(HELLO).json().path("id").asText();
    JsonNode kept = gateway.get("/generation?id=" + id).json().path("data");
    assertThat(kept.path("api_type").asText()).isEqualTo("embeddings");
    assertThat(kept.path("tokens_prompt").asInt()).isEqualTo(7);
    assertThat(kept.path("total_cost").decimalValue()).isEqualByComparingTo("0.000007");
    assertThat(kept.path("provider_name").asText()).isEqualTo("Alpha");
  }

  @Test
  @DisplayName("is answered from the cache free of charge, for the same key only")
  void cached() {
    ServiceGateway.TestResponse first = gateway.post("/embeddings", HELLO, CACHED);
    ServiceGateway.TestResponse second = gateway.post("/embeddings", HELLO, CACHED);
    assertThat(gateway.alpha.requests()).isEqualTo(1);
    assertThat(second.json().path("data")).isEqualTo(first.json().path("data"));
    assertThat(second.json().path("usage").path("prompt_tokens").asInt()).isZero();
    assertThat(second.json().path("usage").path("cost").decimalValue())
        .isEqualByComparingTo(BigDecimal.ZERO);
    assertThat(second.headers()).containsEntry("X-Router-Cache-Status", "HIT");
    gateway.post(
        "/embeddings", HELLO, Map.of("authorization", "Bearer " + OTHER, "x-router-cache", "true"));
    assertThat(gateway.alpha.requests()).isEqualTo(2);
    assertThat(gateway.paid()).isEqualByComparingTo("0.000014");
  }

  @Test
  @DisplayName("is refused before anything is sent if the key cannot pay for it")
  void poor() {
    ServiceGateway.TestResponse response =
        gateway.post(
            "/embeddings",
            "{'model':'acme/embed','input':'" + "many words ".repeat(100) + "'}",
            as(POOR));
    assertThat(response.status()).isEqualTo(402);
    assertThat(gateway.alpha.requests() + gateway.beta.requests()).isZero();
  }

  @Test
  @DisplayName(
      "sends the text as redacted by a content filter, and a hash instead of the user member")
  void filtered() {
    ServiceGateway.TestResponse response =
        ask("{'model':'acme/embed','input':['write to eve@example.com','hi'],'user':'u-17'}");
    assertThat(response.status()).as(response.text()).isEqualTo(200);
    assertThat(response.json().path("data")).hasSize(2);
    assertThat(gateway.alpha.last().text())
        .doesNotContain("eve@example.com", "u-17")
        .contains("write to ", "\"user\":\"");
  }

  @Test
  @DisplayName("accepts no embeddings of different sizes")
  void sizes() {
    gateway.alpha.answerNextWith(
        document("{'data':[{'index':0,'embedding':[1,2]},{'index':1,'embedding':[1]}]}"));
    assertThat(ask("{'model':'acme/embed','input':['a','b']}").status()).isEqualTo(200);
    assertThat(gateway.records.getLast().endpoint()).isEqualTo("acme/embed@beta");
  }

  @Test
  @DisplayName("cancels the request to the upstream if the client disconnects, and charges nothing")
  void clientGone() throws InterruptedException {
    gateway.alpha.answerNextWith(
        Script.failing(new ScriptedFault.Stall(ScriptedFault.BEFORE_HEAD)));
    var cancellation = new Cancellation();
    Thread client =
        Thread.ofVirtual()
            .start(
                () ->
                    gateway
                        .open("POST", "/embeddings", HELLO, as(APP), cancellation)
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

  @Test
  @DisplayName("gives each of two concurrent callers its own answers")
  void tenants() throws InterruptedException {
    gateway.alpha.respond(
        "embed",
        receivedRequest ->
            document(
                receivedRequest.text().contains("\"one\"")
                    ? "{'data':[{'index':0,'embedding':[1]}],'usage':{'prompt_tokens':1}}"
                    : "{'data':[{'index':0,'embedding':[2]}],'usage':{'prompt_tokens':2}}"));
    var wrong = new AtomicInteger();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 40; i++) {
      boolean one = i % 2 == 0;
      String body =
          "{'model':'acme/embed','provider':{'only':['alpha']},'input':'"
              + (one ? "one" : "two")
              + "'}";
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    var response = gateway.post("/embeddings", body, as(one ? APP : OTHER));
                    JsonNode vector = response.json().path("data").path(0).path("embedding");
                    if (vector.path(0).asInt() != (one ? 1 : 2)) {
                      wrong.incrementAndGet();
                    }
                  }));
    }
    for (Thread thread : threads) {
      assertThat(thread.join(TIMEOUT)).isTrue();
    }
    assertThat(wrong).hasValue(0);
    assertThat(gateway.paid()).isEqualByComparingTo("0.00006");
  }

  @Test
  @DisplayName("estimates the tokens that an upstream does not report")
  void uncounted() {
    gateway.alpha.answerNextWith(document("{'data':[{'index':0,'embedding':[1]}]}"));
    JsonNode answer = ask("{'model':'acme/embed','input':'" + "abcd".repeat(10) + "'}").json();
    assertThat(answer.path("usage").path("prompt_tokens").asInt()).isEqualTo(10);
  }

  @Test
  @DisplayName("requires only each single input to fit into an endpoint's context")
  void context() {
    String text = "x".repeat(30_000);
    assertThat(ask("{'model':'acme/embed','input':['" + text + "','" + text + "']}").status())
        .isEqualTo(200);
    assertThat(ask("{'model':'acme/embed','input':'" + text + text + "'}").status()).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'input':[]}|400|/model: is required",
        "{'model':'acme/embed','input':['a',1]}|400|/input/1",
        "{'model':'acme/nothing','input':'x'}|400|acme/nothing",
      })
  @DisplayName("reports what is wrong with a request")
  void wrong(String body, int status, String message) {
    ServiceGateway.TestResponse response = ask(body);
    assertThat(response.status()).as(response.text()).isEqualTo(status);
    assertThat(response.message()).contains(message);
  }
}
