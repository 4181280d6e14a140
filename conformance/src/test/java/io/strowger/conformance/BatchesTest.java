package io.strowger.conformance;

import static io.strowger.conformance.ServiceGateway.APP;
import static io.strowger.conformance.ServiceGateway.POOR;
import static io.strowger.conformance.ServiceGateway.as;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.strowger.conformance.ServiceGateway.TestResponse;
import io.strowger.simulated.Script;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A batch")
class BatchesTest {
  private static final Set<String> TERMINAL = Set.of("completed", "failed", "expired", "cancelled");
  private static final String CHAT =
      "{'provider':'%s','upstream_model':'chat','context_length':8192,'max_output_tokens':100,"
          + "'pricing':{'prompt':'%s','completion':'%s'}}";
  private static final String MODELS =
      "{'id':'acme/chat','endpoints':["
          + CHAT.formatted("alpha", "0.000003", "0.000006")
          + ","
          + CHAT.formatted("beta", "0.000001", "0.000002")
          + "]},{'id':'acme/embed','endpoints':[{'provider':'alpha','kind':'embeddings',"
          + "'upstream_model':'embed','context_length':8192,'pricing':{'prompt':'0.000001'}}]}";
  private static final Map<String, String> ADMIN = as("sk-admin");

  private ServiceGateway gateway;

  @BeforeEach
  void start() {
    gateway = new ServiceGateway(MODELS, "");
    gateway.alpha.script("chat", Script.builder().text("from alpha").tokens(10, 5).build());
    gateway.beta.script("chat", Script.builder().text("from beta").tokens(10, 5).build());
    gateway.alpha.script("embed", Script.builder().tokens(7, 0).build());
  }

  @AfterEach
  void nothingIsLeft() {
    gateway.close();
  }

  private static String item(String id, String body) {
    return "{'custom_id':'" + id + "','body':" + body + "}";
  }

  private static String hiItem(String id) {
    return item(id, "{'messages':[{'role':'user','content':'hi'}],'max_tokens':20}");
  }

  private static String batch(String endpoint, String model, String... items) {
    return "{'endpoint':'/v1/"
        + endpoint
        + "','model':'"
        + model
        + "','requests':["
        + String.join(",", items)
        + "]}";
  }

  private static String chats(int count) {
    return batch(
        "chat/completions",
        "acme/chat",
        IntStream.range(0, count).mapToObj(i -> hiItem("c" + i)).toArray(String[]::new));
  }

  private String create(String body) {
    TestResponse response = gateway.post("/batches", body);
    assertThat(response.status()).as(response.text()).isEqualTo(202);
    assertThat(response.json().path("status").asText()).isEqualTo("validating");
    return response.json().path("id").asText();
  }

  /** Waits until a batch has ended, and returns it; other threads process it. */
  private JsonNode awaitEnd(String id) {
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (System.nanoTime() - deadline < 0) {
      TestResponse response = gateway.get("/batches/" + id);
      assertThat(response.status()).as(response.text()).isEqualTo(200);
      if (TERMINAL.contains(response.json().path("status").asText())) {
        return response.json();
      }
      assertThat(response.json().has("results")).isFalse();
      Thread.onSpinWait();
    }
    throw new AssertionError("the batch has not ended: " + gateway.get("/batches/" + id).text());
  }

  private static Map<String, JsonNode> byId(JsonNode batch) {
    var results = new HashMap<String, JsonNode>();
    batch
        .path("results")
        .forEach(
            result -> {
              String id = result.path("custom_id").asText();
              assertThat(results.put(id, result)).as("one result for " + id).isNull();
              assertThat(result.path("response").isNull() ^ result.path("error").isNull())
                  .as("either response or error")
                  .isTrue();
            });
    return results;
  }

  private static JsonNode resultOf(Map<String, JsonNode> results, String id) {
    return Objects.requireNonNull(results.get(id), id);
  }

  @Proves({
    "batch.status",
    "batch.request_counts",
    "batch.results",
    "states.batch.create",
    "operation.batches.create",
    "operation.batches.get",
    "resources.operation.batches",
    "resources.batch.create",
    "resources.batch.get",
    "resources.batch.body",
    "resources.batch.object",
    "resources.batch.status",
    "resources.batch.result",
    "resources.batch.price",
    "answers.batch-paths",
    "answers.batch-object",
    "answers.batch-status",
    "answers.batch-result",
    "open.3",
    "open.79",
    "open.83"
  })
  @Test
  @DisplayName(
      "is answered by the cheapest provider, at half price, with one result for each request")
  void chat() {
    String id = create(chats(20));
    JsonNode batch = awaitEnd(id);
    assertThat(batch.path("status").asText()).isEqualTo("completed");
    assertThat(batch.path("object").asText()).isEqualTo("batch");
    assertThat(batch.path("endpoint").asText()).isEqualTo("/v1/chat/completions");
    assertThat(batch.path("model").asText()).isEqualTo("acme/chat");
    assertThat(batch.path("completion_window").asText()).isEqualTo("24h");
    assertThat(batch.path("provider").asText()).isEqualTo("beta");
    assertThat(batch.path("created_at").isIntegralNumber()).isTrue();
    assertThat(batch.path("finalized_at").isIntegralNumber()).isTrue();
    assertThat(batch.path("expires_at").asLong() - batch.path("created_at").asLong())
        .isEqualTo(86_400);
    assertThat(batch.path("error").isNull()).isTrue();
    JsonNode counts = batch.path("request_counts");
    assertThat(counts.path("total").asInt()).isEqualTo(20);
    assertThat(counts.path("completed").asInt()).isEqualTo(20);
    assertThat(counts.path("failed").asInt()).isZero();
    Map<String, JsonNode> results = byId(batch);
    assertThat(results).hasSize(20);
    JsonNode response = resultOf(results, "c7").path("response");
    assertThat(response.path("status_code").asInt()).isEqualTo(200);
    assertThat(response.path("request_id").asText()).matches("gen-batch-[0-9]+-[0-9a-f]{20}");
    assertThat(response.path("body").path("id").asText())
        .isEqualTo(response.path("request_id").asText());
    assertThat(response.path("body").path("choices").path(0).path("message").path("content"))
        .hasToString("\"from beta\"");
    // 10 x 1 and 5 x 2 millionths, halved
    assertThat(response.path("body").path("usage").path("cost").decimalValue())
        .isEqualByComparingTo("0.00001");
    JsonNode usage = batch.path("usage");
    assertThat(usage.path("prompt_tokens").asInt()).isEqualTo(200);
    assertThat(usage.path("completion_tokens").asInt()).isEqualTo(100);
    assertThat(usage.path("total_tokens").asInt()).isEqualTo(300);
    assertThat(usage.path("cost").decimalValue()).isEqualByComparingTo("0.0002");
    assertThat(usage.path("is_byok").asBoolean()).isFalse();
    assertThat(gateway.paid()).isEqualByComparingTo("0.0002");
    assertThat(gateway.alpha.requests()).isZero();
    assertThat(gateway.beta.requests()).isEqualTo(20);
    TestResponse record = gateway.get("/generation?id=" + response.path("request_id").asText());
    assertThat(record.json().path("data").path("total_cost").decimalValue())
        .as(record.text())
        .isEqualByComparingTo("0.00001");
  }

  @Proves("operation.batches.requests")
  @Test
  @DisplayName("has its requests answered in the form of its endpoint")
  void forms() {
    JsonNode messages =
        awaitEnd(
            create(
                batch(
                    "messages",
                    "acme/chat",
                    item("m", "{'max_tokens':9,'messages':[{'role':'user','content':'hi'}]}"))));
    JsonNode message = resultOf(byId(messages), "m").path("response").path("body");
    assertThat(message.path("type").asText()).isEqualTo("message");
    assertThat(message.path("content").path(0).path("text").asText()).isEqualTo("from beta");
    JsonNode responses =
        awaitEnd(create(batch("responses", "acme/chat", item("r", "{'input':'hi'}"))));
    assertThat(resultOf(byId(responses), "r").path("response").path("body").path("object").asText())
        .isEqualTo("response");
    JsonNode embeddings =
        awaitEnd(create(batch("embeddings", "acme/embed", item("e", "{'input':['a','b']}"))));
    assertThat(resultOf(byId(embeddings), "e").path("response").path("body").path("data"))
        .hasSize(2);
  }

  @Test
  @DisplayName("goes to one of the providers that it names")
  void only() {
    String body = chats(1).replace("'requests'", "'provider':{'only':['alpha']},'requests'");
    JsonNode batch = awaitEnd(create(body));
    assertThat(batch.path("provider").asText()).isEqualTo("alpha");
    assertThat(gateway.beta.requests()).isZero();
  }

  @Test
  @DisplayName("fails if one of its requests does not permit the chosen provider")
  void onlyOthers() {
    String elsewhere =
        hiItem("b").replace("'max_tokens'", "'provider':{'only':['alpha']},'max_tokens'");
    JsonNode batch =
        awaitEnd(create(batch("chat/completions", "acme/chat", hiItem("a"), elsewhere)));
    assertThat(batch.path("status").asText()).isEqualTo("failed");
    assertThat(batch.path("error").path("message").asText())
        .contains("/requests/1/body/provider/only: must be absent or name the provider")
        .contains("beta");
    assertThat(gateway.alpha.requests() + gateway.beta.requests()).isZero();
  }

  @Test
  @DisplayName("goes to the provider that its first request permits")
  void onlyOfFirst() {
    String first =
        hiItem("a").replace("'max_tokens'", "'provider':{'only':['alpha']},'max_tokens'");
    JsonNode batch = awaitEnd(create(batch("chat/completions", "acme/chat", first, hiItem("b"))));
    assertThat(batch.path("status").asText()).isEqualTo("completed");
    assertThat(batch.path("provider").asText()).isEqualTo("alpha");
    assertThat(gateway.beta.requests()).isZero();
  }

  @Nested
  @DisplayName("is refused")
  class Refused {
    @Proves({"operation.batches.create", "resources.batch.error.422"})
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '~',
        value = {
          "{'endpoint':'/v1/chat/completions','model':'acme/chat','requests':[{'body':{}}]}|400|custom_id"
              + " is required on requests[0].",
          "{'requests':[],'endpoint':'/v1/messages','model':'m'}|400|/requests: must come after"
              + " endpoint and model",
          "{'endpoint':'/v1/chat/completions','model':'acme/chat','requests':[{'custom_id':'a','body':{}}]}|422|Invalid"
              + " argument: /requests/0/body/messages: is required",
          "{'endpoint':'/v1/embeddings','model':'acme/chat','requests':[{'custom_id':'a','body':{'input':'x'}}]}|422|Invalid"
              + " argument",
          "{'endpoint':'/v1/chat/completions','model':'no/such','requests':[{'custom_id':'a','body':{'messages':[{'role':'user','content':'x'}]}}]}|400|No"
              + " model is called",
          "{'endpoint':'/v1/chat/completions','model':'acme/chat','requests':[{'custom_id':'a','body':{'messages':[{'role':'user','content':'x'}]}},]}|400|has"
              + " a comma before ]",
          "{'endpoint':'/v1/chat/completions','model':'acme/chat','requests':[|400|ends early",
          "{'endpoint':'/v1/chat/completions','model':'acme/chat','requests':[{'custom_id':'a','body':{'messages':tru}}]}|400|/requests/0",
          "{'endpoint':'/v1/chat/completions','endpoint':'/v1/messages','model':'acme/chat','requests':[{'custom_id':'a','body':{'messages':[{'role':'user','content':'x'}]}}]}|400|endpoint",
          "[]|400|the body must be an object",
          "|400|the body is empty",
        })
    @DisplayName("with the reason, before anything is stored")
    void wrong(String body, int status, String message) {
      TestResponse response = gateway.post("/batches", body == null ? "" : body);
      assertThat(response.message()).contains(message);
      assertThat(response.status()).isEqualTo(status);
      assertThat(gateway.get("/batches").json().path("data")).isEmpty();
      assertThat(response.json().path("error").path("code").asInt()).isEqualTo(status);
      assertThat(response.json()).hasSize(1);
    }

    @Proves("open.78")
    @Test
    @DisplayName("if it has too many requests, as soon as the first excess request is read")
    void tooMany() {
      String[] items = IntStream.range(0, 50_001).mapToObj(i -> "1").toArray(String[]::new);
      String endless = batch("chat/completions", "acme/chat", items);
      TestResponse response = gateway.post("/batches", endless.substring(0, endless.length() - 2));
      assertThat(response.status()).isEqualTo(400);
      assertThat(response.message())
          .contains("/requests: must have 1 to 50000 items, was an array of more than 50000")
          .doesNotContain("ends early");
    }

    @Test
    @DisplayName("if the credits do not cover its price, and nothing stays held")
    void unpayable() {
      TestResponse response = gateway.post("/batches", chats(3), as(POOR));
      assertThat(response.status()).as(response.text()).isEqualTo(402);
      assertThat(gateway.paid()).isZero();
    }

    @Proves({
      "batch.error",
      "operation.batches.get",
      "resources.batch.invalid",
      "answers.batch-status",
      "open.80"
    })
    @Test
    @DisplayName(
        "as a whole, after the 202, if one request is invalid; the error names its position")
    void invalid() {
      String wrong = item("w", "{'messages':[{'role':'user','content':'x'}],'temperature':9}");
      JsonNode batch =
          awaitEnd(create(batch("chat/completions", "acme/chat", hiItem("a"), wrong, hiItem("b"))));
      assertThat(batch.path("status").asText()).isEqualTo("failed");
      assertThat(batch.path("error").path("message").asText())
          .contains("/requests/1/body/temperature: must be");
      assertThat(batch.path("results")).isEmpty();
      assertThat(gateway.paid()).isZero();
      assertThat(gateway.beta.requests()).isZero();
    }
  }

  @Proves({"batch.request_counts", "resources.batch.result", "answers.batch-result"})
  @Test
  @DisplayName("has an error for a request that fails at its provider, and tries no other provider")
  void failing() {
    gateway.beta.script("chat", Script.status(400));
    JsonNode batch = awaitEnd(create(chats(2)));
    assertThat(batch.path("status").asText()).isEqualTo("completed");
    assertThat(batch.path("request_counts").path("failed").asInt()).isEqualTo(2);
    JsonNode error = resultOf(byId(batch), "c1").path("error");
    assertThat(error.path("type").asText()).isNotEmpty();
    assertThat(error.path("message").asText()).isNotEmpty();
    assertThat(error.has("param")).isTrue();
    assertThat(gateway.paid()).isZero();
    assertThat(gateway.alpha.requests()).as("one provider per batch").isZero();
  }

  @Proves({
    "batch.results",
    "operation.batches.list",
    "resources.batch.list",
    "answers.batch-paths",
    "answers.batch-list",
    "open.2"
  })
  @Test
  @DisplayName("is listed without its results, newest first, by page and by status")
  void list() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      String id = create(chats(1));
      ids.addFirst(id);
      awaitEnd(id);
    }
    JsonNode first = gateway.get("/batches?limit=2").json();
    assertThat(first.path("object").asText()).isEqualTo("list");
    assertThat(first.path("has_more").asBoolean()).isTrue();
    assertThat(first.path("first_id").asText()).isEqualTo(ids.get(0));
    assertThat(first.path("last_id").asText()).isEqualTo(ids.get(1));
    first.path("data").forEach(one -> assertThat(one.has("results")).isFalse());
    JsonNode second = gateway.get("/batches?limit=3&after=" + ids.get(1)).json();
    assertThat(ids(second)).containsExactlyElementsOf(ids.subList(2, 5));
    assertThat(second.path("has_more").asBoolean()).isFalse();
    assertThat(ids(gateway.get("/batches?status=failed&status=completed").json())).hasSize(5);
    JsonNode none = gateway.get("/batches?status=failed").json();
    assertThat(ids(none)).isEmpty();
    assertThat(none.path("first_id").isNull()).isTrue();
    assertThat(gateway.get("/batches?status=finalizing").status()).isEqualTo(400);
    assertThat(ids(ServiceGateway.read(gateway.open("GET", "/batches", "", as("sk-other"))).json()))
        .as("keys of one workspace see the same batches")
        .hasSize(5);
  }

  private static List<String> ids(JsonNode page) {
    var ids = new ArrayList<String>();
    page.path("data").forEach(one -> ids.add(one.path("id").asText()));
    return ids;
  }

  @Proves({
    "states.batch.delete",
    "operation.batches.delete",
    "resources.batch.delete",
    "resources.batch.error.404",
    "resources.batch.error.410",
    "resources.batch.deletion",
    "answers.batch-paths",
    "answers.batch-delete",
    "open.20",
    "open.81"
  })
  @Test
  @DisplayName("can be deleted after its end and then answers 410, but its bill stays")
  void delete() {
    String id = create(chats(3));
    awaitEnd(id);
    TestResponse deleted =
        ServiceGateway.read(gateway.open("DELETE", "/batches/" + id, "", as(APP)));
    assertThat(deleted.status()).isEqualTo(200);
    assertThat(deleted.text())
        .isEqualTo(
            "{\"id\":\"" + id + "\",\"object\":\"batch\",\"deletion\":{\"router\":\"deleted\"}}");
    assertThat(gateway.get("/batches/" + id).status()).isEqualTo(410);
    assertThat(ids(gateway.get("/batches").json())).isEmpty();
    assertThat(ServiceGateway.read(gateway.open("DELETE", "/batches/" + id, "", as(APP))).status())
        .isEqualTo(404);
    assertThat(gateway.paid()).isEqualByComparingTo("0.00003");
    assertThat(gateway.get("/batches/nope").message()).isEqualTo("Batch not found.");
    assertThat(gateway.get("/batches/nope").status()).isEqualTo(404);
  }

  @Proves({
    "states.batch.busy",
    "operation.batches.delete",
    "error.409",
    "resources.batch.error.409"
  })
  @Test
  @DisplayName("cannot be deleted while it is in progress")
  void busy() {
    gateway.beta.script("chat", Script.status(503));
    String id = create(chats(1));
    TestResponse refused =
        ServiceGateway.read(gateway.open("DELETE", "/batches/" + id, "", as(APP)));
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.message())
        .isEqualTo(
            "Only completed, failed, expired, or cancelled batches can be deleted."
                + " Wait for the batch to finish and try again.");
  }

  @Proves({"resources.batch.status", "answers.batch-status", "open.80"})
  @Test
  @DisplayName(
      "is cancelled when its key is disabled, with an error for each request that was not run")
  void cancelled() {
    JsonNode made = gateway.post("/keys", "{'name':'k'}", ADMIN).json();
    gateway.beta.script("chat", Script.status(503));
    TestResponse batched = gateway.post("/batches", chats(50), as(made.path("key").asText()));
    assertThat(batched.status()).as(batched.text()).isEqualTo(202);
    String hash = made.path("data").path("hash").asText();
    ServiceGateway.read(gateway.open("PATCH", "/keys/" + hash, "{'disabled':true}", ADMIN));
    JsonNode batch = awaitEnd(batched.json().path("id").asText());
    assertThat(batch.path("status").asText()).isEqualTo("cancelled");
    assertThat(batch.path("results")).hasSize(50);
    assertThat(resultOf(byId(batch), "c49").path("error").path("type").asText())
        .isEqualTo("batch_cancelled");
  }

  @Proves("resources.batch.error.402")
  @Test
  @DisplayName(
      "answers 402 while its cost exceeds the key's limit, and is not run again afterwards")
  void unpaid() {
    JsonNode made = gateway.post("/keys", "{'name':'k','limit':0.0001}", ADMIN).json();
    Map<String, String> key = as(made.path("key").asText());
    // more tokens than the hold covers for so short a prompt
    gateway.beta.script("chat", Script.builder().text("dear").tokens(1_000, 5).build());
    TestResponse batched = gateway.post("/batches", chats(1), key);
    assertThat(batched.status()).as(batched.text()).isEqualTo(202);
    String path = "/batches/" + batched.json().path("id").asText();
    TestResponse response = awaitResponse(path, key);
    assertThat(response.status()).as(response.text()).isEqualTo(402);
    assertThat(response.json().path("status").asText()).isEqualTo("completed");
    assertThat(response.json().path("results").isNull()).isTrue();
    assertThat(response.json().path("error").path("code").asInt()).isEqualTo(402);
    String keyPath = "/keys/" + made.path("data").path("hash").asText();
    ServiceGateway.read(gateway.open("PATCH", keyPath, "{'limit':1}", ADMIN));
    TestResponse paid = awaitResponse(path, key);
    assertThat(paid.status()).as(paid.text()).isEqualTo(200);
    assertThat(byId(paid.json())).containsOnlyKeys("c0");
    assertThat(gateway.beta.requests()).isEqualTo(1);
  }

  /** Waits until a batch has ended, and returns the response for it, of any status. */
  private TestResponse awaitResponse(String path, Map<String, String> key) {
    long deadline = System.nanoTime() + 20_000_000_000L;
    TestResponse response = ServiceGateway.read(gateway.open("GET", path, "", key));
    while (!TERMINAL.contains(response.json().path("status").asText())
        && System.nanoTime() - deadline < 0) {
      Thread.onSpinWait();
      response = ServiceGateway.read(gateway.open("GET", path, "", key));
    }
    return response;
  }
}
