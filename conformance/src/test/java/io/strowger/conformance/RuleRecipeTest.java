package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.Gateway;
import io.strowger.core.Routing.Explanation;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.routing.RoutePlan;
import io.strowger.providers.chat.OpenAiChatFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("The recipe that adds a rule about endpoints")
class RuleRecipeTest {
  /** Follows CONTRIBUTING: a caller who wants zero data retention gets no provider named "far". */
  private static SourceEdits editedSources() throws IOException {
    var sources = new SourceEdits();
    // Step 1: a function that says what it drops, beside PreferenceRules.zdr; RequestRules and
    // AccountChecks have the functions for requests and accounts
    sources.insertBefore(
        "io.strowger.core.plan.PreferenceRules",
        "/** Returns a test that drops providers which may keep prompts",
        """
        /** Drops endpoints that are far away if the caller wants zero data retention. */
        static Test near(RuleContext context) {
          return context.query().preferences().zdr() ? context.index().traits().far() : Test.KEEPS_ALL;
        }
        """);
    // Step 2: its row in the table of EndpointRuleSet, among the preferences of the request
    sources.insertBefore(
        "io.strowger.core.plan.EndpointRuleSet",
        "rule(\"region\", REQUEST",
        """
        rule("house.near", PREFERENCES, NO_ENDPOINTS, PreferenceRules::near)
            .because("is far away"),\
        """);
    // Step 3: a fact about an endpoint, as a bit of CatalogTraits
    String traits = "io.strowger.core.plan.CatalogTraits";
    sources.insertBefore(
        traits, "private static final long RETAINS", "private static final long FAR = 1L << 34;");
    sources.insertBefore(
        traits,
        "| (endpoint.provider().trainsOnPrompts()",
        "| (endpoint.provider().slug().equals(\"far\") ? FAR : 0)");
    sources.insertBefore(
        traits,
        "/** Returns a test that drops endpoints whose quantization",
        "BitTest far() { return forbidding(FAR); }");
    return sources;
  }

  @Test
  @Tag("full")
  @DisplayName(
      "adds a rule that drops endpoints with a reason, but only if the request asks for it")
  void effect() throws Exception {
    // Step 4: checks like those of DataPolicyTest; PlanBenchmark measures the cost of rules
    List<String> results = editedSources().run(Decisions.class);
    assertThat(results.get(0)).contains("house.near", "is far away").endsWith("[acme/both@near]");
    assertThat(results.get(1)).doesNotContain("house.near").contains("far", "near");
    assertThat(results.get(2)).contains("house.near").endsWith("NO_ENDPOINTS");
  }

  @Test
  @DisplayName("edits sources at places that exist exactly once")
  void places() throws IOException {
    assertThat(editedSources()).isNotNull();
  }

  /**
   * Makes decisions for a model that both of two providers serve, and for one that only one of them
   * serves.
   */
  static final class Decisions implements Callable<List<String>> {
    private static final String CONFIG =
        """
        { "providers": [
            { "slug": "near", "name": "Near", "protocol": "openai-chat", "base_url": "https://near.example",
              "data_policy": { "retains_prompts": false, "trains_on_prompts": false } },
            { "slug": "far", "name": "Far", "protocol": "openai-chat", "base_url": "https://far.example",
              "data_policy": { "retains_prompts": false, "trains_on_prompts": false } } ],
          "models": [
            { "id": "acme/both", "endpoints": [ %s, %s ] },
            { "id": "acme/remote", "endpoints": [ %s ] } ],
          "keys": [ { "name": "app", "key": "sk-app-0123456789abcdef0123456789abcdef" } ] }
        """
            .formatted(endpoint("near"), endpoint("far"), endpoint("far"));

    private static String endpoint(String provider) {
      return """
      { "provider": "%s", "upstream_model": "m", "pricing": { "prompt": "0.000001", "completion": "0.000002" } }\
      """
          .formatted(provider);
    }

    @Override
    public List<String> call() {
      var config =
          new ConfigReader(new JacksonCodec(), name -> null)
              .read(CONFIG.getBytes(StandardCharsets.UTF_8))
              .orThrow();
      try (Gateway gateway = Gateway.builder(config).provider(new OpenAiChatFactory()).build()) {
        return List.of(
            decision(gateway, "acme/both", true),
            decision(gateway, "acme/both", false),
            decision(gateway, "acme/remote", true));
      }
    }

    private static String decision(Gateway gateway, String model, boolean zdr) {
      String body =
          "{'model':'%s','messages':[{'role':'user','content':'Hello'}],'provider':{'zdr':%s}}"
              .formatted(model, zdr)
              .replace('\'', '"');
      Explanation decision = gateway.routing().explain(body.getBytes(StandardCharsets.UTF_8), 1);
      String outcome =
          decision.plan() instanceof RoutePlan.NoRoute none
              ? none.error().code().toString()
              : decision.plan().toString();
      return decision.trace() + " " + outcome;
    }
  }
}
