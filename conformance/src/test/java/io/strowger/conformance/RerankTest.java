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
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("POST /rerank")
class RerankTest {
  private static final String ENDPOINT =
      "{'provider':'%s','kind':'rerank','upstream_model':'rank','pricing':{%s}}";
  private static final String MODELS =
      "{'id':'acme/rank','endpoints':["
          + ENDPOINT.formatted("alpha", "'search_units':'0.002'")
          + ","
          + ENDPOINT.formatted("beta", "'search_units':'0.004'")
          + "]},{'id':'acme/tokens','endpoints':["
          + ENDPOINT.formatted("alpha", "'prompt':'0.000001'")
          + "]},{'id':'acme/chat','endpoints':[{'provider':'alpha','upstream_model':'chat'}]}";
  private static final String REQUEST_START =
      "{'model':'acme/rank','query':'which one','documents':['first',{'text':'second'},'third']";
  private static final String PLAIN = REQUEST_START + "}";
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private ServiceGateway gateway;

  @BeforeEach
  void start() {
    gateway =
        new ServiceGateway(
            MODELS,
            ",'account':{'guardrails':[{'name':'g','content_filter_builtins':["
                + "{'slug':'email','action':'redact'}]}]}");
    gateway.alpha.script("rank", Script.builder().tokens(7, 0).build());
    gateway.beta.script("rank", Script.builder().tokens(9, 0).build());
  }

  @AfterEach
  void nothingIsLeft() {
    gateway.close();
  }

  private ServiceGateway.TestResponse ask(String body) {
    return gateway.post("/rerank", body);
  }

  private static Script document(String json) {
    return Script.responding(
        200, Map.of("Content-Type", "application/json"), json.replace('\'', '"'));
  }

  @Proves("unary.rerank")
  @Test
  @DisplayName("answers with the documents, the best first, and the cost")
  void answer() {
    ServiceGateway.TestResponse response = ask(PLAIN);
    JsonNode answer = response.json();
    assertThat(response.status()).as(response.text()).isEqualTo(200);
    assertThat(answer.path("id").asText()).isEqualTo(response.headers().get("X-Generation-Id"));
    assertThat(answer.path("model").asText()).isEqualTo("acme/rank");
    assertThat(answer.path("provider").asText()).isEqualTo("Alpha");
    assertThat(answer.path("results").toString())
        .isEqualTo(
            "[{'index':2,'relevance_score':0.003,'document':{'text':'third'}},"
                .concat("{'index':1,'relevance_score':0.002,'document':{'text':'second'}},")
                .concat("{'index':0,'relevance_score':0.001,'document':{'text':'first'}}]")
                .replace('\'', '"'));
    JsonNode usage = answer.path("usage");
    assertThat(usage.path("search_units").asInt()).isEqualTo(1);
    assertThat(usage.path("total_tokens").asInt()).isEqualTo(7);
    assertThat(usage.path("cost").decimalValue()).isEqualByComparingTo("0.002");
    assertThat(gateway.paid()).isEqualByComparingTo("0.002");
    assertThat(gateway.alpha.last().path()).endsWith("/rerank");
    assertThat(gateway.alpha.last().header("Authorization")).isEqualTo("Bearer sk-upstream");
    assertThat(gateway.alpha.last().text())
        .contains("\"model\":\"rank\"", "\"documents\":[\"first\",\"second\",\"third\"]");
  }

  @Proves("unary.rerank")
  @Test
  @DisplayName("returns as many results as are asked for, even if a provider returns more")
  void topN() {
    JsonNode results = ask(REQUEST_START + ",'top_n':2}").json().path("results");
    assertThat(results).hasSize(2);
    assertThat(gateway.alpha.last().text()).contains("\"top_n\":2");
    gateway.alpha.answerNextWith(
        document(
            "{'results':[{'index':0,'relevance_score':0.1},{'index':1,'relevance_score':-1e1},"
                + "{'index':2,'relevance_score':0.10001}]}"));
    JsonNode cut = ask(REQUEST_START + ",'top_n':2}").json().path("results");
    assertThat(cut).hasSize(2);
    assertThat(cut.path(0).path("index").asInt()).isEqualTo(2);
    assertThat(ask(REQUEST_START + ",'top_n':50}").json().path("results")).hasSize(3);
  }

  @Test
  @DisplayName(
      "reads the other form of results that providers use, and keeps the spelling of scores")
  void otherForm() {
    gateway.alpha.answerNextWith(
        document(
            "{'data':[{'index':0,'score':5.0e-1},{'index':1,'score':1},{'index':2,'score':0.25}],"
                + "'usage':{'total_tokens':12}}"));
    ServiceGateway.TestResponse response = ask(PLAIN.replace("acme/rank", "acme/tokens"));
    assertThat(response.text()).contains("\"relevance_score\":5.0e-1");
    assertThat(response.json().path("usage").path("total_tokens").asInt()).isEqualTo(12);
    assertThat(response.json().path("usage").has("search_units")).isFalse();
    assertThat(gateway.paid()).isEqualByComparingTo("0.000012");
  }

  @Test
  @DisplayName(
      "estimates the units that a provider does not report, and bills no more than the request"
          + " needs")
  void uncounted() {
    String results =
        "{'results':[{'index':0,'relevance_score':1},{'index':1,'relevance_score':2},"
            + "{'index':2,'relevance_score':3}]";
    gateway.alpha.answerNextWith(document(results + "}"));
    assertThat(ask(PLAIN).json().path("usage").path("search_units").asInt()).isEqualTo(1);
    gateway.alpha.answerNextWith(
        document(results + ",'meta':{'billed_units':{'search_units':1000000}}}"));
    ask(PLAIN);
    assertThat(gateway.paid()).isEqualByComparingTo("0.004");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'results':[]}",
        "{'results':[{'index':0,'relevance_score':1},{'index':1,'relevance_score':1}]}",
        "{'results':[{'index':0,'relevance_score':1},{'index':0,'relevance_score':1},{'index':2,'relevance_score':1}]}",
        "{'results':[{'index':0,'relevance_score':1},{'index':1,'relevance_score':1},{'index':3,'relevance_score':1}]}",
        "{'results':[{'index':0,'relevance_score':1},{'index':1,'relevance_score':1},{'index':-1,'relevance_score':1}]}",
        "{'results':[{'index':0,'relevance_score':1},{'index':1,'relevance_score':1},{'index':4294967298,'relevance_score':1}]}",
        "{'results':[{'index':0,'relevance_score':1},{'index':1,'relevance_score':1},{'index':2}]}",
        "{'results':[{'index':0,'relevance_score':1},{'index':1,'relevance_score':1},{'index':2,'relevance_score':'1'}]}",
        "{'results':[{'index':0,'relevance_score':1},{'index':1,'relevance_score':1},{'index':2,'relevance_score':1e999999999999}]}",
        "{'results':[1,2,3]}",
        "{'results':{}}",
        "{}",
        "[]",
        "<html>",
        "{'error':{'message':'busy','code':'rate_limit_exceeded'}}",
      })
  @DisplayName("asks the next provider if an answer does not rank all documents")
  void unusable(String answer) {
    gateway.alpha.answerNextWith(document(answer));
    ServiceGateway.TestResponse response = ask(PLAIN);
    assertThat(response.status()).as(response.text()).isEqualTo(200);
    assertThat(response.json().path("provider").asText()).isEqualTo("Beta");
    assertThat(gateway.paid()).isEqualByComparingTo("0.004");
  }

  @Test
  @DisplayName("asks the next provider if one fails, and charges nothing if all fail")
  void fallback() {
    gateway
        .alpha
        .answerNextWith(Script.status(500))
        .answerNextWith(Script.failing(new ScriptedFault.Cut(ScriptedFault.AFTER_HEAD)));
    assertThat(ask(PLAIN).status()).isEqualTo(200);
    assertThat(ask(PLAIN).status()).isEqualTo(200);
    assertThat(gateway.paid()).isEqualByComparingTo("0.008");
    gateway.alpha.answerNextWith(Script.status(500));
    gateway.beta.answerNextWith(Script.status(503));
    assertThat(ask(PLAIN).status()).isIn(502, 503);
    assertThat(gateway.paid()).isEqualByComparingTo("0.008");
  }

  @Test
  @DisplayName("routes by every preference of the chat object, and only to endpoints of its kind")
  void routing() {
    for (String preference :
        new String[] {
          "'only':['beta']",
          "'ignore':['alpha']",
          "'order':['beta']",
          "'zdr':true",
          "'data_collection':'deny'"
        }) {
      ServiceGateway.TestResponse response =
          ask(REQUEST_START + ",'provider':{" + preference + "}}");
      assertThat(response.json().path("provider").asText()).as(preference).isEqualTo("Beta");
      assertThat(gateway.beta.last().text()).doesNotContain("\"provider\"");
    }
    gateway.alpha.answerNextWith(Script.status(500));
    assertThat(ask(REQUEST_START + ",'provider':{'allow_fallbacks':false}}").status())
        .isEqualTo(502);
    assertThat(ask(PLAIN.replace("acme/rank", "acme/chat")).status()).isEqualTo(400);
    assertThat(gateway.post("/embeddings", "{'model':'acme/rank','input':'x'}").status())
        .isEqualTo(400);
  }

  @Test
  @DisplayName("keeps a record of the kind rerank, with its bill")
  void record() {
    String id = ask(PLAIN).json().path("id").asText();
    JsonNode record = gateway.get("/generation?id=" + id).json().path("data");
    assertThat(record.path("api_type").asText()).isEqualTo("rerank");
    assertThat(record.path("total_cost").decimalValue()).isEqualByComparingTo("0.002");
    assertThat(record.path("provider_name").asText()).isEqualTo("Alpha");
  }

  @Test
  @DisplayName("is answered from the cache free of charge, for the same key only")
  void cached() {
    Map<String, String> cached = Map.of("authorization", "Bearer " + APP, "x-router-cache", "true");
    ServiceGateway.TestResponse first = gateway.post("/rerank", PLAIN, cached);
    ServiceGateway.TestResponse second = gateway.post("/rerank", PLAIN, cached);
    assertThat(gateway.alpha.requests()).isEqualTo(1);
    assertThat(second.json().path("results")).isEqualTo(first.json().path("results"));
    gateway.post(
        "/rerank", PLAIN, Map.of("authorization", "Bearer " + OTHER, "x-router-cache", "true"));
    assertThat(gateway.alpha.requests()).isEqualTo(2);
    assertThat(gateway.paid()).isEqualByComparingTo("0.004");
  }

  @Test
  @DisplayName("is refused before anything is sent if the key cannot pay for it")
  void poor() {
    assertThat(gateway.post("/rerank", PLAIN, as(POOR)).status()).isEqualTo(402);
    assertThat(gateway.alpha.requests() + gateway.beta.requests()).isZero();
  }

  @Test
  @DisplayName(
      "sends and returns the texts that a content filter has redacted, and does not send the user")
  void filtered() {
    ServiceGateway.TestResponse response =
        ask(
            "{'model':'acme/rank','query':'of ann@example.com','user':'u-17',"
                + "'documents':['write to eve@example.com',{'text':'bob@example.com'}]}");
    assertThat(response.status()).as(response.text()).isEqualTo(200);
    assertThat(gateway.alpha.last().text()).contains("write to ").doesNotContain("@", "u-17");
    assertThat(response.text()).doesNotContain("@example");
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
                () -> gateway.open("POST", "/rerank", PLAIN, as(APP), cancellation).body().close());
    assertThat(gateway.alpha.awaitRequests(1, TIMEOUT)).isTrue();
    cancellation.cancel(Cancellation.Cause.CALLER_GONE);
    assertThat(client.join(TIMEOUT)).isTrue();
    assertThat(gateway.alpha.awaitClientGone(TIMEOUT)).isTrue();
    assertThat(gateway.paid()).isEqualByComparingTo(BigDecimal.ZERO);
    assertThat(gateway.records.getLast().outcome()).isEqualTo(CallRecord.Outcome.CANCELLED);
  }

  @Proves("unary.rerank")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'documents':[]}|400|/documents: must have at least 1 item",
        "{'model':'acme/rank','query':'q','documents':['a',7]}|400|/documents/1: must be a string",
        "{'model':'acme/rank','query':'q','documents':[{}]}|400|/documents/0: must have a text",
        "{'model':'acme/rank','query':'q','documents':['a'],'top_n':0}|400|/top_n: must be",
        "{'model':'acme/nothing','query':'q','documents':['a']}|400|acme/nothing",
      })
  @DisplayName("reports what is wrong with a request")
  void wrong(String body, int status, String message) {
    ServiceGateway.TestResponse response = ask(body);
    assertThat(response.status()).as(response.text()).isEqualTo(status);
    assertThat(response.message()).contains(message);
  }
}
