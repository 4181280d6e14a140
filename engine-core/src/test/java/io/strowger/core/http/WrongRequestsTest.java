package io.strowger.core.http;

import static io.strowger.core.http.TestHttpApi.json;
import static io.strowger.core.http.TestHttpApi.message;
import static io.strowger.core.http.TestHttpApi.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.wire.WireResponse;
import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A wrong request")
class WrongRequestsTest {
  private static final String HASH = "a".repeat(64);
  private static final String ID = "123e4567-e89b-12d3-a456-426614174000";

  private final TestHttpApi api = new TestHttpApi();

  private WireResponse send(String method, String path, String key, String body) {
    int mark = path.indexOf('?');
    return api.call(method, mark < 0 ? path : path.substring(0, mark))
        .query(mark < 0 ? "" : path.substring(mark + 1))
        .key(key)
        .body(body.replace('\'', '"'))
        .send();
  }

  private static String path(String template) {
    return template.replace("HASH", HASH).replace("UUID", ID);
  }

  @Proves({"operation.destinations.errors", "resources.batch.error.400"})
  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "POST|/responses|sk-app|{'store':true}|400|/store: must be false: no response is stored,"
            + " was true; /input: is required",
        "POST|/embeddings|sk-app|{'input':[]}|400|/model: is required",
        "POST|/audio/speech|sk-app|{'input':'hi','voice':''}|400|/voice: must be a string, not"
            + " empty",
        "POST|/batches|sk-app|{'endpoint':'/v1/embeddings','model':'m','requests':[{'body':{}}]}|400|custom_id"
            + " is required on requests[0].",
        "POST|/batches|sk-app|{'requests':[{'custom_id':'1','body':{'input':'x'}}],"
            + "'endpoint':'/v1/embeddings','model':'m'}|400|/requests: must come after endpoint",
        "POST|/batches|sk-app|{'endpoint':'/v1/embeddings','model':'m','requests':"
            + "[{'custom_id':'1','body':{}}]}|422|Invalid argument",
        "GET|/batches?limit=101|sk-app||400|Invalid batch list query.",
        "POST|/keys|sk-admin|{'name':''}|400|/name: must be a string, not empty",
        "GET|/keys?offset=-1|sk-admin||400|offset must be a whole number",
        "PATCH|/keys/HASH|sk-admin|{'foo':1}|400|No update fields provided",
        "PATCH|/keys/h|sk-admin|{'limit':1}|404|Resource not found",
        "PATCH|/keys/h|sk-admin|{'foo':1}|400|No update fields provided",
        "PATCH|/keys/h|sk-admin|{'limit':-1}|400|/limit: must be a number from 0",
        "PATCH|/keys/h|sk-admin|nope|400|the body",
        "PATCH|/observability/destinations/d|sk-admin|{'enabled':1}|400|/enabled: must be true",
        "PATCH|/observability/destinations/d|sk-admin|{'enabled':true}|404|Resource not found",
        "DELETE|/observability/destinations/d|sk-admin||404|Resource not found",
        "DELETE|/keys/h|sk-admin||404|Resource not found",
        "GET|/keys/h|sk-admin||404|Resource not found",
        "POST|/observability/destinations|sk-admin|{'name':'n','type':'nope','config':{}}|400|"
            + "/type: must be one of arize, braintrust",
        "GET|/observability/destinations/d|sk-admin||404|Resource not found",
      })
  @DisplayName("is refused with its problem")
  void wrong(String method, String path, String key, String body, int status, String expected) {
    WireResponse response = send(method, path(path), key, body == null ? "" : body);
    assertThat(message(response)).contains(expected);
    assertThat(response.status()).isEqualTo(status);
  }

  @Test
  @DisplayName("is refused with all problems of its headers and its body")
  void allAtOnce() {
    WireResponse speech =
        api.call("POST", "/audio/speech")
            .key("sk-app")
            .header("x-session-id", "s".repeat(257))
            .body("{\"model\":\"m\",\"input\":\"x\"}")
            .send();
    assertThat(message(speech)).contains("/voice: is required").contains("x-session-id");
  }

  @Proves({"operation.keys.update.nothing", "authentication.2", "resources.batch.error.400"})
  @Test
  @DisplayName("is refused with exactly the contract's message where there is one")
  void words() {
    assertThat(message(send("PATCH", "/keys/" + HASH, "sk-admin", "{'foo':1}")))
        .isEqualTo("No update fields provided");
    assertThat(message(send("POST", "/batches", "sk-app", batch("{'body':{}}"))))
        .isEqualTo("custom_id is required on requests[0].");
    assertThat(message(send("GET", "/keys", "sk-app", "")))
        .isEqualTo("Only management keys can perform this operation");
  }

  private static String batch(String requests) {
    return "{'endpoint':'/v1/embeddings','model':'m','requests':[" + requests + "]}";
  }

  private static String item(int id) {
    return "{'custom_id':'" + id + "','body':{'input':'x'}}";
  }

  @Test
  @DisplayName("is a batch with more requests, or a body with more bytes, than configured")
  void sizes() {
    assertThat(send("POST", "/batches", "sk-app", batch(item(1) + "," + item(2))).status())
        .isEqualTo(202);
    WireResponse tooMany =
        send("POST", "/batches", "sk-app", batch(item(1) + "," + item(2) + "," + item(3)));
    assertThat(message(tooMany))
        .contains("/requests: must have 1 to 2 items, was an array of more than 2");
    assertThat(tooMany.status()).isEqualTo(400);

    String oneRequest = batch(item(1));
    String padded = oneRequest + " ".repeat(2 * TestHttpApi.LIMIT - oneRequest.length());
    assertThat(send("POST", "/batches", "sk-app", padded).status()).isEqualTo(202);
    WireResponse large = send("POST", "/batches", "sk-app", padded + " ");
    assertThat(text(large))
        .isEqualTo("{\"error\":{\"code\":413,\"message\":\"Request payload too large\"}}");
    assertThat(large.status()).isEqualTo(413);
  }

  @Proves("error.413")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /responses",
        "POST /embeddings",
        "POST /audio/speech",
        "POST /keys",
        "PATCH /keys/HASH",
        "POST /observability/destinations",
        "PATCH /observability/destinations/UUID",
        "POST /presets/p/chat/completions",
        "POST /presets/p/messages",
        "POST /presets/p/responses",
      })
  @DisplayName("is one with a body that is larger than configured")
  void tooLarge(String operation) {
    String[] words = operation.split(" ");
    String key = words[1].matches("/(keys|obs|presets).*") ? "sk-admin" : "sk-app";
    String body = "{'x':'" + "x".repeat(TestHttpApi.LIMIT - 7) + "'}";
    assertThat(send(words[0], path(words[1]), key, body).status()).isEqualTo(413);
    assertThat(send(words[0], path(words[1]), key, body.replace("xx'", "x'")).status())
        .isNotEqualTo(413);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "/audio/speech|{'model':'m','input':'x','voice':'v'}",
      })
  @DisplayName("is refused for its x-session-id only if its body has no session of its own")
  void session(String path, String body) {
    String hasSession = "{'session_id':'s'," + body.substring(1);
    String hasWrongSession = "{'session_id':5," + body.substring(1);
    String header = "x-session-id must have at most 256 characters";
    assertThat(withSession(path, body, 256).status()).isNotEqualTo(400);
    assertThat(message(withSession(path, body, 257))).contains(header);
    assertThat(withSession(path, hasSession, 257).status()).isNotEqualTo(400);
    assertThat(message(withSession(path, hasWrongSession, 257)))
        .contains("/session_id: must be")
        .doesNotContain(header);
  }

  private WireResponse withSession(String path, String body, int chars) {
    return api.call("POST", path)
        .key("sk-app")
        .header("x-session-id", "s".repeat(chars))
        .body(body.replace('\'', '"'))
        .send();
  }

  @Nested
  @DisplayName("has the envelope of its path")
  class Envelopes {
    @Proves("resources.error.location")
    @Test
    @DisplayName("on responses with its type at the top")
    void responses() {
      assertThat(json(send("POST", "/responses", "sk-app", "{}")).text("error_type"))
          .isEqualTo("invalid_request");
    }

    @Proves({"resources.batch.error.400", "answers.batch-error"})
    @Test
    @DisplayName("on batches with code and message only")
    void batches() {
      assertThat(text(send("GET", "/batches?limit=0", "sk-app", "")))
          .isEqualTo(
              "{\"error\":{\"code\":400,\"message\":\"Invalid batch list query. the query"
                  + " parameter limit must be a whole number from 1 to 100, was \\\"0\\\"\"}}");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "/responses|{'input':'x','tools':[{'type':'router:datetime'}]}|/tools/0/type: is a tool of"
            + " the gateway",
        "/responses|{'input':'x','models':['m','Router/Free']}|/models/1: is a router whose"
            + " plugin is not registered",
      })
  @DisplayName("is refused for a tool or a router whose plugin is not registered")
  void plugins(String path, String body, String expected) {
    WireResponse response = send("POST", path, "sk-app", body);
    assertThat(message(response)).contains(expected);
    assertThat(response.status()).isEqualTo(400);
  }
}
