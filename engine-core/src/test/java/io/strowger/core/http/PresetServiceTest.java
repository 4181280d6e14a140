package io.strowger.core.http;

import static io.strowger.core.http.TestHttpApi.json;
import static io.strowger.core.http.TestHttpApi.message;
import static io.strowger.core.http.TestHttpApi.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.audit.AuditActor;
import io.strowger.core.inference.Replies;
import io.strowger.core.preset.Preset;
import io.strowger.core.preset.PresetStatus;
import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.routing.ModelRef;
import io.strowger.tck.conformance.Proves;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("/presets")
class PresetServiceTest {
  private static final String MESSAGES = "'messages':[{'role':'user','content':'hi'}]";

  private final TestHttpApi api = new TestHttpApi();

  private WireResponse send(String method, String path, String key, String body) {
    int mark = path.indexOf('?');
    return api.call(method, mark < 0 ? path : path.substring(0, mark))
        .query(mark < 0 ? "" : path.substring(mark + 1))
        .key(key)
        .body(body.replace('\'', '"'))
        .send();
  }

  private Json.Obj create(String slug, String members) {
    String body = "{" + members + (members.isEmpty() ? "" : ",") + MESSAGES + "}";
    WireResponse response =
        send("POST", "/presets/" + slug + "/chat/completions", "sk-admin", body);
    assertThat(response.status()).isEqualTo(200);
    return Objects.requireNonNull(json(response).object("data"));
  }

  private Json.Obj get(String path) {
    WireResponse response = send("GET", path, "sk-app", "");
    assertThat(response.status()).isEqualTo(200);
    return json(response);
  }

  /** Returns the request that a chat request with a reference to the preset s becomes. */
  private InferenceRequest effective(String members) {
    WireResponse response =
        send("POST", "/chat/completions", "sk-app", "{'preset':'s'," + members + MESSAGES + "}");
    assertThat(response.status()).as(() -> text(response)).isEqualTo(200);
    return api.served.getLast();
  }

  @Proves({
    "preset.*",
    "preset-version.id",
    "preset-version.preset_id",
    "preset-version.version",
    "preset-version.config",
    "preset-version.creator_id",
    "preset-version.created_at",
    "preset-version.updated_at",
    "preset-version.ignored-members",
    "states.preset.create",
    "operation.presets.create",
    "resources.operation.presets.read",
    "resources.preset.status"
  })
  @Test
  @DisplayName("creates a preset in the contract's form, and shows it in the same form")
  void shape() {
    Json.Obj created = create("writer", "'model':'a/b','temperature':0.5,'stream':true,'user':'u'");
    String at = '"' + Instant.ofEpochSecond(Replies.CREATED + 2).toString() + '"';
    assertThat(created.toString().replaceAll("[0-9a-f-]{36}", "ID").replace("\"ID\"", "ID"))
        .isEqualTo(
            ("{'id':ID,'slug':'writer','name':'writer','description':null,'status':'active',"
                    + "'status_updated_at':null,'created_at':AT,'updated_at':AT,"
                    + "'creator_user_id':'user_default','workspace_id':ID,"
                    + "'designated_version_id':ID,'designated_version':{'id':ID,'preset_id':ID,"
                    + "'version':1,'config':{'model':'a/b','temperature':0.5},"
                    + "'system_prompt':null,'creator_id':'user_default','created_at':AT,"
                    + "'updated_at':AT}}")
                .replace('\'', '"')
                .replace("AT", at));
    Json.Obj version = Objects.requireNonNull(created.object("designated_version"));
    assertThat(created.text("workspace_id")).isEqualTo(DefaultWorkspace.ID);
    assertThat(created.text("designated_version_id")).isEqualTo(version.text("id"));
    assertThat(version.text("preset_id")).isEqualTo(created.text("id"));
    assertThat(UUID.fromString(created.text("id")))
        .isNotEqualTo(UUID.fromString(version.text("id")));
    assertThat(get("/presets/writer").object("data")).isEqualTo(created);
    assertThat(get("/presets/writer/versions/1").object("data")).isEqualTo(version);
    assertThat(get("/presets/writer/versions").toString())
        .isEqualTo("{\"data\":[" + version + "],\"total_count\":1}");
    assertThat(get("/presets").toString())
        .isEqualTo("{\"data\":[" + created + "],\"total_count\":1}");
  }

  @Proves({"preset-version.system_prompt", "resources.operation.presets.create", "answers.presets"})
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "chat/completions|{'messages':[{'role':'system','content':'Be brief.'},"
            + "{'role':'user','content':'hi'}],'model':'m'}",
        "messages|{'model':'m','max_tokens':9,'system':'Be brief.',"
            + "'messages':[{'role':'user','content':'hi'}]}",
        "responses|{'model':'m','input':'hi','instructions':'Be brief.'}",
      })
  @DisplayName("accepts the body of a request of any of the three dialects")
  void dialects(String path, String body) {
    WireResponse created = send("POST", "/presets/p/" + path, "sk-admin", body);
    assertThat(created.status()).isEqualTo(200);
    Json.Obj version = Objects.requireNonNull(get("/presets/p/versions/1").object("data"));
    assertThat(version.text("system_prompt")).isEqualTo("Be brief.");
    Json.Obj config = Objects.requireNonNull(version.object("config"));
    assertThat(config.text("model")).isEqualTo("m");
    assertThat(List.of("messages", "input", "system", "instructions")).noneMatch(config::has);
  }

  @Proves({"resources.operation.presets.read", "resources.preset.list"})
  @Test
  @DisplayName("lists presets in pages, the last changed first, and versions the latest first")
  void lists() {
    create("one", "");
    create("two", "");
    create("one", "'seed':2");
    Json.Obj presets = get("/presets?limit=1");
    assertThat(presets.longValue("total_count", 0)).isEqualTo(2);
    assertThat(presets.toString()).contains("\"slug\":\"one\"").doesNotContain("\"slug\":\"two\"");
    assertThat(get("/presets?offset=2").toString()).isEqualTo("{\"data\":[],\"total_count\":2}");
    Json.Obj versions = get("/presets/one/versions?offset=1");
    assertThat(versions.toString()).contains("\"version\":1").doesNotContain("\"version\":2");
    assertThat(versions.longValue("total_count", 0)).isEqualTo(2);
    assertThat(get("/presets?offset=99999999999").longValue("total_count", 0)).isEqualTo(2);
  }

  @Proves({"operation.presets.create", "operation.presets.errors"})
  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "POST|/presets/Not_a_Slug/chat/completions|sk-admin|{'messages':[]}|400|the preset slug",
        "POST|/presets/p/chat/completions|sk-admin|{'messages':[]}|400|/messages: must have at"
            + " least 1 item",
        "POST|/presets/p/chat/completions|sk-admin|{'messages':5,'temperature':3}|400|"
            + "/temperature: must be",
        "POST|/presets/p/responses|sk-admin|{'input':'x','top_k':'y'}|400|/top_k: must be a whole"
            + " number",
        "POST|/presets/p/responses|sk-admin|{'input':'x','cache_ttl_seconds':0}|400|"
            + "/cache_ttl_seconds: must be",
        "POST|/presets/p/responses|sk-admin|{'input':'x','model':'m@preset/q'}|400|/model: must"
            + " not name a preset",
        "POST|/presets/p/responses|sk-admin|{'input':'x','preset':'q'}|400|/preset: must not"
            + " name a preset",
        "POST|/presets/p/messages|sk-admin|nope|400|the body",
        "POST|/presets/p/messages|sk-app|{}|403|Only management keys can perform this operation",
        "GET|/presets?limit=101|sk-app||400|limit must be a whole number from 1 to 100",
        "GET|/presets/-|sk-app||400|the preset slug",
        "GET|/presets/p|sk-app||404|Resource not found",
        "GET|/presets/p/versions|sk-admin||404|Resource not found",
        "GET|/presets/there/versions/2|sk-admin||404|Resource not found",
        "GET|/presets/p/versions/0|sk-app||400|the preset version must be a whole number",
        "DELETE|/presets/there|sk-admin||405|Method not allowed",
      })
  @DisplayName("refuses a wrong request with its problem")
  void wrong(String method, String path, String key, String body, int status, String expected) {
    create("there", "");
    WireResponse response = send(method, path, key, body == null ? "" : body);
    assertThat(message(response)).contains(expected);
    assertThat(response.status()).isEqualTo(status);
  }

  @Test
  @DisplayName("refuses a request with all problems of its path and its body")
  void allAtOnce() {
    assertThat(message(send("POST", "/presets/-/messages", "sk-admin", "{'model':1}")))
        .contains("the preset slug")
        .contains("/model: ")
        .contains("/messages: is required");
    assertThat(message(send("GET", "/presets/-/versions?limit=0", "sk-admin", "")))
        .contains("the preset slug")
        .contains("limit must be");
  }

  @Nested
  @DisplayName("at inference")
  class AtInference {
    @Proves("resources.preset.references")
    @ParameterizedTest
    @ValueSource(strings = {"'model':'@preset/s'", "'preset':'s'", "'model':'c/d@preset/s'"})
    @DisplayName("finds a preset by each of the three forms of a reference")
    void references(String reference) {
      create("s", "'model':'a/b','seed':7");
      WireResponse response =
          send("POST", "/chat/completions", "sk-app", "{" + reference + "," + MESSAGES + "}");
      assertThat(response.status()).isEqualTo(200);
      InferenceRequest request = api.served.getLast();
      assertThat(request.member("seed")).isEqualTo(Json.of(7));
      assertThat(request.models())
          .containsExactly(ModelRef.parse(reference.contains("c/d") ? "c/d" : "a/b"));
      assertThat(request.member("preset")).isNull();
    }

    @Proves({"resources.preset.merge", "resources.preset.PS-1"})
    @Test
    @DisplayName(
        "PS-1: uses each member of the request as a whole, and the preset's for the others")
    void ps1() {
      create("s", "'model':'a','temperature':0.2,'provider':{'sort':'price','zdr':true}");
      InferenceRequest request = effective("'temperature':0.9,'provider':{'order':['x']},");
      assertThat(request.models()).containsExactly(ModelRef.parse("a"));
      assertThat(request.member("temperature")).isEqualTo(json("{\"x\":0.9}").get("x"));
      assertThat(request.members().get("provider")).isEqualTo(json("{\"order\":[\"x\"]}"));
      assertThat(request.preferences().order()).containsExactly("x");
      assertThat(request.preferences().zdr()).isFalse();
    }

    @Proves({"resources.preset.tools", "resources.preset.PS-2"})
    @Test
    @DisplayName("PS-2: uses the same tool in the request's form and at the preset's place")
    void ps2() {
      api.tools.add("router:web_search");
      String f1 = "{'type':'function','function':{'name':'f1'}}";
      String f2 = f1.replace("f1", "f2");
      create("s", "'tools':[" + f1 + ",{'type':'router:web_search'}]");
      String search = "{'type':'router:web_search','parameters':{'max_results':3}}";
      InferenceRequest request = effective("'tools':[" + search + "," + f2 + "],");
      assertThat(request.members().get("tools"))
          .isEqualTo(
              json(("{'t':[" + f1 + "," + search + "," + f2 + "]}").replace('\'', '"')).get("t"));
    }

    @Proves("resources.preset.PS-3")
    @Test
    @DisplayName("PS-3: distinguishes subagents by their name")
    void ps3() {
      api.tools.add("router:subagent");
      String a = "{'type':'router:subagent','parameters':{'name':'a'}}";
      String b = a.replace("'a'", "'b'");
      String ownSubagent = "{'type':'router:subagent','parameters':{'name':'a','model':'z'}}";
      create("s", "'tools':[" + a + "," + b + "]");
      assertThat(effective("'tools':[" + ownSubagent + "],").members().get("tools"))
          .isEqualTo(json(("{'t':[" + ownSubagent + "," + b + "]}").replace('\'', '"')).get("t"));
    }

    @Proves("resources.preset.PS-4")
    @Test
    @DisplayName(
        "PS-4: never caches if the preset forbids it, and sends no upstream the cache members")
    void ps4() {
      Json.Obj created = create("s", "'cache_enabled':false,'cache_ttl_seconds':60");
      Json.Obj version = Objects.requireNonNull(created.object("designated_version"));
      assertThat(version.object("config"))
          .isEqualTo(json("{\"cache_enabled\":false,\"cache_ttl_seconds\":60}"));
      Preset used = Objects.requireNonNull(api.directory.findActive(DefaultWorkspace.ID, "s"));
      assertThat(used.cache().allows(true)).isFalse();
      assertThat(used.cache().effectiveTtlSeconds(null)).isEqualTo(60);
      assertThat(effective("").member("cache_enabled")).isNull();
    }

    @Proves({
      "preset.designated_version",
      "preset-version.version",
      "states.preset.version",
      "resources.preset.version",
      "resources.preset.PS-5"
    })
    @Test
    @DisplayName("PS-5: uses the latest version")
    void ps5() {
      create("s", "'model':'a'");
      assertThat(effective("").models()).containsExactly(ModelRef.parse("a"));
      Json.Obj second = create("s", "'model':'b'");
      assertThat(
              Objects.requireNonNull(second.object("designated_version")).longValue("version", 0))
          .isEqualTo(2);
      assertThat(effective("").models()).containsExactly(ModelRef.parse("b"));
    }

    @Proves("open.65")
    @Test
    @DisplayName("puts the preset's system prompt before the caller's messages")
    void systemPrompt() {
      send(
          "POST",
          "/presets/s/responses",
          "sk-admin",
          "{'model':'m','input':'hi','instructions':'Be brief.'}");
      assertThat(effective("'model':'m',").members().get("messages"))
          .isEqualTo(
              json(("{'m':[{'role':'system','content':'Be brief.'},"
                          + "{'role':'user','content':'hi'}]}")
                      .replace('\'', '"'))
                  .get("m"));
    }

    @Proves({"preset.status", "resources.preset.status", "open.66"})
    @ParameterizedTest
    @EnumSource(
        value = PresetStatus.class,
        names = {"DISABLED", "ARCHIVED"})
    @DisplayName("finds no preset that is not active")
    void status(PresetStatus status) {
      create("s", "'model':'a'");
      effective("");
      api.directory.setStatus(DefaultWorkspace.ID, "s", status, AuditActor.host("ann"));
      WireResponse response =
          send("POST", "/chat/completions", "sk-app", "{'model':'@preset/s'," + MESSAGES + "}");
      assertThat(response.status()).isEqualTo(404);
      assertThat(message(response)).isEqualTo("There is no preset 's'");
      assertThat(get("/presets/s").toString()).contains("\"" + status.wireName() + "\"");
    }
  }
}
