package io.strowger.conformance;

import static io.strowger.conformance.ServiceGateway.APP;
import static io.strowger.conformance.ServiceGateway.POOR;
import static io.strowger.conformance.ServiceGateway.as;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.strowger.conformance.ServiceGateway.Heard;
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

@DisplayName("Batch operations")
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

  private static String hi(String id) {
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
        IntStream.range(0, count).mapToObj(i -> hi("c" + i)).toArray(String[]::new));
  }

  private String created(String body) {
    Heard heard = gateway.post("/batches", body);
    assertThat(heard.status()).as(heard.text()).isEqualTo(202);
    assertThat(heard.json().path("status").asText()).isEqualTo("validating");
    return heard.json().path("id").asText();
  }

  /** The batch when it is over; others do the work meanwhile. */
  private JsonNode over(String id) {
    long patience = System.nanoTime() + 20_000_000_000L;
    while (System.nanoTime() - patience < 0) {
      Heard heard = gateway.get("/batches/" + id);
      assertThat(heard.status()).as(heard.text()).isEqualTo(200);
      if (TERMINAL.contains(heard.json().path("status").asText())) {
        return heard.json();
      }
      assertThat(heard.json().has("results")).isFalse();
      Thread.onSpinWait();
    }
    throw new AssertionError("the batch is not over: " + gateway.get("/batches/" + id).text());
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

  private static JsonNode one(Map<String, JsonNode> results, String id) {
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
  @DisplayName("a batch is answered at the cheapest provider, at half price, each request once")
  void chat() {
    String id = created(chats(20));
    JsonNode batch = over(id);
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
    JsonNode response = one(results, "c7").path("response");
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
    Heard record = gateway.get("/generation?id=" + response.path("request_id").asText());
    assertThat(record.json().path("data").path("total_cost").decimalValue())
        .as(record.text())
        .isEqualByComparingTo("0.00001");
  }

  @Proves("operation.batches.requests")
  @Test
  @DisplayName("each endpoint's requests are answered in its own form")
  void forms() {
    JsonNode messages =
        over(
            created(
                batch(
                    "messages",
                    "acme/chat",
                    item("m", "{'max_tokens':9,'messages':[{'role':'user','content':'hi'}]}"))));
    JsonNode message = one(byId(messages), "m").path("response").path("body");
    assertThat(message.path("type").asText()).isEqualTo("message");
    assertThat(message.path("content").path(0).path("text").asText()).isEqualTo("from beta");
    JsonNode responses =
        over(created(batch("responses", "acme/chat", item("r", "{'input':'hi'}"))));
    assertThat(one(byId(responses), "r").path("response").path("body").path("object").asText())
        .isEqualTo("response");
    JsonNode embeddings =
        over(created(batch("embeddings", "acme/embed", item("e", "{'input':['a','b']}"))));
    assertThat(one(byId(embeddings), "e").path("response").path("body").path("data")).hasSize(2);
  }

  @Test
  @DisplayName("a provider is taken from those the batch names")
  void only() {
    String body = chats(1).replace("'requests'", "'provider':{'only':['alpha']},'requests'");
    JsonNode batch = over(created(body));
    assertThat(batch.path("provider").asText()).isEqualTo("alpha");
    assertThat(gateway.beta.requests()).isZero();
  }

  @Test
  @DisplayName("fails when a request permits other providers than the one that is chosen")
  void onlyOthers() {
    String elsewhere =
        hi("b").replace("'max_tokens'", "'provider':{'only':['alpha']},'max_tokens'");
    JsonNode batch = over(created(batch("chat/completions", "acme/chat", hi("a"), elsewhere)));
    assertThat(batch.path("status").asText()).isEqualTo("failed");
    assertThat(batch.path("error").path("message").asText())
        .contains("/requests/1/body/provider/only: must be absent or name the provider")
        .contains("beta");
    assertThat(gateway.alpha.requests() + gateway.beta.requests()).isZero();
  }

  @Test
  @DisplayName("goes to the provider that its first request permits")
  void onlyOfFirst() {
    String first = hi("a").replace("'max_tokens'", "'provider':{'only':['alpha']},'max_tokens'");
    JsonNode batch = over(created(batch("chat/completions", "acme/chat", first, hi("b"))));
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
    @DisplayName("with what is wrong, before anything is kept")
    void wrong(String body, int status, String says) {
      Heard heard = gateway.post("/batches", body == null ? "" : body);
      assertThat(heard.message()).contains(says);
      assertThat(heard.status()).isEqualTo(status);
      assertThat(gateway.get("/batches").json().path("data")).isEmpty();
      assertThat(heard.json().path("error").path("code").asInt()).isEqualTo(status);
      assertThat(heard.json()).hasSize(1);
    }

    @Proves("open.78")
    @Test
    @DisplayName("with more requests than a batch may have, at the first that is too many")
    void tooMany() {
      String[] items = IntStream.range(0, 50_001).mapToObj(i -> "1").toArray(String[]::new);
      String endless = batch("chat/completions", "acme/chat", items);
      Heard heard = gateway.post("/batches", endless.substring(0, endless.length() - 2));
      assertThat(heard.status()).isEqualTo(400);
      assertThat(heard.message())
          .contains("/requests: must have 1 to 50000 items, was an array of more than 50000")
          .doesNotContain("ends early");
    }

    @Test
    @DisplayName("when its price does not fit now, and nothing stays held")
    void unpayable() {
      Heard heard = gateway.post("/batches", chats(3), as(POOR));
      assertThat(heard.status()).as(heard.text()).isEqualTo(402);
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
    @DisplayName("as a whole when one request is not valid, after the 202, with its place")
    void invalid() {
      String wrong = item("w", "{'messages':[{'role':'user','content':'x'}],'temperature':9}");
      JsonNode batch =
          over(created(batch("chat/completions", "acme/chat", hi("a"), wrong, hi("b"))));
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
  @DisplayName("a request that fails at its provider is tried again, and has an error in the end")
  void failing() {
    gateway.beta.script("chat", Script.status(400));
    JsonNode batch = over(created(chats(2)));
    assertThat(batch.path("status").asText()).isEqualTo("completed");
    assertThat(batch.path("request_counts").path("failed").asInt()).isEqualTo(2);
    JsonNode error = one(byId(batch), "c1").path("error");
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
  @DisplayName("are listed newest first, by page, status and time, without results")
  void list() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      String id = created(chats(1));
      ids.addFirst(id);
      over(id);
    }
    JsonNode first = gateway.get("/batches?limit=2").json();
    assertThat(first.path("object").asText()).isEqualTo("list");
    assertThat(first.path("has_more").asBoolean()).isTrue();
    assertThat(first.path("first_id").asText()).isEqualTo(ids.get(0));
    assertThat(first.path("last_id").asText()).isEqualTo(ids.get(1));
    first.path("data").forEach(one -> assertThat(one.has("results")).isFalse());
    JsonNode second = gateway.get("/batches?limit=3&after=" + ids.get(1)).json();
    assertThat(listed(second)).containsExactlyElementsOf(ids.subList(2, 5));
    assertThat(second.path("has_more").asBoolean()).isFalse();
    assertThat(listed(gateway.get("/batches?status=failed&status=completed").json())).hasSize(5);
    JsonNode none = gateway.get("/batches?status=failed").json();
    assertThat(listed(none)).isEmpty();
    assertThat(none.path("first_id").isNull()).isTrue();
    assertThat(gateway.get("/batches?status=finalizing").status()).isEqualTo(400);
    assertThat(
            listed(ServiceGateway.read(gateway.open("GET", "/batches", "", as("sk-other"))).json()))
        .as("keys of one workspace see the same")
        .hasSize(5);
  }

  private static List<String> listed(JsonNode page) {
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
  @DisplayName("is deleted once it is over, and is gone then; its bill stays")
  void delete() {
    String id = created(chats(3));
    over(id);
    Heard deleted = ServiceGateway.read(gateway.open("DELETE", "/batches/" + id, "", as(APP)));
    assertThat(deleted.status()).isEqualTo(200);
    assertThat(deleted.text())
        .isEqualTo(
            "{\"id\":\"" + id + "\",\"object\":\"batch\",\"deletion\":{\"router\":\"deleted\"}}");
    assertThat(gateway.get("/batches/" + id).status()).isEqualTo(410);
    assertThat(listed(gateway.get("/batches").json())).isEmpty();
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
  @DisplayName("is not deleted while it is worked on")
  void busy() {
    gateway.beta.script("chat", Script.status(503));
    String id = created(chats(1));
    Heard refused = ServiceGateway.read(gateway.open("DELETE", "/batches/" + id, "", as(APP)));
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.message())
        .isEqualTo(
            "Only completed, failed, expired, or cancelled batches can be deleted."
                + " Wait for the batch to finish and try again.");
  }

  @Proves({"resources.batch.status", "answers.batch-status", "open.80"})
  @Test
  @DisplayName("is cancelled when its key is disabled, with the results there are")
  void cancelled() {
    JsonNode made = gateway.post("/keys", "{'name':'k'}", ADMIN).json();
    gateway.beta.script("chat", Script.status(503));
    Heard batched = gateway.post("/batches", chats(50), as(made.path("key").asText()));
    assertThat(batched.status()).as(batched.text()).isEqualTo(202);
    String hash = made.path("data").path("hash").asText();
    ServiceGateway.read(gateway.open("PATCH", "/keys/" + hash, "{'disabled':true}", ADMIN));
    JsonNode batch = over(batched.json().path("id").asText());
    assertThat(batch.path("status").asText()).isEqualTo("cancelled");
    assertThat(batch.path("results")).hasSize(50);
    assertThat(one(byId(batch), "c49").path("error").path("type").asText())
        .isEqualTo("batch_cancelled");
  }

  @Proves("resources.batch.error.402")
  @Test
  @DisplayName("a result that cost more than there is waits for money: 402, and is not run again")
  void unpaid() {
    JsonNode made = gateway.post("/keys", "{'name':'k','limit':0.0001}", ADMIN).json();
    Map<String, String> key = as(made.path("key").asText());
    // beyond what is held for a prompt as short as this one
    gateway.beta.script("chat", Script.builder().text("dear").tokens(1_000, 5).build());
    Heard batched = gateway.post("/batches", chats(1), key);
    assertThat(batched.status()).as(batched.text()).isEqualTo(202);
    String path = "/batches/" + batched.json().path("id").asText();
    Heard heard = terminal(path, key);
    assertThat(heard.status()).as(heard.text()).isEqualTo(402);
    assertThat(heard.json().path("status").asText()).isEqualTo("completed");
    assertThat(heard.json().path("results").isNull()).isTrue();
    assertThat(heard.json().path("error").path("code").asInt()).isEqualTo(402);
    String keyPath = "/keys/" + made.path("data").path("hash").asText();
    ServiceGateway.read(gateway.open("PATCH", keyPath, "{'limit':1}", ADMIN));
    Heard paid = terminal(path, key);
    assertThat(paid.status()).as(paid.text()).isEqualTo(200);
    assertThat(byId(paid.json())).containsOnlyKeys("c0");
    assertThat(gateway.beta.requests()).isEqualTo(1);
  }

  /** What is told of a batch that is over; others do the work meanwhile. */
  private Heard terminal(String path, Map<String, String> key) {
    long patience = System.nanoTime() + 20_000_000_000L;
    Heard heard = ServiceGateway.read(gateway.open("GET", path, "", key));
    while (!TERMINAL.contains(heard.json().path("status").asText())
        && System.nanoTime() - patience < 0) {
      Thread.onSpinWait();
      heard = ServiceGateway.read(gateway.open("GET", path, "", key));
    }
    return heard;
  }
}
