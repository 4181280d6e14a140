package io.strowger.core.resource;

import static io.strowger.core.resource.ResourceWords.decode;
import static io.strowger.core.resource.ResourceWords.json;
import static io.strowger.core.resource.ResourceWords.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.resource.DestinationTable.Change;
import io.strowger.spi.json.Json;
import io.strowger.tck.conformance.Proves;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Observability destinations")
class DestinationTableTest {
  private static final String HASH = "0123456789abcdef".repeat(4);

  private static Json.Obj hook(String member) {
    return json("{'name':'n','type':'webhook','config':{'url':'https://h/x'}," + member + "}");
  }

  private static Json.Obj destination(String type, String config) {
    return json("{'name':'n','type':'" + type + "','config':" + config + "}");
  }

  private static List<String> createProblems(String member) {
    return problems(DestinationTable::create, hook(member));
  }

  private static List<String> configProblems(String type, String config) {
    return problems(DestinationTable::create, destination(type, config));
  }

  private static Change update(String type, String body) {
    DestinationType known = DestinationType.find(type);
    return decode((b, problems) -> DestinationTable.update(b, known, problems), json(body));
  }

  private static List<String> updateProblems(@Nullable String type, String body) {
    DestinationType known = type == null ? null : DestinationType.find(type);
    return problems((b, problems) -> DestinationTable.update(b, known, problems), json(body));
  }

  @Test
  @DisplayName("that are stored without a member have the default that responses show for it")
  void stored() {
    assertThat(DestinationSelection.of(Json.Obj.EMPTY))
        .isEqualTo(new DestinationSelection(true, BigDecimal.ONE, null, null));
    assertThat(DestinationSelection.of(json("{'enabled':false}")).enabled()).isFalse();
  }

  @Nested
  @DisplayName("POST /observability/destinations")
  class Create {
    @Proves("resources.destination.create")
    @Test
    @DisplayName("needs a name, a type and a config; every other member has a default")
    void least() {
      DestinationCreate hook =
          decode(DestinationTable::create, destination("webhook", "{'url':'https://h/x'}"));
      assertThat(hook.workspaceId()).isNull();
      assertThat(hook.type()).isEqualTo(DestinationType.find("webhook"));
      assertThat(hook.config()).isEqualTo(json("{'url':'https://h/x','method':'POST'}"));
      assertThat(hook.values().members())
          .isEqualTo(
              json(
                  "{'name':'n','type':'webhook','enabled':true,'privacy_mode':false,"
                      + "'sampling_rate':1,'filter_rules':null,'api_key_hashes':null,"
                      + "'broadcast_generation_cost':false,'broadcast_generation_identity':false,"
                      + "'broadcast_generation_request_context':false}"));
      assertThat(hook.selection())
          .isEqualTo(new DestinationSelection(true, BigDecimal.ONE, null, null));
      assertThat(hook.disclosure()).isEqualTo(new Disclosure(false, false, false, false));
      assertThat(problems(DestinationTable::create, json("{}")))
          .containsExactly("/name: is required", "/type: is required", "/config: is required");
    }

    @Proves("resources.destination.create")
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "'enabled':null|/enabled: must be true or false, was null",
          "'privacy_mode':1|/privacy_mode: must be true or false, was 1",
          "'sampling_rate':null|/sampling_rate: must be a number from 0.0001 to 1, was null",
          "'sampling_rate':0.00009|/sampling_rate: must be a number from 0.0001 to 1, was 0.00009",
          "'sampling_rate':1.0001|/sampling_rate: must be a number from 0.0001 to 1, was 1.0001",
          "'sampling_rate':1e-999999999|/sampling_rate: must be a number from 0.0001 to 1, was"
              + " 1e-999999999",
          "'api_key_hashes':[]|/api_key_hashes: must have at least 1 item, was an array of 0",
          "'api_key_hashes':'x'|/api_key_hashes: must be an array, was \"x\"",
          "'filter_rules':[]|/filter_rules: must be an object, was an array of 0",
          "'workspace_id':null|/workspace_id: must be a string, was null",
          "'broadcast_generation_cost':null|/broadcast_generation_cost: must be true or false, was"
              + " null",
          "'broadcast_generation_identity':1|/broadcast_generation_identity: must be true or false,"
              + " was 1",
          "'broadcast_generation_request_context':1|/broadcast_generation_request_context: must be"
              + " true or false, was 1",
        })
    @DisplayName("refuses an invalid value of a member")
    void wrong(String member, String problem) {
      assertThat(createProblems(member)).containsExactly(problem);
    }

    @Proves("resources.destination.create")
    @Test
    @DisplayName(
        "accepts members at their bounds, and null keys and rules, which select all requests")
    void bounds() {
      assertThat(createProblems("'sampling_rate':0.0001,'api_key_hashes':['" + HASH + "']"))
          .isEmpty();
      assertThat(createProblems("'sampling_rate':1.0,'api_key_hashes':null,'filter_rules':null"))
          .isEmpty();
      assertThat(createProblems("'colour':'red','workspace_id':'w'")).isEmpty();
    }

    @Test
    @DisplayName("requires the hash of each key as 64 lower-case hex digits")
    void hashes() {
      for (String wrong : List.of(HASH.substring(1), HASH + "0", HASH.replace('a', 'A'), "")) {
        assertThat(createProblems("'api_key_hashes':['" + HASH + "','" + wrong + "']"))
            .singleElement()
            .asString()
            .startsWith(
                "/api_key_hashes/1: must be the hash of a key, 64 lower-case hex digits, was ");
      }
    }
  }

  @Nested
  @DisplayName("type and config")
  class Config {
    @Proves({"destination.type", "open.77"})
    @Test
    @DisplayName("there are seventeen types, and no other")
    void types() {
      assertThat(DestinationType.NAMES)
          .containsExactly(
              "arize",
              "braintrust",
              "clickhouse",
              "datadog",
              "grafana",
              "langfuse",
              "langsmith",
              "newrelic",
              "opik",
              "otel-collector",
              "posthog",
              "ramp",
              "s3",
              "sentry",
              "snowflake",
              "weave",
              "webhook");
      assertThat(configProblems("bigquery", "{}"))
          .containsExactly(
              "/type: must be one of "
                  + String.join(", ", DestinationType.NAMES)
                  + ", was \"bigquery\"");
    }

    @Proves("resources.destination-type.*")
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "arize|apiKey spaceKey modelId",
          "braintrust|apiKey projectId",
          "clickhouse|host database username password",
          "datadog|apiKey mlApp",
          "grafana|apiKey instanceId",
          "langfuse|secretKey publicKey",
          "langsmith|apiKey",
          "newrelic|licenseKey",
          "opik|apiKey workspace projectName",
          "otel-collector|endpoint",
          "posthog|apiKey",
          "ramp|apiKey",
          "s3|bucketName accessKeyId secretAccessKey",
          "sentry|otlpEndpoint dsn",
          "snowflake|account token",
          "weave|apiKey entity project",
          "webhook|url",
        })
    @DisplayName("each type has its required members")
    void required(String type, String members) {
      assertThat(configProblems(type, "{}"))
          .containsExactlyElementsOf(
              List.of(members.split(" ")).stream()
                  .map(name -> "/config/" + name + ": is required")
                  .toList());
    }

    @Proves("resources.destination-type.*")
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "arize|{'baseUrl':'https://otlp.arize.com'}",
          "braintrust|{'baseUrl':'https://api.braintrust.dev'}",
          "clickhouse|{'table':'ROUTER_TRACES'}",
          "datadog|{'url':'https://api.us5.datadoghq.com'}",
          "grafana|{'baseUrl':'https://otlp-gateway-prod-us-west-0.grafana.net'}",
          "langfuse|{'baseUrl':'https://us.cloud.langfuse.com'}",
          "langsmith|{'endpoint':'https://api.smith.langchain.com','project':'main'}",
          "newrelic|{'region':'us'}",
          "opik|{}",
          "otel-collector|{}",
          "posthog|{'endpoint':'https://us.i.posthog.com'}",
          "ramp|{}",
          "s3|{'prefix':'router-traces','pathTemplate':'{prefix}/{date}'}",
          "sentry|{}",
          "snowflake|{'database':'SNOWFLAKE_LEARNING_DB','schema':'PUBLIC',"
              + "'table':'ROUTER_TRACES','warehouse':'COMPUTE_WH'}",
          "weave|{'baseUrl':'https://trace.wandb.ai'}",
          "webhook|{'method':'POST'}",
        })
    @DisplayName("each type has its default values")
    void fallbacks(String type, String defaults) {
      DestinationType known = Objects.requireNonNull(DestinationType.find(type));
      assertThat(known.withDefaults(Json.Obj.EMPTY)).isEqualTo(json(defaults));
      Json.Obj own = json(defaults.replaceAll(":'[^']*'", ":'own'"));
      assertThat(known.withDefaults(own)).isEqualTo(own);
      assertThat(known.withDefaults(own.with("session_token", Json.of("s")))).isEqualTo(own);
    }

    @Proves({"resources.destination-type.newrelic", "resources.destination-type.sentry"})
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "webhook|{'url':'ftp://h'}|/config/url: must be an absolute http or https URL",
          "webhook|{'url':'/x'}|/config/url: must be an absolute http or https URL",
          "webhook|{'url':'https://'}|/config/url: must be an absolute http or https URL",
          "webhook|{'url':'https://a b'}|/config/url: must be an absolute http or https URL",
          "webhook|{'url':''}|/config/url: must be a string, not empty",
          "webhook|{'url':null}|/config/url: must be a string, not empty",
          "webhook|{'url':'http://h','method':'GET'}|/config/method: must be one of POST, PUT, was"
              + " \"GET\"",
          "newrelic|{'licenseKey':'k','region':'US'}|/config/region: must be one of us, eu, was"
              + " \"US\"",
          "opik|{'apiKey':5,'workspace':'w','projectName':'p'}|/config/apiKey: must be a string,"
              + " not empty",
          "opik|{'apiKey':'  ','workspace':'w','projectName':'p'}|/config/apiKey: must be text that"
              + " is not blank",
          "sentry|{'otlpEndpoint':'http://h','dsn':'https://h/5'}|/config/dsn: must be a URL as"
              + " https://<public key>@<host>/<project number>",
          "sentry|{'otlpEndpoint':'http://h','dsn':'https://key@h/x'}|/config/dsn: must be a URL as"
              + " https://<public key>@<host>/<project number>",
          "webhook|'s3cr3t'|/config: must be an object",
          "webhook|{'url':'http://h','headers':[]}|/config/headers: must be an object",
          "webhook|{'url':'http://h','headers':{'A':1}}|/config/headers/A: must be a string",
          "webhook|{'url':'http://h','headers':{'A':'b\\r\\nC: d'}}|/config/headers/A: must be the"
              + " text of a header, without control characters",
          "webhook|{'url':'http://h','headers':{'a b':'c'}}|/config/headers: must have valid"
              + " names of headers only",
          "webhook|{'url':'http://h','headers':'Authorization: s3cr3t'}|/config/headers: must be an"
              + " object",
          "webhook|{'url':'http://h','headers':{'Authorization: s3cr3t':''}}|/config/headers: must"
              + " have valid names of headers only",
        })
    @DisplayName("a malformed member is refused without showing a secret")
    void wrong(String type, String config, String problem) {
      assertThat(configProblems(type, config)).containsExactly(problem);
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "webhook|{'url':'HTTP://collector_1:4318/v1?k=v','method':'PUT'}",
          "webhook|{'url':'https://h','headers':{},'colour':5}",
          "webhook|{'url':'https://h','headers':{'Authorization':'Bearer x','X-Y':''}}",
          "sentry|{'otlpEndpoint':'https://h','dsn':'https://k:s@h.example:9000/path/42'}",
          "clickhouse|{'host':'h:9000','database':'d','username':'u','password':'p','table':'t'}",
          "clickhouse|{'host':'h:9000','database':'d','username':'default','password':''}",
          "s3|{'bucketName':'b','accessKeyId':'a','secretAccessKey':'s','prefix':'',"
              + "'pathTemplate':''}",
        })
    @DisplayName("a valid config is accepted, even with unknown members")
    void right(String type, String config) {
      assertThat(configProblems(type, config)).isEmpty();
    }
  }

  @Nested
  @DisplayName("PATCH /observability/destinations/{id}")
  class Update {
    @Test
    @DisplayName(
        "sets the members it names, clears null rules and keys, and leaves the other members")
    void patches() {
      Change update =
          update("webhook", "{'filter_rules':null,'api_key_hashes':null,'enabled':false,'id':5}");
      assertThat(update.values().members())
          .isEqualTo(json("{'enabled':false,'filter_rules':null,'api_key_hashes':null}"));
      assertThat(update.config()).isEqualTo(Json.Obj.EMPTY);
      assertThat(updateProblems("webhook", "{}")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "name",
          "config",
          "enabled",
          "privacy_mode",
          "sampling_rate",
          "broadcast_generation_cost",
          "broadcast_generation_identity",
          "broadcast_generation_request_context",
        })
    @DisplayName("refuses null for every other member")
    void nulls(String member) {
      assertThat(updateProblems("webhook", "{'" + member + "':null}"))
          .singleElement()
          .asString()
          .startsWith("/" + member + ": must be ");
    }

    @Test
    @DisplayName("changes single members of the config by the rules of the destination's type")
    void config() {
      assertThat(update("opik", "{'config':{'workspace':'w'}}").config())
          .isEqualTo(json("{'workspace':'w'}"));
      assertThat(updateProblems("webhook", "{'config':{'url':'h'}}"))
          .containsExactly("/config/url: must be an absolute http or https URL");
      assertThat(updateProblems("opik", "{'config':{'workspace':null}}"))
          .containsExactly("/config/workspace: must be a string, not empty, was null");
    }

    @Proves({"resources.destination.patch", "open.76"})
    @Test
    @DisplayName("keeps a secret that is sent back masked")
    void masked() {
      Change update =
          update(
              "clickhouse",
              "{'config':{'password':'***','username':'***','host':'abcd...wxyz',"
                  + "'headers':{'A':'Bear...oken','B':'new'}}}");
      assertThat(update.config())
          .isEqualTo(
              json(
                  "{'username':'***','host':'abcd...wxyz',"
                      + "'headers':{'A':'Bear...oken','B':'new'}}"));
      DestinationType type = Objects.requireNonNull(DestinationType.find("clickhouse"));
      assertThat(
              type.merge(
                  json("{'host':'h','headers':{'A':'Bearer token','C':'old'}}"), update.config()))
          .isEqualTo(
              json(
                  "{'host':'abcd...wxyz','headers':{'A':'Bearer token','B':'new'},"
                      + "'username':'***','table':'ROUTER_TRACES'}"));
      assertThat(update("arize", "{'config':{'apiKey':'abcd...wxyz'}}").config())
          .isEqualTo(Json.Obj.EMPTY);
      assertThat(update("arize", "{'config':{'apiKey':'abcd...wxyzz'}}").config().size())
          .isEqualTo(1);
    }

    @Test
    @DisplayName("of an unknown destination is checked only by the rules that all types share")
    void unknown() {
      assertThat(updateProblems(null, "{'config':{'url':5}}")).isEmpty();
      assertThat(updateProblems(null, "{'config':{'headers':5},'enabled':1}"))
          .containsExactlyInAnyOrder(
              "/config/headers: must be an object", "/enabled: must be true or false, was 1");
    }
  }

  @Nested
  @DisplayName("Secrets")
  class Secrets {
    @Proves({"destination.config", "authentication.5", "open.76"})
    @Test
    @DisplayName("show four characters at each end if they are long, and none if they are short")
    void mask() {
      DestinationType type = Objects.requireNonNull(DestinationType.find("arize"));
      Json.Obj config =
          json(
              "{'apiKey':'abcdefghijkl','spaceKey':'abcdefghijk','modelId':'m',"
                  + "'headers':{'Authorization':'Bearer 12345'}}");
      assertThat(type.mask(config))
          .isEqualTo(
              json(
                  "{'apiKey':'abcd...ijkl','spaceKey':'***','modelId':'m',"
                      + "'headers':{'Authorization':'Bear...2345'}}"));
    }
  }
}
