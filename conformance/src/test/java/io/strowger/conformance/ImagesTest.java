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
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("POST /images")
class ImagesTest {
  private static final String ENDPOINT =
      "{'provider':'%s','kind':'images','upstream_model':'paint','pricing':{%s}%s}";
  private static final String MODELS =
      "{'id':'acme/paint','endpoints':["
          + ENDPOINT.formatted("alpha", "'image':'0.04'", "")
          + ","
          + ENDPOINT.formatted("beta", "'image':'0.4'", ",'input_modalities':['text','image']")
          + "]},{'id':'acme/tokens','endpoints':["
          + ENDPOINT.formatted("alpha", "'prompt':'0.000005','completion':'0.00004'", "")
          + "]},{'id':'acme/chat','endpoints':[{'provider':'alpha','upstream_model':'chat'}]}";
  private static final String CAT = "{'model':'acme/paint','prompt':'a cat'";
  private static final String PLAIN = CAT + "}";
  private static final String REFERENCE =
      ",'input_references':[{'type':'image_url','image_url':{'url':'https://x/y.png'}}]}";
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private ServiceGateway gateway;

  @BeforeEach
  void start() {
    gateway =
        new ServiceGateway(
            MODELS,
            ",'account':{'guardrails':[{'name':'g','content_filter_builtins':["
                + "{'slug':'email','action':'redact'}]}]}");
    gateway.alpha.script("paint", Script.builder().tokens(7, 100).build());
    gateway.beta.script("paint", Script.builder().tokens(9, 200).build());
  }

  @AfterEach
  void nothingIsLeft() {
    gateway.close();
  }

  private ServiceGateway.TestResponse ask(String body) {
    return gateway.post("/images", body);
  }

  private String servedBy() {
    return String.valueOf(gateway.records.getLast().endpoint());
  }

  private static Script document(String json) {
    return Script.responding(
        200, Map.of("Content-Type", "application/json"), json.replace('\'', '"'));
  }

  @Proves("unary.images")
  @ParameterizedTest
  @ValueSource(strings = {"/images", "/images/generations"})
  @DisplayName("answers with the images unchanged, the usage and the cost")
  void answer(String path) {
    ServiceGateway.TestResponse response =
        gateway.post(path, CAT + ",'n':3,'size':'1024x1024','quality':'low'}");
    JsonNode answer = response.json();
    assertThat(response.status()).as(response.text()).isEqualTo(200);
    assertThat(answer.path("id").asText()).isEqualTo(response.headers().get("X-Generation-Id"));
    assertThat(answer.path("created").asLong()).isEqualTo(1_700_000_000);
    assertThat(answer.path("model").asText()).isEqualTo("acme/paint");
    assertThat(answer.path("size").asText()).isEqualTo("1024x1024");
    assertThat(answer.path("data")).hasSize(3);
    assertThat(answer.path("data").path(2).path("b64_json").asText()).startsWith("iVBORw0KGgo");
    JsonNode usage = answer.path("usage");
    assertThat(usage.path("input_tokens").asInt()).isEqualTo(7);
    assertThat(usage.path("output_tokens").asInt()).isEqualTo(100);
    assertThat(usage.path("images").asInt()).isEqualTo(3);
    assertThat(usage.path("cost").decimalValue()).isEqualByComparingTo("0.12");
    assertThat(gateway.paid()).isEqualByComparingTo("0.12");
    assertThat(gateway.alpha.last().path()).endsWith("/images/generations");
    assertThat(gateway.alpha.last().text())
        .contains("\"model\":\"paint\"", "\"n\":3", "\"quality\":\"low\"");
  }

  @Proves("resources.insurance.images")
  @Test
  @DisplayName("charges for each usable image, and never for more than were asked for")
  void usable() {
    gateway.alpha.answerNextWith(
        document(
            "{'data':[{'b64_json':''},{'b64_json':'????'},{'b64_json':'iVBORw0KGgo='},{},1,"
                + "{'url':'https://cdn/x.png','revised_prompt':'a big cat'}]}"));
    JsonNode data = ask(CAT + ",'n':5}").json().path("data");
    assertThat(data).hasSize(2);
    assertThat(data.path(1).path("revised_prompt").asText()).isEqualTo("a big cat");
    assertThat(gateway.paid()).isEqualByComparingTo("0.08");
    gateway.alpha.answerNextWith(
        document("{'data':[{'b64_json':'iVBORw0KGgo='},{'b64_json':'iVBORw0KGgo='}]}"));
    assertThat(ask(PLAIN).json().path("data")).hasSize(1);
    assertThat(gateway.paid()).isEqualByComparingTo("0.12");
  }

  @Test
  @DisplayName(
      "charges by tokens if those have a price, and estimates them if the upstream does not report"
          + " them")
  void tokens() {
    assertThat(ask(PLAIN.replace("acme/paint", "acme/tokens")).status()).isEqualTo(200);
    assertThat(gateway.paid()).isEqualByComparingTo("0.004035");
    gateway.alpha.answerNextWith(
        document("{'data':[{'b64_json':'" + "iVBORw0K".repeat(1024) + "'}]}"));
    JsonNode usage = ask(PLAIN.replace("acme/paint", "acme/tokens")).json().path("usage");
    assertThat(usage.path("output_tokens").asInt()).isEqualTo(8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'data':[]}",
        "{'data':[{}]}",
        "{'data':[{'b64_json':'='}]}",
        "{'data':[{'b64_json':'a'}]}",
        "{'data':[{'b64_json':'a b='}]}",
        "{'data':[{'b64_json':'iVBORw0KGgo====='}]}",
        "{'data':[{'b64_json':'iVBORw0KGgo='}]}{",
        "{'data':[{'b64_json':'iVBORw0KGgo=',}]}",
        "{'data':{'b64_json':'iVBORw0KGgo='}}",
        "{'data':[{'url':''}]}",
        "{}",
        "[]",
        "<html>",
        "{'error':{'message':'busy','code':'rate_limit_exceeded'}}",
      })
  @DisplayName("asks the next provider if an answer has no image")
  void unusable(String answer) {
    gateway.alpha.answerNextWith(document(answer));
    ServiceGateway.TestResponse response = ask(PLAIN);
    assertThat(response.status()).as(response.text()).isEqualTo(200);
    assertThat(servedBy()).isEqualTo("acme/paint@beta");
    assertThat(gateway.paid()).isEqualByComparingTo("0.4");
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
    assertThat(gateway.paid()).isEqualByComparingTo("0.8");
    gateway.alpha.answerNextWith(Script.status(500));
    gateway.beta.answerNextWith(Script.status(503));
    assertThat(ask(PLAIN).status()).isIn(502, 503);
    assertThat(gateway.paid()).isEqualByComparingTo("0.8");
  }

  @Test
  @DisplayName(
      "routes by preferences, and sends reference images only to endpoints that accept images")
  void routing() {
    for (String preference :
        new String[] {
          "'only':['beta']",
          "'ignore':['alpha']",
          "'order':['beta']",
          "'zdr':true",
          "'data_collection':'deny'"
        }) {
      assertThat(ask(CAT + ",'provider':{" + preference + "}}").status()).isEqualTo(200);
      assertThat(servedBy()).as(preference).isEqualTo("acme/paint@beta");
      assertThat(gateway.beta.last().text()).doesNotContain("\"provider\"");
    }
    assertThat(ask(CAT + REFERENCE).status()).isEqualTo(200);
    assertThat(servedBy()).isEqualTo("acme/paint@beta");
    assertThat(gateway.beta.last().text()).contains("https://x/y.png");
    gateway.beta.answerNextWith(Script.status(500));
    assertThat(ask(CAT + REFERENCE).status()).isEqualTo(502);
    assertThat(gateway.alpha.requests()).isZero();
    assertThat(ask(PLAIN.replace("acme/paint", "acme/chat")).status()).isEqualTo(400);
  }

  @Test
  @DisplayName(
      "sends only the options of the provider that is asked, which replace no other members")
  void options() {
    ask(
        CAT
            + ",'user':'u-17','provider':{'options':{"
            + "'Alpha':{'style':'vivid','prompt':'a dog','n':9,'stream':true},"
            + "'beta':{'secret':1}}}}");
    assertThat(gateway.alpha.last().text())
        .contains("\"style\":\"vivid\"", "a cat", "\"user\":\"")
        .doesNotContain("a dog", "\"n\":9", "secret", "stream", "u-17", "options");
  }

  @Test
  @DisplayName("sends the prompt and the options as a content filter has redacted them")
  void filtered() {
    ServiceGateway.TestResponse response =
        ask(
            "{'model':'acme/paint','prompt':'a letter to eve@example.com','provider':{'options':{"
                + "'alpha':{'negative_prompt':'no bob@example.com'}}}}");
    assertThat(response.status()).as(response.text()).isEqualTo(200);
    assertThat(gateway.alpha.last().text())
        .contains("a letter to ", "negative_prompt")
        .doesNotContain("@example.com");
  }

  @Test
  @DisplayName("refuses a key that cannot pay for all images, before anything is sent")
  void poor() {
    assertThat(gateway.post("/images", PLAIN, as(POOR)).status()).isEqualTo(402);
    assertThat(gateway.alpha.requests() + gateway.beta.requests()).isZero();
  }

  @Test
  @DisplayName("keeps a record of the kind image")
  void record() {
    String id = ask(PLAIN).json().path("id").asText();
    JsonNode record = gateway.get("/generation?id=" + id).json().path("data");
    assertThat(record.path("api_type").asText()).isEqualTo("image");
    assertThat(record.path("num_media_completion").asInt()).isEqualTo(1);
    assertThat(record.path("total_cost").decimalValue()).isEqualByComparingTo("0.04");
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
                () -> gateway.open("POST", "/images", PLAIN, as(APP), cancellation).body().close());
    assertThat(gateway.alpha.awaitRequests(1, TIMEOUT)).isTrue();
    cancellation.cancel(Cancellation.Cause.CALLER_GONE);
    assertThat(client.join(TIMEOUT)).isTrue();
    assertThat(gateway.alpha.awaitClientGone(TIMEOUT)).isTrue();
    assertThat(gateway.paid()).isEqualByComparingTo(BigDecimal.ZERO);
  }

  @Proves("unary.images")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'n':11,'quality':'best'}|/model: is required",
        "{'model':'acme/paint','prompt':''}|/prompt: must be a string, not empty",
        "{'model':'acme/paint','prompt':'x','stream':true}|/stream: must be false",
        "{'model':'acme/paint','prompt':'x','provider':{'sort':1}}|/provider/sort",
        "{'model':'acme/nothing','prompt':'x'}|acme/nothing",
      })
  @DisplayName("reports what is wrong with a request")
  void wrong(String body, String message) {
    ServiceGateway.TestResponse response = ask(body);
    assertThat(response.status()).as(response.text()).isEqualTo(400);
    assertThat(response.message()).contains(message);
  }
}
