package io.strowger.core;

import static io.strowger.core.House.APP;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.House.Answer;
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
  private static final String OLD = Authenticator.id(new Credential(APP)).hex();

  private final House house = new House(SECRET_KEY);

  @AfterEach
  void noThreads() {
    house.close();
    house.ambient.assertNoThreadsLeft();
  }

  private List<String> actions() {
    var actions = new ArrayList<String>();
    for (Json.Obj entry : house.get("/audit-log?limit=100").list()) {
      Json.Obj resource = Objects.requireNonNull(entry.object("resource"));
      actions.add(entry.text("action") + " " + resource.text("name"));
    }
    return actions;
  }

  private Json.Obj last() {
    return house.get("/audit-log?limit=1").list().getFirst();
  }

  private Answer good(String method, String path, String body) {
    Answer answer = house.manage(method, path, body);
    assertThat(answer.message()).isEmpty();
    return answer;
  }

  @Test
  @DisplayName("has who changed what, when, and the values before and after")
  void entry() {
    house.ambient.advance(Duration.ofSeconds(5));
    good("PATCH", "/keys/" + OLD, "{'limit':5,'name':'mine'}");
    Json.Obj entry = last();
    assertThat(entry.without("id"))
        .isEqualTo(
            House.json(
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
                        Authenticator.id(new Credential(House.ADMIN)).hex(),
                        OLD)));
    assertThat(entry.text("id")).hasSize(36);
  }

  @Test
  @DisplayName("has every change of every resource once, what nobody changed not at all")
  void everything() {
    String workspace = good("POST", "/workspaces", "{'name':'W','slug':'w'}").text("id");
    good("PATCH", "/workspaces/w", "{'name':'V'}");
    good("PATCH", "/workspaces/w", "{'name':'V'}");
    good("PUT", "/workspaces/w/budgets/daily", "{'limit_usd':5}");
    good("PUT", "/workspaces/w/budgets/daily", "{'limit_usd':5}");
    good("DELETE", "/workspaces/w/budgets/daily", "");
    good("DELETE", "/workspaces/w/budgets/daily", "");
    String guardrail = good("POST", "/guardrails", "{'name':'G'}").text("id");
    good("PATCH", "/guardrails/" + guardrail, "{'limit_usd':1}");
    good("PATCH", "/guardrails/" + guardrail, "{'limit_usd':1}");
    String keys = "/guardrails/" + guardrail + "/assignments/keys";
    good("POST", keys, "{'key_hashes':['" + OLD + "']}");
    good("POST", keys, "{'key_hashes':['" + OLD + "']}");
    good("POST", keys + "/remove", "{'key_hashes':['" + OLD + "']}");
    good("POST", keys + "/remove", "{'key_hashes':['" + OLD + "']}");
    String members = "/guardrails/" + guardrail + "/assignments/members";
    good("POST", members, "{'member_user_ids':['ann']}");
    good("POST", members + "/remove", "{'member_user_ids':['ann']}");
    good("DELETE", "/guardrails/" + guardrail, "");
    String own = good("POST", "/byok", "{'provider':'beta','key':'s1','name':'B'}").text("id");
    good("PATCH", "/byok/" + own, "{'key':'s2'}");
    good("PATCH", "/byok/" + own, "{'name':'B'}");
    good("DELETE", "/byok/" + own, "");
    String preset = "{'model':'acme/small','messages':[{'role':'user','content':'hi'}]}";
    good("POST", "/presets/p/chat/completions", preset);
    good("POST", "/presets/p/chat/completions", preset);
    Answer key = good("POST", "/keys", "{'name':'K','workspace_id':'" + workspace + "'}");
    String path = "/keys/" + key.text("hash");
    good("PATCH", path, "{'disabled':true}");
    Answer same = good("PATCH", path, "{'disabled':true,'name':'K'}");
    assertThat(same.data().get("disabled")).isEqualTo(Json.TRUE);
    good("POST", path + "/rotate", "{}");
    good("DELETE", path, "");
    good("DELETE", "/workspaces/w", "");
    house.gateway.reload(House.read(SECRET_KEY));
    assertThat(house.manage("PATCH", "/keys/" + OLD, "{}").status()).isEqualTo(400);
    assertThat(house.manage("DELETE", path, "").status()).isEqualTo(404);
    assertThat(house.ask(APP, "acme/small").status()).isEqualTo(200);
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
  @DisplayName("names everything that goes with a workspace")
  void workspace() {
    String workspace = good("POST", "/workspaces", "{'name':'W','slug':'w'}").text("id");
    String inside = ",'workspace_id':'" + workspace + "'}";
    good("POST", "/byok", "{'provider':'beta','key':'s1','name':'B'" + inside);
    String guardrail = good("POST", "/guardrails", "{'name':'G'" + inside).text("id");
    good(
        "POST",
        "/guardrails/" + guardrail + "/assignments/members",
        "{'member_user_ids':['ann','bob']}");
    good(
        "POST",
        "/presets/p/chat/completions?workspace_id=" + workspace,
        "{'model':'acme/small','messages':[{'role':'user','content':'hi'}]}");
    int before = actions().size();
    good("DELETE", "/workspaces/w", "");
    List<String> gone = actions().subList(0, actions().size() - before).reversed();
    assertThat(gone)
        .containsExactlyInAnyOrder(
            "preset.delete p",
            "guardrail.delete G",
            "guardrail.delete Workspace " + workspace + " Default",
            "byok.delete B",
            "workspace.delete W");
    assertThat(house.get("/audit-log?limit=5").list())
        .filteredOn(entry -> "guardrail.delete".equals(entry.text("action")))
        .extracting(entry -> Objects.requireNonNull(entry.list("changes")).toString())
        .contains("[{\"member\":\"member_user_ids\",\"from\":[\"ann\",\"bob\"],\"to\":null}]");
  }

  @Test
  @DisplayName("says which guardrail bound a key before, and frees keys by name however many")
  void freed() {
    String one = good("POST", "/guardrails", "{'name':'one'}").text("id");
    String two = good("POST", "/guardrails", "{'name':'two'}").text("id");
    var hashes = new ArrayList<String>(List.of(OLD));
    for (int i = 0; i < 20; i++) {
      hashes.add(good("POST", "/keys", "{'name':'k" + i + "'}").text("hash"));
    }
    String body = "{'key_hashes':['" + String.join("','", hashes) + "']}";
    good("POST", "/guardrails/" + one + "/assignments/keys", body);
    int before = actions().size();
    good("POST", "/guardrails/" + two + "/assignments/keys", body);
    assertThat(actions().subList(0, actions().size() - before))
        .containsExactlyInAnyOrder("guardrail.assign two", "guardrail.unassign one");
    for (Json.Obj entry : house.get("/audit-log?limit=2").list()) {
      assertThat(text(entry)).contains(hashes);
    }
    good("DELETE", "/guardrails/" + two, "");
    assertThat(last().text("action")).isEqualTo("guardrail.delete");
    assertThat(text(last())).contains(hashes);
  }

  /** Whole, which {@link Json#toString} is not. */
  private static String text(Json.Obj entry) {
    return new String(entry.toBytes(), StandardCharsets.UTF_8);
  }

  @Test
  @DisplayName("holds no secret: no plaintext, no provider's key, no words of presets and filters")
  void noSecrets() {
    Answer key =
        good("POST", "/keys", "{'name':'K','external':{'user':'u','api_key':'" + PARTNER + "'}}");
    Answer rotated = good("POST", "/keys/" + key.text("hash") + "/rotate", "{}");
    String own =
        good("POST", "/byok", "{'provider':'beta','key':'own-secret-0123456789'}").text("id");
    good("PATCH", "/byok/" + own, "{'key':'own-secret-9876543210'}");
    Json.Obj replaced = last();
    assertThat(replaced.toString()).contains("\"member\":\"key\"");
    good(
        "POST",
        "/guardrails",
        "{'name':'G','content_filters':[{'pattern':'project-x','action':'block'}]}");
    assertThat(last().toString()).contains("{\"member\":\"content_filters\"}");
    good(
        "POST",
        "/presets/p/chat/completions",
        "{'model':'acme/small','messages':[{'role':'system','content':'quiet words'}]}");
    var all = new StringBuilder();
    house
        .stores
        .audit()
        .list(new AuditStore.Filter(null, null, null, 0, 1000))
        .entries()
        .forEach(entry -> all.append(new String(entry.body().toBytes(), StandardCharsets.UTF_8)));
    assertThat(all)
        .doesNotContain(Objects.requireNonNull(key.body().text("key")))
        .doesNotContain(Objects.requireNonNull(rotated.body().text("key")))
        .doesNotContain(House.ADMIN, APP)
        .doesNotContain("own-secret-0123456789", "own-secret-9876543210", "sealed")
        .doesNotContain(PARTNER, "project-x", "quiet words")
        .doesNotContain(Authenticator.id(new Credential(PARTNER)).hex());
  }

  @Test
  @DisplayName("is read by management keys alone, the last change first, in parts")
  void parts() {
    for (int i = 0; i < 5; i++) {
      house.ambient.advance(Duration.ofSeconds(1));
      good("PATCH", "/keys/" + OLD, "{'name':'n" + i + "'}");
    }
    Answer page = house.get("/audit-log?limit=2&offset=1");
    assertThat(page.list())
        .extracting(entry -> entry.text("created_at"))
        .containsExactly("2026-11-21T12:00:04Z", "2026-11-21T12:00:03Z");
    assertThat(page.body().get("total_count")).isEqualTo(Json.of(8));
    String some =
        "/audit-log?created_after=2026-11-21T12:00:01Z&created_before=2026-11-21T12:00:05Z";
    assertThat(house.get(some).body().get("total_count")).isEqualTo(Json.of(3));
    String workspace = good("POST", "/workspaces", "{'name':'W','slug':'w'}").text("id");
    assertThat(house.get("/audit-log?workspace_id=" + workspace).list()).hasSize(1);
    assertThat(house.send(APP, "GET", "/audit-log", "").status()).isEqualTo(403);
    assertThat(house.manage("DELETE", "/audit-log", "").status()).isEqualTo(405);
  }

  @ParameterizedTest
  @CsvSource({
    "limit=0,limit must be",
    "limit=101,limit must be",
    "offset=-1,offset must be",
    "created_after=yesterday,created_after must be",
    "workspace_id=none,workspace_id must be the id of a workspace",
  })
  @DisplayName("says what is wrong with a query")
  void wrong(String query, String says) {
    Answer refused = house.get("/audit-log?" + query);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.message()).contains(says);
  }
}
