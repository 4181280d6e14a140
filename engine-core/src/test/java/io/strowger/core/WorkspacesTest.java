package io.strowger.core;

import static io.strowger.core.House.APP;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.House.Answer;
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
  private static final String HOME = "/workspaces/" + DefaultWorkspace.ID;

  private final House house = new House("");

  @AfterEach
  void noThreads() {
    house.close();
    house.ambient.assertNoThreadsLeft();
  }

  private Answer create(String slug) {
    Answer created = house.manage("POST", "/workspaces", "{'name':'W','slug':'" + slug + "'}");
    assertThat(created.message()).isEmpty();
    assertThat(created.status()).isEqualTo(201);
    return created;
  }

  private Answer budget(String interval, String limit) {
    return house.manage("PUT", HOME + "/budgets/" + interval, "{'limit_usd':" + limit + "}");
  }

  @Proves("resources.guardrail.workspace")
  @Test
  @DisplayName("is always there, and others are made beside it")
  void created() {
    assertThat(house.get("/workspaces").list())
        .extracting(one -> one.text("id"))
        .containsExactly(DefaultWorkspace.ID);
    house.ambient.advance(Duration.ofSeconds(1));
    Answer created = create("side-project");
    assertThat(created.data().without("id"))
        .isEqualTo(
            House.json(
                """
                {'name':'W','slug':'side-project','description':null,'default_text_model':null,
                 'default_image_model':null,'default_provider_sort':null,
                 'is_observability_io_logging_enabled':false,
                 'is_observability_broadcast_enabled':true,
                 'created_at':'2026-11-21T12:00:01Z','updated_at':null}\
                """));
    assertThat(house.get("/workspaces/" + created.text("id")).body()).isEqualTo(created.body());
    assertThat(house.get("/workspaces/side-project").body()).isEqualTo(created.body());
    Answer list = house.get("/workspaces?limit=1&offset=1");
    assertThat(list.list()).containsExactly(created.data());
    assertThat(list.body().get("total_count")).isEqualTo(Json.of(2));
  }

  @Proves("resources.guardrail.workspace")
  @Test
  @DisplayName("has a slug of its own: 409 for another's, which is free again afterwards")
  void slugs() {
    Answer first = create("one");
    Answer taken = house.manage("POST", "/workspaces", "{'name':'V','slug':'one'}");
    assertThat(taken.status()).isEqualTo(409);
    assertThat(taken.message()).isEqualTo("There is a workspace with the slug one");
    String path = "/workspaces/" + first.text("id");
    assertThat(house.manage("PATCH", path, "{'slug':'default'}").status()).isEqualTo(409);
    assertThat(house.manage("PATCH", path, "{'slug':'two','name':'X'}").text("slug"))
        .isEqualTo("two");
    create("one");
    assertThat(house.manage("DELETE", path, "").status()).isEqualTo(200);
    assertThat(house.get("/workspaces/two").status()).isEqualTo(404);
    create("two");
  }

  @Proves({"key.workspace_id", "operation.keys.workspace_id"})
  @Test
  @DisplayName("holds keys, which are listed by it, and keeps it from being deleted")
  void keys() {
    String id = create("side").text("id");
    Answer key = house.manage("POST", "/keys", "{'name':'n','workspace_id':'" + id + "'}");
    assertThat(key.text("workspace_id")).isEqualTo(id);
    assertThat(house.get("/keys?workspace_id=" + id).list()).containsExactly(key.data());
    assertThat(house.get("/keys?workspace_id=" + DefaultWorkspace.ID).list()).hasSize(2);
    assertThat(house.get("/keys?workspace_id=" + UUID.randomUUID()).status()).isEqualTo(400);
    assertThat(house.manage("DELETE", "/workspaces/side", "").status()).isEqualTo(409);
    house.manage("DELETE", "/keys/" + key.text("hash"), "");
    assertThat(house.manage("DELETE", "/workspaces/side", "").body())
        .isEqualTo(House.json("{'deleted':true}"));
    Answer home = house.manage("DELETE", HOME, "");
    assertThat(home.status()).isEqualTo(400);
    assertThat(home.message()).isEqualTo("The default workspace cannot be deleted");
  }

  private Answer makePreset(String slug, String query) {
    String body = "{'model':'acme/large','messages':[{'role':'user','content':'hi'}]}";
    return house.manage("POST", "/presets/" + slug + "/chat/completions" + query, body);
  }

  @Proves("preset.workspace_id")
  @Test
  @DisplayName("has presets of its own, made with a management key that names it")
  void presets() {
    String id = create("side").text("id");
    String here = "?workspace_id=" + id;
    Answer made = makePreset("writer", here);
    assertThat(made.text("workspace_id")).isEqualTo(id);
    assertThat(house.get("/presets" + here).list()).containsExactly(made.data());
    assertThat(house.get("/presets/writer" + here).data()).isEqualTo(made.data());
    assertThat(house.get("/presets/writer/versions" + here).list()).hasSize(1);
    assertThat(house.get("/presets/writer/versions/1" + here).status()).isEqualTo(200);
    assertThat(house.get("/presets").list()).isEmpty();
    assertThat(house.get("/presets/writer").status()).isEqualTo(404);
    Answer key = house.manage("POST", "/keys", "{'name':'n','workspace_id':'" + id + "'}");
    String inside = Objects.requireNonNull(key.body().text("key"));
    assertThat(house.ask(inside, "@preset/writer").status()).isEqualTo(200);
    assertThat(house.ask(APP, "@preset/writer").status()).isEqualTo(404);
    assertThat(house.send(inside, "GET", "/presets" + here, "").list()).hasSize(1);
    Answer foreign = house.send(APP, "GET", "/presets" + here, "");
    assertThat(foreign.status()).isEqualTo(400);
    assertThat(foreign.message()).contains("workspace_id must be the workspace of the key");
    assertThat(makePreset("writer", "?workspace_id=" + UUID.randomUUID()).message())
        .contains("workspace_id must be the id of a workspace");
  }

  @Test
  @DisplayName("takes what is in it along when it is deleted, and nothing of others")
  void contents() {
    String id = create("side").text("id");
    makePreset("writer", "?workspace_id=" + id);
    makePreset("writer", "?workspace_id=" + id);
    makePreset("writer", "");
    String rule = "{'name':'g','workspace_id':'" + id + "'}";
    String guardrail = house.manage("POST", "/guardrails", rule).text("id");
    String bound = "/guardrails/" + guardrail + "/assignments/members";
    assertThat(house.manage("POST", bound, "{'member_user_ids':['eve']}").status()).isEqualTo(200);
    assertThat(house.manage("DELETE", "/workspaces/side", "").status()).isEqualTo(200);
    assertThat(house.get("/guardrails").list())
        .extracting(one -> one.text("workspace_id"))
        .containsOnly(DefaultWorkspace.ID);
    for (String kind :
        List.of("preset", "preset_version", "guardrail", "guardrail-member", "workspace-door")) {
      var filter = new Filter(kind, null, true, Order.OLDEST_FIRST, 0, 100);
      assertThat(house.stores.documents().list(filter).documents())
          .as(kind)
          .noneMatch(one -> one.group().contains(id) || one.id().contains(id))
          .noneMatch(one -> one.group().equals(guardrail));
    }
    assertThat(house.get("/presets/writer/versions").list()).hasSize(1);
  }

  @Test
  @DisplayName("keeps what is said when it says so, for its BYOK keys only")
  void logging() {
    String unkept = Objects.requireNonNull(house.ask(APP, "acme/small").body().text("id"));
    String id = create("side").text("id");
    Answer key = house.manage("POST", "/keys", "{'name':'n','workspace_id':'" + id + "'}");
    String other = Objects.requireNonNull(key.body().text("key"));
    String on = "{'is_observability_io_logging_enabled':true}";
    assertThat(house.manage("PATCH", "/workspaces/side", on).status()).isEqualTo(200);
    String kept = Objects.requireNonNull(house.ask(other, "acme/small").body().text("id"));
    Json.Obj output =
        Objects.requireNonNull(house.get("/generation/content?id=" + kept).data().object("output"));
    assertThat(output.text("completion")).isEqualTo("y");
    String still = Objects.requireNonNull(house.ask(APP, "acme/small").body().text("id"));
    assertThat(house.get("/generation?id=" + still).status()).isEqualTo(200);
    assertThat(house.get("/generation/content?id=" + still).status()).isEqualTo(404);
    assertThat(house.get("/generation/content?id=" + unkept).status()).isEqualTo(404);
  }

  @Proves({"routing.fallback.default-model", "resources.guardrail.workspace"})
  @Test
  @DisplayName("says which model is asked and how endpoints are sorted when a request does not")
  void defaults() {
    String bare = "{'max_tokens':16,'messages':[{'role':'user','content':'hi'}]}";
    assertThat(house.send(APP, "POST", "/chat/completions", bare).status()).isEqualTo(400);
    house.manage("PATCH", HOME, "{'default_text_model':'acme/small'}");
    assertThat(house.send(APP, "POST", "/chat/completions", bare).status()).isEqualTo(200);
    assertThat(house.calls.getLast().endpoint().model()).isEqualTo("acme/small");
    house.manage("PATCH", HOME, "{'default_text_model':null}");
    assertThat(house.send(APP, "POST", "/chat/completions", bare).status()).isEqualTo(400);
    house.manage("PATCH", HOME, "{'default_provider_sort':'price'}");
    for (int i = 0; i < 20; i++) {
      house.ask(APP, "acme/large");
      assertThat(house.last()).startsWith("alpha");
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
  @DisplayName("is not made of a body that is wrong: 400 with all that is")
  void wrong(String body, String says) {
    Answer refused = house.manage("POST", "/workspaces", body);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.message()).contains(says);
  }

  @Proves("resources.guardrail.workspace.budgets")
  @Test
  @DisplayName("may spend its budgets and no more: 403 that names the interval")
  void budgets() {
    assertThat(budget("daily", "0.02").data())
        .isEqualTo(
            House.json(
                "{'workspace_id':'%s','limit_usd':0.02,'reset_interval':'daily'}"
                    .formatted(DefaultWorkspace.ID)));
    assertThat(house.ask(APP, "acme/small").status()).isEqualTo(200);
    Answer day = house.ask(APP, "acme/small");
    assertThat(day.status()).isEqualTo(403);
    assertThat(day.message()).contains("daily budget of the workspace");
    budget("monthly", "0.025");
    house.ambient.advance(Duration.ofDays(1));
    assertThat(house.ask(APP, "acme/small").status()).isEqualTo(200);
    assertThat(house.ask(APP, "acme/small").message()).contains("monthly budget of the workspace");
    assertThat(house.get(HOME + "/budgets").list())
        .extracting(one -> one.text("reset_interval"))
        .containsExactly("daily", "monthly");
    assertThat(house.manage("DELETE", HOME + "/budgets/daily", "").status()).isEqualTo(200);
    assertThat(house.manage("DELETE", HOME + "/budgets/monthly", "").status()).isEqualTo(200);
    assertThat(house.ask(APP, "acme/small").status()).isEqualTo(200);
  }

  @Proves("resources.guardrail.workspace.budgets")
  @Test
  @DisplayName("is told of the broadest budget a request does not fit, though another leaves less")
  void broadest() {
    budget("daily", "0.02");
    budget("weekly", "0.021");
    budget("monthly", "0.06");
    assertThat(house.ask(APP, "acme/small").status()).isEqualTo(200);
    // the next one needs more than is left of day and week, and less than is left of the month
    assertThat(house.ask(APP, "acme/small").message())
        .isEqualTo("The weekly budget of the workspace is exceeded");
  }

  @Proves("resources.guardrail.workspace.budgets")
  @Test
  @DisplayName("has budgets that are strictly larger the longer their interval")
  void order() {
    assertThat(budget("weekly", "5").status()).isEqualTo(200);
    Answer wide = budget("daily", "5");
    assertThat(wide.status()).isEqualTo(400);
    assertThat(wide.message())
        .isEqualTo(
            "Budgets must be strictly larger the longer their interval: weekly is $5, daily is $5");
    assertThat(budget("lifetime", "5").status()).isEqualTo(400);
    assertThat(budget("lifetime", "5.5").data().get("reset_interval")).isEqualTo(Json.NULL);
    assertThat(budget("monthly", "5.2").status()).isEqualTo(200);
    assertThat(budget("daily", "4").status()).isEqualTo(200);
    assertThat(budget("hourly", "4").status()).isEqualTo(404);
    assertThat(budget("daily", "-1").status()).isEqualTo(400);
    assertThat(house.manage("PUT", HOME + "/budgets/daily", "{}").message())
        .contains("/limit_usd: is required");
  }

  @Proves("resources.guardrail.workspace.budgets")
  @Test
  @DisplayName("loses a budget any number of times")
  void idempotent() {
    budget("daily", "4");
    for (int i = 0; i < 2; i++) {
      assertThat(house.manage("DELETE", HOME + "/budgets/daily", "").body())
          .isEqualTo(House.json("{'deleted':true}"));
    }
    assertThat(house.get(HOME + "/budgets").list()).isEmpty();
    assertThat(house.manage("DELETE", "/workspaces/none/budgets/daily", "").status())
        .isEqualTo(404);
    assertThat(
            Objects.requireNonNull(house.stores.documents().find("workspace", DefaultWorkspace.ID))
                .version())
        .as("what changes nothing writes nothing")
        .isEqualTo(3);
  }

  @Test
  @DisplayName("is not changed by a body that changes nothing")
  void nothing() {
    assertThat(house.manage("PATCH", HOME, "{'foo':1}").message())
        .isEqualTo("No update fields provided");
    assertThat(house.manage("PATCH", "/workspaces/none", "{'name':'x'}").status()).isEqualTo(404);
    assertThat(house.send(APP, "GET", HOME, "").status()).isEqualTo(403);
  }
}
