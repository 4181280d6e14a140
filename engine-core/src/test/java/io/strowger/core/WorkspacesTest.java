package io.strowger.core;

import static io.strowger.core.TestServer.APP;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.TestServer.Answer;
import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.DocumentStore.Filter;
import io.strowger.spi.store.DocumentStore.Order;
import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A workspace")
class WorkspacesTest {
  private static final String DEFAULT_PATH = "/workspaces/" + DefaultWorkspace.ID;

  private final TestServer server = new TestServer("");

  @AfterEach
  void noThreads() {
    server.close();
    server.ambient.assertNoThreadsLeft();
  }

  private Answer create(String slug) {
    Answer created = server.manage("POST", "/workspaces", "{'name':'W','slug':'" + slug + "'}");
    assertThat(created.message()).isEmpty();
    assertThat(created.status()).isEqualTo(201);
    return created;
  }

  private Answer budget(String interval, String limit) {
    return server.manage(
        "PUT", DEFAULT_PATH + "/budgets/" + interval, "{'limit_usd':" + limit + "}");
  }

  @Proves("resources.guardrail.workspace")
  @Test
  @DisplayName("exists by default, and more can be created")
  void created() {
    assertThat(server.get("/workspaces").list())
        .extracting(workspace -> workspace.text("id"))
        .containsExactly(DefaultWorkspace.ID);
    server.ambient.advance(Duration.ofSeconds(1));
    Answer created = create("side-project");
    assertThat(created.data().without("id"))
        .isEqualTo(
            TestServer.json(
                """
                {'name':'W','slug':'side-project','description':null,'default_text_model':null,
                 'default_image_model':null,'default_provider_sort':null,
                 'is_observability_io_logging_enabled':false,
                 'is_observability_broadcast_enabled':true,
                 'created_at':'2026-11-21T12:00:01Z','updated_at':null}\
                """));
    assertThat(server.get("/workspaces/" + created.text("id")).body()).isEqualTo(created.body());
    assertThat(server.get("/workspaces/side-project").body()).isEqualTo(created.body());
    Answer list = server.get("/workspaces?limit=1&offset=1");
    assertThat(list.list()).containsExactly(created.data());
    assertThat(list.body().get("total_count")).isEqualTo(Json.of(2));
  }

  @Proves("resources.guardrail.workspace")
  @Test
  @DisplayName("needs a unique slug (409); a slug is free again after a change or deletion")
  void slugs() {
    Answer first = create("one");
    Answer taken = server.manage("POST", "/workspaces", "{'name':'V','slug':'one'}");
    assertThat(taken.status()).isEqualTo(409);
    assertThat(taken.message()).isEqualTo("A workspace with the slug 'one' already exists");
    String path = "/workspaces/" + first.text("id");
    assertThat(server.manage("PATCH", path, "{'slug':'default'}").status()).isEqualTo(409);
    assertThat(server.manage("PATCH", path, "{'slug':'two','name':'X'}").text("slug"))
        .isEqualTo("two");
    create("one");
    assertThat(server.manage("DELETE", path, "").status()).isEqualTo(200);
    assertThat(server.get("/workspaces/two").status()).isEqualTo(404);
    create("two");
  }

  @Proves({"key.workspace_id", "operation.keys.workspace_id"})
  @Test
  @DisplayName("lists its keys, and cannot be deleted while it has any")
  void keys() {
    String id = create("side").text("id");
    Answer key = server.manage("POST", "/keys", "{'name':'n','workspace_id':'" + id + "'}");
    assertThat(key.text("workspace_id")).isEqualTo(id);
    assertThat(server.get("/keys?workspace_id=" + id).list()).containsExactly(key.data());
    assertThat(server.get("/keys?workspace_id=" + DefaultWorkspace.ID).list()).hasSize(2);
    assertThat(server.get("/keys?workspace_id=" + UUID.randomUUID()).status()).isEqualTo(400);
    assertThat(server.manage("DELETE", "/workspaces/side", "").status()).isEqualTo(409);
    server.manage("DELETE", "/keys/" + key.text("hash"), "");
    assertThat(server.manage("DELETE", "/workspaces/side", "").body())
        .isEqualTo(TestServer.json("{'deleted':true}"));
    Answer refused = server.manage("DELETE", DEFAULT_PATH, "");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.message()).isEqualTo("The default workspace cannot be deleted");
  }

  private Answer createPreset(String slug, String query) {
    String body = "{'model':'acme/large','messages':[{'role':'user','content':'hi'}]}";
    return server.manage("POST", "/presets/" + slug + "/chat/completions" + query, body);
  }

  @Proves("preset.workspace_id")
  @Test
  @DisplayName("has its own presets, which a management key creates with its workspace_id")
  void presets() {
    String id = create("side").text("id");
    String inWorkspace = "?workspace_id=" + id;
    Answer created = createPreset("writer", inWorkspace);
    assertThat(created.text("workspace_id")).isEqualTo(id);
    assertThat(server.get("/presets" + inWorkspace).list()).containsExactly(created.data());
    assertThat(server.get("/presets/writer" + inWorkspace).data()).isEqualTo(created.data());
    assertThat(server.get("/presets/writer/versions" + inWorkspace).list()).hasSize(1);
    assertThat(server.get("/presets/writer/versions/1" + inWorkspace).status()).isEqualTo(200);
    assertThat(server.get("/presets").list()).isEmpty();
    assertThat(server.get("/presets/writer").status()).isEqualTo(404);
    Answer key = server.manage("POST", "/keys", "{'name':'n','workspace_id':'" + id + "'}");
    String keyOfWorkspace = Objects.requireNonNull(key.body().text("key"));
    assertThat(server.ask(keyOfWorkspace, "@preset/writer").status()).isEqualTo(200);
    assertThat(server.ask(APP, "@preset/writer").status()).isEqualTo(404);
    assertThat(server.send(keyOfWorkspace, "GET", "/presets" + inWorkspace, "").list()).hasSize(1);
    Answer foreign = server.send(APP, "GET", "/presets" + inWorkspace, "");
    assertThat(foreign.status()).isEqualTo(400);
    assertThat(foreign.message()).contains("workspace_id must be the workspace of the key");
    assertThat(createPreset("writer", "?workspace_id=" + UUID.randomUUID()).message())
        .contains("workspace_id must be the id of a workspace");
  }

  @Test
  @DisplayName("is deleted with its contents, but without those of other workspaces")
  void contents() {
    String id = create("side").text("id");
    createPreset("writer", "?workspace_id=" + id);
    createPreset("writer", "?workspace_id=" + id);
    createPreset("writer", "");
    String body = "{'name':'g','workspace_id':'" + id + "'}";
    String guardrail = server.manage("POST", "/guardrails", body).text("id");
    String members = "/guardrails/" + guardrail + "/assignments/members";
    assertThat(server.manage("POST", members, "{'member_user_ids':['eve']}").status())
        .isEqualTo(200);
    assertThat(server.manage("DELETE", "/workspaces/side", "").status()).isEqualTo(200);
    assertThat(server.get("/guardrails").list())
        .extracting(listed -> listed.text("workspace_id"))
        .containsOnly(DefaultWorkspace.ID);
    for (String kind :
        List.of("preset", "preset_version", "guardrail", "guardrail-member", "workspace-door")) {
      var filter = new Filter(kind, null, true, Order.OLDEST_FIRST, 0, 100);
      assertThat(server.stores.documents().list(filter).documents())
          .as(kind)
          .noneMatch(document -> document.group().contains(id) || document.id().contains(id))
          .noneMatch(document -> document.group().equals(guardrail));
    }
    assertThat(server.get("/presets/writer/versions").list()).hasSize(1);
  }

  @Test
  @DisplayName("stores messages if it is configured to, only for calls of its own keys")
  void logging() {
    String before = Objects.requireNonNull(server.ask(APP, "acme/small").body().text("id"));
    String id = create("side").text("id");
    Answer key = server.manage("POST", "/keys", "{'name':'n','workspace_id':'" + id + "'}");
    String other = Objects.requireNonNull(key.body().text("key"));
    String logging = "{'is_observability_io_logging_enabled':true}";
    assertThat(server.manage("PATCH", "/workspaces/side", logging).status()).isEqualTo(200);
    String stored = Objects.requireNonNull(server.ask(other, "acme/small").body().text("id"));
    Json.Obj output =
        Objects.requireNonNull(
            server.get("/generation/content?id=" + stored).data().object("output"));
    assertThat(output.text("completion")).isEqualTo("y");
    String ofDefault = Objects.requireNonNull(server.ask(APP, "acme/small").body().text("id"));
    assertThat(server.get("/generation?id=" + ofDefault).status()).isEqualTo(200);
    assertThat(server.get("/generation/content?id=" + ofDefault).status()).isEqualTo(404);
    assertThat(server.get("/generation/content?id=" + before).status()).isEqualTo(404);
  }

  @Proves({"routing.fallback.default-model", "resources.guardrail.workspace"})
  @Test
  @DisplayName("sets the model and the sorting of endpoints for requests that name none")
  void defaults() {
    String withoutModel = "{'max_tokens':16,'messages':[{'role':'user','content':'hi'}]}";
    assertThat(server.send(APP, "POST", "/chat/completions", withoutModel).status()).isEqualTo(400);
    server.manage("PATCH", DEFAULT_PATH, "{'default_text_model':'acme/small'}");
    assertThat(server.send(APP, "POST", "/chat/completions", withoutModel).status()).isEqualTo(200);
    assertThat(server.calls.getLast().endpoint().model()).isEqualTo("acme/small");
    server.manage("PATCH", DEFAULT_PATH, "{'default_text_model':null}");
    assertThat(server.send(APP, "POST", "/chat/completions", withoutModel).status()).isEqualTo(400);
    server.manage("PATCH", DEFAULT_PATH, "{'default_provider_sort':'price'}");
    for (int i = 0; i < 20; i++) {
      server.ask(APP, "acme/large");
      assertThat(server.lastUpstream()).startsWith("alpha");
    }
  }

  @Proves("resources.guardrail.workspace")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{}|/name: is required; /slug: is required",
        "{'name':'','slug':'s'}|/name: must be a string of 1 to 100 characters",
        "{'name':'n','slug':'No'}|/slug: must be 1 to 50 of a-z 0-9, in words joined by -",
        "{'name':'n','slug':'a--b'}|/slug: must be 1 to 50",
        "{'name':'n','slug':'s','default_provider_sort':'speed'}|/default_provider_sort: must be",
      })
  @DisplayName("is not created by a wrong body: 400 with every problem")
  void wrong(String body, String reason) {
    Answer refused = server.manage("POST", "/workspaces", body);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.message()).contains(reason);
  }

  @Proves("resources.guardrail.workspace.budgets")
  @Test
  @DisplayName("refuses a request beyond a budget with 403 and the budget's interval")
  void budgets() {
    assertThat(budget("daily", "0.02").data())
        .isEqualTo(
            TestServer.json(
                "{'workspace_id':'%s','limit_usd':0.02,'reset_interval':'daily'}"
                    .formatted(DefaultWorkspace.ID)));
    assertThat(server.ask(APP, "acme/small").status()).isEqualTo(200);
    Answer refused = server.ask(APP, "acme/small");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.message()).contains("daily budget of the workspace");
    budget("monthly", "0.025");
    server.ambient.advance(Duration.ofDays(1));
    assertThat(server.ask(APP, "acme/small").status()).isEqualTo(200);
    assertThat(server.ask(APP, "acme/small").message()).contains("monthly budget of the workspace");
    assertThat(server.get(DEFAULT_PATH + "/budgets").list())
        .extracting(budget -> budget.text("reset_interval"))
        .containsExactly("daily", "monthly");
    assertThat(server.manage("DELETE", DEFAULT_PATH + "/budgets/daily", "").status())
        .isEqualTo(200);
    assertThat(server.manage("DELETE", DEFAULT_PATH + "/budgets/monthly", "").status())
        .isEqualTo(200);
    assertThat(server.ask(APP, "acme/small").status()).isEqualTo(200);
  }

  @Proves("resources.guardrail.workspace.budgets")
  @Test
  @DisplayName(
      "names the longest budget that a request exceeds, even if a shorter one has less left")
  void broadest() {
    budget("daily", "0.02");
    budget("weekly", "0.021");
    budget("monthly", "0.06");
    assertThat(server.ask(APP, "acme/small").status()).isEqualTo(200);
    // the next request exceeds what is left for the day and the week, but not for the month
    assertThat(server.ask(APP, "acme/small").message())
        .isEqualTo("The weekly budget of the workspace is exceeded");
  }

  @Proves("resources.guardrail.workspace.budgets")
  @Test
  @DisplayName("needs strictly larger budgets for longer intervals")
  void order() {
    assertThat(budget("weekly", "5").status()).isEqualTo(200);
    Answer refused = budget("daily", "5");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.message())
        .isEqualTo(
            "The budget of a longer period must be larger than that of a shorter one: weekly is $5,"
                + " daily is $5");
    assertThat(budget("lifetime", "5").status()).isEqualTo(400);
    assertThat(budget("lifetime", "5.5").data().get("reset_interval")).isEqualTo(Json.NULL);
    assertThat(budget("monthly", "5.2").status()).isEqualTo(200);
    assertThat(budget("daily", "4").status()).isEqualTo(200);
    assertThat(budget("hourly", "4").status()).isEqualTo(404);
    assertThat(budget("daily", "-1").status()).isEqualTo(400);
    assertThat(server.manage("PUT", DEFAULT_PATH + "/budgets/daily", "{}").message())
        .contains("/limit_usd: is required");
  }

  @Proves("resources.guardrail.workspace.budgets")
  @Test
  @DisplayName("accepts the deletion of a budget any number of times")
  void idempotent() {
    budget("daily", "4");
    for (int i = 0; i < 2; i++) {
      assertThat(server.manage("DELETE", DEFAULT_PATH + "/budgets/daily", "").body())
          .isEqualTo(TestServer.json("{'deleted':true}"));
    }
    assertThat(server.get(DEFAULT_PATH + "/budgets").list()).isEmpty();
    assertThat(server.manage("DELETE", "/workspaces/none/budgets/daily", "").status())
        .isEqualTo(404);
    assertThat(
            Objects.requireNonNull(server.stores.documents().find("workspace", DefaultWorkspace.ID))
                .version())
        .as("a request without effect writes nothing")
        .isEqualTo(3);
  }

  @Test
  @DisplayName("is not changed by a body without known members")
  void nothing() {
    assertThat(server.manage("PATCH", DEFAULT_PATH, "{'foo':1}").message())
        .isEqualTo("No update fields provided");
    assertThat(server.manage("PATCH", "/workspaces/none", "{'name':'x'}").status()).isEqualTo(404);
    assertThat(server.send(APP, "GET", DEFAULT_PATH, "").status()).isEqualTo(403);
  }
}
