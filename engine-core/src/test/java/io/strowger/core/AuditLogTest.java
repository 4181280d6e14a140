package io.strowger.core;

import static io.strowger.core.TestServer.APP;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.TestServer.Answer;
import io.strowger.core.authentication.Authenticator;
import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.AuditStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The audit log")
class AuditLogTest {
  private static final String SECRET_KEY =
      "'store':{'secret_key':'" + Base64.getEncoder().encodeToString(new byte[32]) + "'}";
  private static final String PARTNER = "partner-0123456789-abcdefghijklm";
  private static final String APP_HASH = Authenticator.id(new Credential(APP)).hex();

  private final TestServer server = new TestServer(SECRET_KEY);

  @AfterEach
  void noThreads() {
    server.close();
    server.ambient.assertNoThreadsLeft();
  }

  private List<String> actions() {
    var actions = new ArrayList<String>();
    for (Json.Obj entry : server.get("/audit-log?limit=100").list()) {
      Json.Obj resource = Objects.requireNonNull(entry.object("resource"));
      actions.add(entry.text("action") + " " + resource.text("name"));
    }
    return actions;
  }

  private Json.Obj lastEntry() {
    return server.get("/audit-log?limit=1").list().getFirst();
  }

  private Answer manage(String method, String path, String body) {
    Answer answer = server.manage(method, path, body);
    assertThat(answer.message()).isEmpty();
    return answer;
  }

  @Test
  @DisplayName("records who changed what and when, with the values before and after")
  void entry() {
    server.ambient.advance(Duration.ofSeconds(5));
    manage("PATCH", "/keys/" + APP_HASH, "{'limit':5,'name':'mine'}");
    Json.Obj entry = lastEntry();
    assertThat(entry.without("id"))
        .isEqualTo(
            TestServer.json(
                """
                {'created_at':'2026-11-21T12:00:05Z','workspace_id':'%s','action':'key.update',
                 'actor':{'type':'api_key','key_hash':'%s','key_name':'admin',
                          'user_id':'user_default','address':null},
                 'resource':{'type':'key','id':'%s','name':'mine'},
                 'changes':[{'member':'name','from':'app','to':'mine'},
                            {'member':'limit','from':null,'to':5}]}\
                """
                    .formatted(
                        DefaultWorkspace.ID,
                        Authenticator.id(new Credential(TestServer.ADMIN)).hex(),
                        APP_HASH)));
    assertThat(entry.text("id")).hasSize(36);
  }

  @Test
  @DisplayName("has one entry for each change of a resource and none for a request without effect")
  void everything() {
    String workspace = manage("POST", "/workspaces", "{'name':'W','slug':'w'}").text("id");
    manage("PATCH", "/workspaces/w", "{'name':'V'}");
    manage("PATCH", "/workspaces/w", "{'name':'V'}");
    manage("PUT", "/workspaces/w/budgets/daily", "{'limit_usd':5}");
    manage("PUT", "/workspaces/w/budgets/daily", "{'limit_usd':5}");
    manage("DELETE", "/workspaces/w/budgets/daily", "");
    manage("DELETE", "/workspaces/w/budgets/daily", "");
    String guardrail = manage("POST", "/guardrails", "{'name':'G'}").text("id");
    manage("PATCH", "/guardrails/" + guardrail, "{'limit_usd':1}");
    manage("PATCH", "/guardrails/" + guardrail, "{'limit_usd':1}");
    String keys = "/guardrails/" + guardrail + "/assignments/keys";
    manage("POST", keys, "{'key_hashes':['" + APP_HASH + "']}");
    manage("POST", keys, "{'key_hashes':['" + APP_HASH + "']}");
    manage("POST", keys + "/remove", "{'key_hashes':['" + APP_HASH + "']}");
    manage("POST", keys + "/remove", "{'key_hashes':['" + APP_HASH + "']}");
    String members = "/guardrails/" + guardrail + "/assignments/members";
    manage("POST", members, "{'member_user_ids':['ann']}");
    manage("POST", members + "/remove", "{'member_user_ids':['ann']}");
    manage("DELETE", "/guardrails/" + guardrail, "");
    String byokKey =
        manage("POST", "/byok", "{'provider':'beta','key':'s1','name':'B'}").text("id");
    manage("PATCH", "/byok/" + byokKey, "{'key':'s2'}");
    manage("PATCH", "/byok/" + byokKey, "{'name':'B'}");
    manage("DELETE", "/byok/" + byokKey, "");
    String preset = "{'model':'acme/small','messages':[{'role':'user','content':'hi'}]}";
    manage("POST", "/presets/p/chat/completions", preset);
    manage("POST", "/presets/p/chat/completions", preset);
    Answer key = manage("POST", "/keys", "{'name':'K','workspace_id':'" + workspace + "'}");
    String path = "/keys/" + key.text("hash");
    manage("PATCH", path, "{'disabled':true}");
    Answer same = manage("PATCH", path, "{'disabled':true,'name':'K'}");
    assertThat(same.data().get("disabled")).isEqualTo(Json.TRUE);
    manage("POST", path + "/rotate", "{}");
    manage("DELETE", path, "");
    manage("DELETE", "/workspaces/w", "");
    server.gateway.reload(TestServer.config(SECRET_KEY));
    assertThat(server.manage("PATCH", "/keys/" + APP_HASH, "{}").status()).isEqualTo(400);
    assertThat(server.manage("DELETE", path, "").status()).isEqualTo(404);
    assertThat(server.ask(APP, "acme/small").status()).isEqualTo(200);
    assertThat(actions().reversed())
        .containsExactly(
            "workspace.create Default",
            "key.create app",
            "key.create admin",
            "workspace.create W",
            "workspace.update V",
            "workspace.update V",
            "workspace.update V",
            "guardrail.create G",
            "guardrail.update G",
            "guardrail.assign G",
            "guardrail.unassign G",
            "guardrail.assign G",
            "guardrail.unassign G",
            "guardrail.delete G",
            "byok.create B",
            "byok.update B",
            "byok.delete B",
            "preset.create p",
            "preset.update p",
            "key.create K",
            "key.update K",
            "key.rotate K",
            "key.delete K",
            "guardrail.delete Workspace " + workspace + " Default",
            "workspace.delete V",
            "configuration.reload null");
  }

  @Test
  @DisplayName("has an entry for each resource that is deleted together with a workspace")
  void workspace() {
    String workspace = manage("POST", "/workspaces", "{'name':'W','slug':'w'}").text("id");
    String inside = ",'workspace_id':'" + workspace + "'}";
    manage("POST", "/byok", "{'provider':'beta','key':'s1','name':'B'" + inside);
    String guardrail = manage("POST", "/guardrails", "{'name':'G'" + inside).text("id");
    manage(
        "POST",
        "/guardrails/" + guardrail + "/assignments/members",
        "{'member_user_ids':['ann','bob']}");
    manage(
        "POST",
        "/presets/p/chat/completions?workspace_id=" + workspace,
        "{'model':'acme/small','messages':[{'role':'user','content':'hi'}]}");
    int before = actions().size();
    manage("DELETE", "/workspaces/w", "");
    List<String> deletions = actions().subList(0, actions().size() - before).reversed();
    assertThat(deletions)
        .containsExactlyInAnyOrder(
            "preset.delete p",
            "guardrail.delete G",
            "guardrail.delete Workspace " + workspace + " Default",
            "byok.delete B",
            "workspace.delete W");
    assertThat(server.get("/audit-log?limit=5").list())
        .filteredOn(entry -> "guardrail.delete".equals(entry.text("action")))
        .extracting(entry -> Objects.requireNonNull(entry.list("changes")).toString())
        .contains("[{\"member\":\"member_user_ids\",\"from\":[\"ann\",\"bob\"],\"to\":null}]");
  }

  @Test
  @DisplayName("has an entry for a guardrail that an assignment replaces, and lists all its keys")
  void freed() {
    String one = manage("POST", "/guardrails", "{'name':'one'}").text("id");
    String two = manage("POST", "/guardrails", "{'name':'two'}").text("id");
    var hashes = new ArrayList<String>(List.of(APP_HASH));
    for (int i = 0; i < 20; i++) {
      hashes.add(manage("POST", "/keys", "{'name':'k" + i + "'}").text("hash"));
    }
    String body = "{'key_hashes':['" + String.join("','", hashes) + "']}";
    manage("POST", "/guardrails/" + one + "/assignments/keys", body);
    int before = actions().size();
    manage("POST", "/guardrails/" + two + "/assignments/keys", body);
    assertThat(actions().subList(0, actions().size() - before))
        .containsExactlyInAnyOrder("guardrail.assign two", "guardrail.unassign one");
    for (Json.Obj entry : server.get("/audit-log?limit=2").list()) {
      assertThat(text(entry)).contains(hashes);
    }
    manage("DELETE", "/guardrails/" + two, "");
    assertThat(lastEntry().text("action")).isEqualTo("guardrail.delete");
    assertThat(text(lastEntry())).contains(hashes);
  }

  /** Returns the complete JSON text, which {@link Json#toString} abbreviates. */
  private static String text(Json.Obj entry) {
    return new String(entry.toBytes(), StandardCharsets.UTF_8);
  }

  @Test
  @DisplayName("has no secrets: no plaintext of a key, no BYOK key, no text of presets and filters")
  void noSecrets() {
    Answer key =
        manage("POST", "/keys", "{'name':'K','external':{'user':'u','api_key':'" + PARTNER + "'}}");
    Answer rotated = manage("POST", "/keys/" + key.text("hash") + "/rotate", "{}");
    String byokKey =
        manage("POST", "/byok", "{'provider':'beta','key':'own-secret-0123456789'}").text("id");
    manage("PATCH", "/byok/" + byokKey, "{'key':'own-secret-9876543210'}");
    Json.Obj replaced = lastEntry();
    assertThat(replaced.toString()).contains("\"member\":\"key\"");
    manage(
        "POST",
        "/guardrails",
        "{'name':'G','content_filters':[{'pattern':'project-x','action':'block'}]}");
    assertThat(lastEntry().toString()).contains("{\"member\":\"content_filters\"}");
    manage(
        "POST",
        "/presets/p/chat/completions",
        "{'model':'acme/small','messages':[{'role':'system','content':'quiet words'}]}");
    var all = new StringBuilder();
    server
        .stores
        .audit()
        .list(new AuditStore.Filter(null, null, null, 0, 1000))
        .entries()
        .forEach(entry -> all.append(new String(entry.body().toBytes(), StandardCharsets.UTF_8)));
    assertThat(all)
        .doesNotContain(Objects.requireNonNull(key.body().text("key")))
        .doesNotContain(Objects.requireNonNull(rotated.body().text("key")))
        .doesNotContain(TestServer.ADMIN, APP)
        .doesNotContain("own-secret-0123456789", "own-secret-9876543210", "sealed")
        .doesNotContain(PARTNER, "project-x", "quiet words")
        .doesNotContain(Authenticator.id(new Credential(PARTNER)).hex());
  }

  @Test
  @DisplayName("is readable only with a management key, newest change first, in pages")
  void pages() {
    for (int i = 0; i < 5; i++) {
      server.ambient.advance(Duration.ofSeconds(1));
      manage("PATCH", "/keys/" + APP_HASH, "{'name':'n" + i + "'}");
    }
    Answer page = server.get("/audit-log?limit=2&offset=1");
    assertThat(page.list())
        .extracting(entry -> entry.text("created_at"))
        .containsExactly("2026-11-21T12:00:04Z", "2026-11-21T12:00:03Z");
    assertThat(page.body().get("total_count")).isEqualTo(Json.of(8));
    String period =
        "/audit-log?created_after=2026-11-21T12:00:01Z&created_before=2026-11-21T12:00:05Z";
    assertThat(server.get(period).body().get("total_count")).isEqualTo(Json.of(3));
    String workspace = manage("POST", "/workspaces", "{'name':'W','slug':'w'}").text("id");
    assertThat(server.get("/audit-log?workspace_id=" + workspace).list()).hasSize(1);
    assertThat(server.send(APP, "GET", "/audit-log", "").status()).isEqualTo(403);
    assertThat(server.manage("DELETE", "/audit-log", "").status()).isEqualTo(405);
  }

  @ParameterizedTest
  @CsvSource({
    "limit=0,limit must be",
    "limit=101,limit must be",
    "offset=-1,offset must be",
    "created_after=yesterday,created_after must be",
    "workspace_id=none,workspace_id must be the id of a workspace",
  })
  @DisplayName("refuses a wrong query with the reason")
  void wrong(String query, String reason) {
    Answer refused = server.get("/audit-log?" + query);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.message()).contains(reason);
  }
}
