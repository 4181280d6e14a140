package io.strowger.core;

import static io.strowger.core.TestServer.ADMIN;
import static io.strowger.core.TestServer.APP;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.TestServer.Answer;
import io.strowger.core.authentication.KeyRequirement;
import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.spi.json.Json;
import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A guardrail")
class GuardrailsTest {
  private static final String UNKNOWN_ID = "123e4567-e89b-12d3-a456-426614174000";

  private final TestServer server = new TestServer("");

  @AfterEach
  void noThreads() {
    server.close();
    server.ambient.assertNoThreadsLeft();
  }

  private String create(String members) {
    Answer created = server.manage("POST", "/guardrails", "{'name':'g'," + members + "}");
    assertThat(created.message()).isEmpty();
    assertThat(created.status()).isEqualTo(201);
    return created.text("id");
  }

  private String hashOf(String key) {
    return server.gateway.authenticator().admit("Bearer " + key, KeyRequirement.ANY).key().hex();
  }

  private Answer assign(String guardrail, String key) {
    return server.manage(
        "POST",
        "/guardrails/" + guardrail + "/assignments/keys",
        "{'key_hashes':['" + hashOf(key) + "']}");
  }

  private String servedBy(String key, String model) {
    Answer answer = server.ask(key, model);
    return answer.status() == 200 ? server.lastUpstream().split(" ")[0] : answer.status() + "";
  }

  private String otherKey() {
    return Objects.requireNonNull(
        server.manage("POST", "/keys", "{'name':'other'}").body().text("key"));
  }

  @Proves("resources.guardrail.members")
  @Test
  @DisplayName("is stored with all its members; aliases of models are replaced by their ids")
  void created() {
    Answer created =
        server.manage(
            "POST",
            "/guardrails",
            "{'name':'g','description':'d','limit_usd':5,'reset_interval':'daily',"
                + "'allowed_models':['ACME/big','acme/*'],'ignored_providers':['alpha'],"
                + "'enforce_zdr':true,'enforce_zdr_xai':false,'foo':1}");
    assertThat(created.status()).isEqualTo(201);
    assertThat(created.data().without("id"))
        .isEqualTo(
            TestServer.json(
                """
                {'name':'g','description':'d','limit_usd':5,'reset_interval':'daily',
                 'include_byok_in_budgets':false,'allowed_models':['acme/large','acme/*'],
                 'ignored_models':null,'allowed_providers':null,'ignored_providers':['alpha'],
                 'enforce_zdr':true,'enforce_zdr_anthropic':true,'enforce_zdr_openai':true,
                 'enforce_zdr_google':true,'enforce_zdr_xai':false,'enforce_zdr_other':true,
                 'enable_free_model_training':null,'enable_paid_model_training':null,
                 'enable_free_model_publication':null,'content_filters':null,
                 'content_filter_builtins':null,'workspace_id':'%s','created_at':'%s',
                 'updated_at':null}\
                """
                    .formatted(DefaultWorkspace.ID, TestServer.NOW)));
    assertThat(server.get("/guardrails/" + created.text("id")).body()).isEqualTo(created.body());
    assertThat(server.get("/guardrails").list())
        .as("including the workspace's default guardrail")
        .extracting(guardrail -> guardrail.text("name"))
        .containsExactlyInAnyOrder("g", "Workspace " + DefaultWorkspace.ID + " Default");
  }

  @Proves("resources.guardrail.assigned")
  @Test
  @DisplayName("applies only to the keys it is assigned to")
  void assigned() {
    String other = otherKey();
    String id = create("'ignored_providers':['alpha']");
    assertThat(servedBy(APP, "acme/large")).as("the cheapest endpoint").isEqualTo("alpha");
    assertThat(assign(id, APP).body()).isEqualTo(TestServer.json("{'assigned_count':1}"));
    assertThat(assign(id, APP).body()).isEqualTo(TestServer.json("{'assigned_count':0}"));
    assertThat(servedBy(APP, "acme/large")).isEqualTo("beta");
    assertThat(servedBy(other, "acme/large")).isEqualTo("alpha");
    Answer removed =
        server.manage(
            "POST",
            "/guardrails/" + id + "/assignments/keys/remove",
            "{'key_hashes':['" + hashOf(APP) + "','x']}");
    assertThat(removed.body()).isEqualTo(TestServer.json("{'unassigned_count':1}"));
    assertThat(servedBy(APP, "acme/large")).isEqualTo("alpha");
  }

  private String answerFilter(String pattern, String action, String label) {
    return "'content_filters':[{'pattern':'%s','action':'%s','label':'%s','direction':'output'}]"
        .formatted(pattern, action, label);
  }

  private static String content(Answer answer) {
    var choices = Objects.requireNonNull(answer.body().list("choices"), answer.body()::toString);
    var message = ((Json.Obj) choices.get(0)).object("message");
    return Objects.requireNonNull(Objects.requireNonNull(message).text("content"));
  }

  @Test
  @DisplayName("filters only the answers to its own keys, also when keys take turns")
  void answersOfSeveralKeys() {
    String second = otherKey();
    String blocked = otherKey();
    String unfiltered = otherKey();
    assign(create(answerFilter("y", "redact", "[ONE]")), APP);
    assign(create(answerFilter("[x-z]", "redact", "[TWO]")), second);
    assign(create(answerFilter("y", "block", "[THREE]")), blocked);
    for (int round = 0; round < 3; round++) {
      assertThat(content(server.ask(APP, "acme/large"))).isEqualTo("[ONE]");
      assertThat(content(server.ask(second, "acme/large"))).isEqualTo("[TWO]");
      assertThat(content(server.ask(unfiltered, "acme/large"))).isEqualTo("y");
      Answer refused = server.ask(blocked, "acme/large");
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.message()).contains("[THREE]").doesNotContain("[ONE]", "[TWO]");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'allowed_models':['acme/small']|acme/large|404",
        "'allowed_models':['acme/*']|acme/large|alpha",
        "'ignored_models':['acme/big']|acme/large|404",
        "'allowed_providers':['beta']|acme/large|beta",
        "'enforce_zdr_other':true|acme/large|beta",
        "'enforce_zdr':true|acme/large|beta",
        "'enable_paid_model_training':false|acme/large|beta",
        "'enable_paid_model_training':true|acme/large|alpha",
      })
  @DisplayName("restricts the models and providers that requests may use")
  void routing(String members, String model, String expected) {
    assign(create(members), APP);
    assertThat(servedBy(APP, model)).isEqualTo(expected);
  }

  @Test
  @DisplayName("can be changed for the next request; null clears a member, an absent one stays")
  void updated() {
    String id = create("'allowed_providers':['beta'],'limit_usd':5");
    assign(id, APP);
    assertThat(servedBy(APP, "acme/large")).isEqualTo("beta");
    String path = "/guardrails/" + id;
    Answer changed = server.manage("PATCH", path, "{'allowed_providers':null}");
    assertThat(changed.data().get("limit_usd")).isEqualTo(Json.of(5));
    assertThat(changed.data().text("updated_at")).isEqualTo(TestServer.NOW);
    assertThat(servedBy(APP, "acme/large")).isEqualTo("alpha");
    Answer nothing = server.manage("PATCH", path, "{'foo':1}");
    assertThat(nothing.message()).isEqualTo("No update fields provided");
    Answer wrong = server.manage("PATCH", path, "{'name':null,'reset_interval':'hourly'}");
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.message()).contains("/name: is required").contains("/reset_interval: must be");
  }

  @Test
  @DisplayName("of a key is replaced by the next one that is assigned to the key")
  void one() {
    String first = create("'ignored_providers':['alpha']");
    String second = create("'ignored_providers':['beta']");
    assign(first, APP);
    assign(second, APP);
    assertThat(servedBy(APP, "acme/large")).isEqualTo("alpha");
    assertThat(server.get("/guardrails/" + first + "/assignments/keys").list()).isEmpty();
    Json.Obj assigned = server.get("/guardrails/" + second + "/assignments/keys").list().getFirst();
    assertThat(assigned)
        .isEqualTo(
            TestServer.json(
                """
                {'key_hash':'%s','key_name':'app','key_label':'sk-a...def','guardrail_id':'%s',
                 'assigned_by':'user_default','created_at':'%s'}\
                """
                    .formatted(hashOf(APP), second, TestServer.NOW)));
  }

  @Proves("resources.guardrail.assigned")
  @Test
  @DisplayName("of a member applies to all keys of the member, in addition to a key's own")
  void members() {
    String ofMember = create("'ignored_providers':['alpha']");
    Answer assigned =
        server.manage(
            "POST",
            "/guardrails/" + ofMember + "/assignments/members",
            "{'member_user_ids':['user_default']}");
    assertThat(assigned.body()).isEqualTo(TestServer.json("{'assigned_count':1}"));
    String other = otherKey();
    assertThat(servedBy(other, "acme/large")).isEqualTo("beta");
    assign(create("'ignored_models':['acme/large']"), other);
    assertThat(servedBy(other, "acme/large")).isEqualTo("404");
    assertThat(servedBy(APP, "acme/large")).isEqualTo("beta");
    assertThat(server.get("/guardrails/" + ofMember + "/assignments/members").list())
        .extracting(assignment -> assignment.text("user_id"))
        .containsExactly("user_default");
    server.manage(
        "POST",
        "/guardrails/" + ofMember + "/assignments/members/remove",
        "{'member_user_ids':['user_default']}");
    assertThat(servedBy(APP, "acme/large")).isEqualTo("alpha");
  }

  @Proves("resources.guardrail.assigned")
  @Test
  @DisplayName("of the workspace applies to all its keys, and cannot be deleted")
  void ofWorkspace() {
    Json.Obj workspaceDefault =
        server.get("/guardrails").list().stream()
            .filter(g -> Objects.requireNonNull(g.text("name")).startsWith("Workspace "))
            .findFirst()
            .orElseThrow();
    String path = "/guardrails/" + workspaceDefault.text("id");
    server.manage("PATCH", path, "{'ignored_providers':['alpha']}");
    assertThat(servedBy(APP, "acme/large")).isEqualTo("beta");
    Answer refused = server.manage("DELETE", path, "");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.message())
        .isEqualTo("The default guardrail of a workspace cannot be deleted");
  }

  @Test
  @DisplayName("applies to no key any more after its deletion")
  void deleted() {
    String id = create("'ignored_providers':['alpha']");
    assign(id, APP);
    assertThat(servedBy(APP, "acme/large")).isEqualTo("beta");
    assertThat(server.manage("DELETE", "/guardrails/" + id, "").body())
        .isEqualTo(TestServer.json("{'deleted':true}"));
    assertThat(servedBy(APP, "acme/large")).isEqualTo("alpha");
    assertThat(server.stores.documents().find("guardrail-key", hashOf(APP))).isNull();
  }

  @Test
  @DisplayName("with a blocking content filter refuses matching requests of its keys only")
  void filters() {
    String id = create("'content_filters':[{'pattern':'^hi$','action':'block'}]");
    assertThat(servedBy(APP, "acme/large")).isEqualTo("alpha");
    assign(id, APP);
    Answer blocked = server.ask(APP, "acme/large");
    assertThat(blocked.status()).isEqualTo(403);
    assertThat(blocked.message()).startsWith("Request blocked: ");
    assertThat(servedBy(otherKey(), "acme/large")).isEqualTo("alpha");
  }

  @Nested
  @DisplayName("with a budget")
  class Budgets {
    @Proves("resources.guardrail.budgets")
    @Test
    @DisplayName("refuses requests beyond the budget with 403, counted for each key separately")
    void byKey() {
      String other = otherKey();
      String id = create("'limit_usd':0.02,'reset_interval':'daily'");
      assign(id, APP);
      assign(id, other);
      assertThat(servedBy(APP, "acme/small")).isEqualTo("beta");
      Answer refused = server.ask(APP, "acme/small");
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.message()).contains("daily budget").contains("guardrail");
      assertThat(servedBy(other, "acme/small")).isEqualTo("beta");
      server.ambient.advance(Duration.ofHours(12));
      assertThat(servedBy(APP, "acme/small")).as("the next day").isEqualTo("beta");
    }

    @Proves("resources.guardrail.budgets")
    @Test
    @DisplayName("of a member is shared by all keys of the member")
    void byMember() {
      String other = otherKey();
      String id = create("'limit_usd':0.02");
      server.manage(
          "POST",
          "/guardrails/" + id + "/assignments/members",
          "{'member_user_ids':['user_default']}");
      assertThat(servedBy(APP, "acme/small")).isEqualTo("beta");
      assertThat(servedBy(other, "acme/small")).isEqualTo("403");
    }

    @Test
    @DisplayName(
        "in the configuration file applies to each key separately, until a reload removes it")
    void ofTheFile() {
      String file = "'account':{'guardrails':[{'name':'all','limit_usd':0.02}]}";
      try (var limited = new TestServer(file, server)) {
        assertThat(limited.gateway.config().unusedMemberWarnings()).isEmpty();
        assertThat(limited.ask(APP, "acme/small").status()).isEqualTo(200);
        assertThat(limited.ask(APP, "acme/small").status()).isEqualTo(403);
        limited.gateway.reload(TestServer.config(""));
        assertThat(limited.ask(APP, "acme/small").status()).isEqualTo(200);
      }
    }
  }

  @Proves("resources.guardrail.members")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{}|/name: is required",
        "{'name':''}|/name: must be text of 1 to 200 characters",
        "{'name':'g','limit_usd':-1}|/limit_usd: must be a decimal from 0",
        "{'name':'g','allowed_models':[]}|/allowed_models: must name at least one, or be null",
        "{'name':'g','enforce_zdr':5}|/enforce_zdr: must be true or false",
        "{'name':'g','workspace_id':'w'}|/workspace_id: must be the id of a workspace",
        "{'name':'g','content_filters':[{'pattern':'x'}]}|/content_filters/0/action: is required",
      })
  @DisplayName("is refused with 400 and the pointer to the wrong member")
  void wrong(String body, String reason) {
    Answer refused = server.manage("POST", "/guardrails", body);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.message()).contains(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "keys|{}|/key_hashes: is required",
        "keys|{'key_hashes':[]}|/key_hashes: must have 1 to 100 items",
        "keys|{'key_hashes':['x']}|/key_hashes/0: must be the hash of a key of the guardrail's",
        "members|{}|/member_user_ids: is required",
        "members|{'member_user_ids':[5]}|/member_user_ids/0: must be a string",
        "keys/remove|{}|/key_hashes: is required",
      })
  @DisplayName("is not assigned by a wrong body: 400 with the pointer to the wrong member")
  void wrongAssignment(String path, String body, String reason) {
    String id = create("'ignored_providers':['alpha']");
    Answer refused = server.manage("POST", "/guardrails/" + id + "/assignments/" + path, body);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.message()).contains(reason);
  }

  @Test
  @DisplayName("is not assigned to unknown keys: 400 with the index of each, also after duplicates")
  void placesOfUnknownKeys() {
    String path = "/guardrails/" + create("'ignored_providers':['alpha']") + "/assignments/keys";
    String app = "'" + hashOf(APP) + "'";
    String body = "{'key_hashes':[" + app + "," + app + ",'x'," + app + ",'y','x']}";
    Answer refused = server.manage("POST", path, body);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.message())
        .contains("/key_hashes/2: must be", "/key_hashes/4: must be", "/key_hashes/5: must be")
        .doesNotContain("/key_hashes/0", "/key_hashes/1", "/key_hashes/3");
    assertThat(server.get(path).list()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"keys", "keys/remove", "members", "members/remove"})
  @DisplayName(
      "that does not exist is answered with 404 for a valid body, with 400 for a wrong one")
  void absentWithNames(String path) {
    String assignments = "/guardrails/" + UNKNOWN_ID + "/assignments/" + path;
    Answer absent =
        server.manage(
            "POST", assignments, "{'key_hashes':['x','x'],'member_user_ids':['user_default']}");
    assertThat(absent.status()).isEqualTo(404);
    assertThat(absent.message()).isEqualTo("Resource not found");
    assertThat(
            server.manage("POST", assignments, "{'key_hashes':[],'member_user_ids':[]}").status())
        .isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", UNKNOWN_ID})
  @DisplayName("that does not exist is answered with 404")
  void absent(String id) {
    String path = "/guardrails/" + id;
    String body = "{'key_hashes':['" + hashOf(APP) + "'],'name':'x'}";
    for (Answer none :
        List.of(
            server.get(path),
            server.manage("PATCH", path, body),
            server.manage("DELETE", path, ""),
            server.get(path + "/assignments/keys"),
            server.manage("POST", path + "/assignments/keys", body),
            server.manage("POST", path + "/assignments/keys/remove", body),
            server.get(path + "/assignments/members"))) {
      assertThat(none.status()).isEqualTo(404);
      assertThat(none.message()).isEqualTo("Resource not found");
    }
    assertThat(server.send(ADMIN, "PUT", path, "").status()).isEqualTo(405);
    assertThat(server.send(APP, "GET", path, "").status()).isEqualTo(403);
  }
}
