package io.strowger.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.attempt.Deadlines;
import io.strowger.core.attempt.EndlessSleepAmbient;
import io.strowger.core.authentication.Caller;
import io.strowger.core.config.ByokKeys;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.Plugins;
import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.core.dialect.messages.MessagesDecoder;
import io.strowger.core.dialect.responses.ResponsesDecoder;
import io.strowger.core.health.Health;
import io.strowger.core.health.HealthPolicy;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.ledger.Payer;
import io.strowger.core.meter.PromptSize;
import io.strowger.core.plan.Planner;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.core.registry.PreparedPlugins;
import io.strowger.core.routing.ByokKeyRef;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.core.routing.ServiceTier;
import io.strowger.core.routing.UnknownPart;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderSort;
import io.strowger.spi.store.KeyId;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.conformance.Proves;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The routing query of a request")
class RoutingQueryFactoryTest {
  private static final PluginRegistry NO_PLUGINS = PluginRegistry.of(Plugins.none());
  private static final String MESSAGES = "'messages':[{'role':'user','content':'hi'}]";

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final Health health = new Health(new EndlessSleepAmbient(ambient), HealthPolicy.STANDARD);

  @AfterEach
  void stop() {
    health.close();
    ambient.assertNoThreadsLeft();
  }

  private static Json.Obj json(String text) {
    try {
      byte[] bytes = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
      return (Json.Obj) new JacksonCodec().parse(bytes);
    } catch (MalformedJsonException e) {
      throw new AssertionError(text, e);
    }
  }

  private static GatewayConfig config(String more) {
    String file =
        """
        {'providers': [
           {'slug': 'a', 'protocol': 'openai-chat', 'base_url': 'http://127.0.0.1:1',
            'data_policy': {'retains_prompts': false, 'trains_on_prompts': false}},
           {'slug': 'b', 'protocol': 'openai-chat', 'base_url': 'http://127.0.0.1:2',
            'data_policy': {'retains_prompts': true, 'trains_on_prompts': false}},
           {'slug': 'c', 'protocol': 'openai-chat', 'base_url': 'http://127.0.0.1:3',
            'data_policy': {'retains_prompts': true, 'trains_on_prompts': false}}],
         'models': [{'id': 'acme/large',
           'endpoints': [{'provider': 'a'}, {'provider': 'b'}, {'provider': 'c'}]}]%s}
        """
            .formatted(more.isEmpty() ? "" : ", " + more);
    return ConfigReader.standard().read(json(file)).orThrow();
  }

  private Snapshot snapshot(GatewayConfig config) {
    var catalog = config.catalog();
    return new Snapshot(
        catalog,
        PluginRegistry.of(Plugins.none()),
        PreparedPlugins.NONE,
        new Planner(catalog),
        health.healthOf(catalog),
        (provider, key) -> null,
        new Deadlines(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(1)),
        new AccountPolicy(
            CallerRules.of(config.account(), catalog),
            config.byokKeys(),
            ByokKeys.NONE,
            config.account().defaultModel(),
            1000,
            null));
  }

  private static InferenceRequest chat(String members) {
    var problems = new Problems();
    String body =
        "{'model':'acme/large'," + MESSAGES + (members.isEmpty() ? "" : "," + members) + "}";
    InferenceRequest request = new ChatDecoder(NO_PLUGINS).decode(json(body), problems);
    assertThat(problems.list()).isEmpty();
    return request;
  }

  private static InferenceRequest messages(String members) {
    var problems = new Problems();
    String body = "{'model':'acme/large','max_tokens':9," + MESSAGES + "," + members + "}";
    InferenceRequest request = new MessagesDecoder(NO_PLUGINS).decode(json(body), problems);
    assertThat(problems.list()).isEmpty();
    return request;
  }

  private static InferenceRequest messages(String members, String conversation) {
    var problems = new Problems();
    String body =
        "{'model':'acme/large','max_tokens':9," + members + ",'messages':[" + conversation + "]}";
    InferenceRequest request = new MessagesDecoder(NO_PLUGINS).decode(json(body), problems);
    assertThat(problems.list()).isEmpty();
    return request;
  }

  private RoutingQuery queryFor(
      GatewayConfig config, InferenceRequest request, @Nullable Caller caller) {
    Snapshot snapshot = snapshot(config);
    List<ModelRef> models = RoutingQueryFactory.models(request, snapshot.accountPolicy(), caller);
    return RoutingQueryFactory.of(request, models, PromptSize.of(request), snapshot, caller)
        .at(Instant.EPOCH)
        .seed(1)
        .build();
  }

  private static Caller caller(KeyId key) {
    return new Caller(key, "app", false, List.of(Payer.account(List.of())));
  }

  private RoutingQuery queryFor(InferenceRequest request) {
    return queryFor(config(""), request, null);
  }

  private List<String> providers(String account, String members) {
    GatewayConfig config = config("'account':{" + account + "}");
    RoutePlan plan = new Planner(config.catalog()).plan(queryFor(config, chat(members), null));
    return plan instanceof RoutePlan.Attempts attempts
        ? attempts.candidates().stream()
            .map(candidate -> candidate.endpoint().provider().slug())
            .sorted()
            .toList()
        : List.of();
  }

  @Nested
  @DisplayName("for the order of endpoints")
  class Order {
    @Proves({"chat.route", "version.3", "routing.sort.route", "chat.member.route"})
    @Test
    @DisplayName("takes the partition from the older member route, unless sort states it")
    void route() {
      assertThat(queryFor(chat("'route':'sort'")).preferences().sort().partition())
          .isEqualTo(ProviderSort.Partition.NONE);
      assertThat(queryFor(chat("'route':'fallback'")).preferences().sort().partition())
          .isEqualTo(ProviderSort.Partition.MODEL);
      assertThat(queryFor(chat("'route':null")).preferences().sort().partition())
          .isEqualTo(ProviderSort.Partition.MODEL);
      assertThat(
              queryFor(
                      chat("'route':'sort','provider':{'sort':{'by':'price','partition':'model'}}"))
                  .preferences()
                  .sort()
                  .partition())
          .isEqualTo(ProviderSort.Partition.MODEL);
      assertThat(
              queryFor(chat("'route':'sort','provider':{'sort':null}"))
                  .preferences()
                  .sort()
                  .partition())
          .isEqualTo(ProviderSort.Partition.NONE);
    }

    @Proves({"chat.service_tier", "chat.member.service_tier", "open.43"})
    @ParameterizedTest(name = "{0}")
    @CsvSource({
      "priority, PRIORITY",
      "fast, PRIORITY",
      "flex, FLEX",
      "default, DEFAULT",
      "auto, UNSET",
      "scale, UNSET"
    })
    @DisplayName("maps the service tiers of chat")
    void tiers(String word, ServiceTier tier) {
      assertThat(queryFor(chat("'service_tier':'" + word + "'")).tier()).isEqualTo(tier);
    }

    @Proves({"operation.messages.route", "routing.sort.route"})
    @ParameterizedTest(name = "{0}")
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '~',
        textBlock =
            """
            'route':'sort','provider':{'sort':'throughput'}                          | NONE
            'route':'sort','provider':{'sort':{'by':'price'}}                        | NONE
            'route':'sort','provider':{'sort':{'by':'price','partition':null}}       | NONE
            'route':'sort','provider':{'sort':{'by':'price','partition':'model'}}    | MODEL
            'route':'fallback','provider':{'sort':{'by':'price','partition':'none'}} | NONE
            'route':'fallback','provider':{'sort':'price'}                           | MODEL
            """)
    @DisplayName("prefers to route only a partition that sort states explicitly, in every dialect")
    void routeBesideSort(String members, ProviderSort.Partition partition) {
      assertThat(queryFor(chat(members)).preferences().sort().partition()).isEqualTo(partition);
      assertThat(queryFor(messages(members)).preferences().sort().partition()).isEqualTo(partition);
      assertThat(queryFor(chat(members)).preferences().sort().by())
          .isEqualTo(queryFor(messages(members)).preferences().sort().by())
          .isNotNull();
    }

    @Proves({"operation.messages.speed", "messages.name.speed"})
    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource({
      "auto, fast, PRIORITY",
      "auto, standard, UNSET",
      "standard_only, fast, DEFAULT",
      "standard_only, standard, DEFAULT"
    })
    @DisplayName("maps the service tier and the speed of messages")
    void speeds(String word, String speed, ServiceTier tier) {
      String members = "'service_tier':'%s','speed':'%s'".formatted(word, speed);
      assertThat(queryFor(messages(members)).tier()).isEqualTo(tier);
    }
  }

  @Test
  @DisplayName("asks for text output, unless the request asks for other modalities")
  void modalities() {
    assertThat(queryFor(chat("")).outputModalities()).isEqualTo(Modality.TEXT.bit());
    assertThat(queryFor(chat("'modalities':['text','image']")).outputModalities())
        .isEqualTo(Modality.TEXT.bit() | Modality.IMAGE.bit());
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      nullValues = "-",
      textBlock =
"""
'seed':1                                  | -
'reasoning':{}                            | -
'reasoning':{'effort':'low'}              | -
'include_reasoning':false                 | -
'reasoning':{'effort':'none'}             | reasoning
'reasoning':{'enabled':false}             | reasoning
'reasoning':{'max_tokens':0}              | reasoning
'reasoning_effort':'none'                 | reasoning_effort
'reasoning':{},'reasoning_effort':'none'  | reasoning_effort
""")
  @DisplayName("names the member that turns reasoning off")
  void reasoningOff(String members, @Nullable String member) {
    assertThat(queryFor(chat(members)).reasoningOffMember()).isEqualTo(member);
  }

  @Test
  @DisplayName("names thinking as the member of messages that turns reasoning off")
  void thinkingOff() {
    assertThat(queryFor(messages("'thinking':{'type':'disabled'}")).reasoningOffMember())
        .isEqualTo("thinking");
    assertThat(queryFor(messages("'thinking':{'type':'adaptive'}")).reasoningOffMember()).isNull();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      nullValues = "-",
      textBlock =
          """
          {'type':'text','text':'x'}                                  | -                     | -
          {'type':'compaction','content':'x'}                         | -                     | -
          {'type':'server_tool_use','id':'i','name':'n'}              | -                     | -
          {'type':'code_execution_tool_result','content':{}}          | -                     | -
          {'type':'tool_resutl','tool_use_id':'i','content':'x'}      | /messages/1/content/1 | tool_resutl
          {'type':'two words','x':1}                                  | /messages/1/content/1 | ~~
          {'type':'tool_result','tool_use_id':'i','content':[{'type':'imgae'}]} | /messages/1/content/1/content/0 | imgae
          """)
  @DisplayName("names a messages block of unknown type")
  void unknownBlock(String block, @Nullable String at, @Nullable String type) {
    InferenceRequest request =
        messages(
            "'models':['acme/large'],'x':0",
            "{'role':'user','content':'hi'},{'role':'user','content':[{'type':'text','text':'a'},"
                + block
                + "]}");
    UnknownPart part = queryFor(request).unknownPart();
    assertThat(part)
        .isEqualTo(
            at == null || type == null
                ? null
                : new UnknownPart("anthropic-messages", JsonPointer.parse(at), type));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      nullValues = "-",
      textBlock =
          """
          {'type':'function_call_output','call_id':'c','output':'x'} | -        | -
          {'type':'item_reference','id':'i'}                         | -        | -
          {'type':'function_call_outptu','call_id':'c','output':'x'} | /input/1 | function_call_outptu
          {'role':'user','content':[{'type':'input_txet'}]}          | /input/1/content/0 | input_txet
          {'type':'function_call_output','call_id':'c','output':[{'type':'input_txet'}]} | /input/1/output/0 | input_txet
          """)
  @DisplayName("names a responses item or part of unknown type")
  void unknownItem(String item, @Nullable String at, @Nullable String type) {
    var problems = new Problems();
    InferenceRequest request =
        new ResponsesDecoder(NO_PLUGINS)
            .decode(
                json(
                    "{'model':'acme/large','input':[{'role':'user','content':'hi'}," + item + "]}"),
                problems);
    assertThat(problems.list()).isEmpty();
    UnknownPart part = queryFor(request).unknownPart();
    assertThat(part)
        .isEqualTo(
            at == null || type == null
                ? null
                : new UnknownPart("openai-responses", JsonPointer.parse(at), type));
  }

  @Proves({"routing.fallback.default-model", "chat.member.model"})
  @Test
  @DisplayName(
      "is for the account's default model when the request names none, and contains no prompt")
  void defaultModel() {
    var problems = new Problems();
    InferenceRequest withoutModel =
        new ChatDecoder(NO_PLUGINS).decode(json("{" + MESSAGES + "}"), problems);
    RoutingQuery query =
        queryFor(config("'account':{'default_model':'acme/large'}"), withoutModel, null);
    assertThat(query.models()).extracting(Object::toString).containsExactly("acme/large");
    assertThat(query.toJson().toString()).doesNotContain("\"hi\"");
  }

  @Nested
  @DisplayName("contains the rules of the account and its guardrails,")
  class Account {
    @Proves({"routing.lists.ON-1", "routing.lists.ON-2"})
    @Test
    @DisplayName("whose allowed providers the request can only narrow (ON-1, ON-2)")
    void allowed() {
      String two =
          "'allowed_providers':['a','b'],'guardrails':[{'name':'g','allowed_providers':['b','c']}]";
      assertThat(providers(two, "")).containsExactly("b");
      assertThat(providers("'allowed_providers':['a','b']", "'provider':{'only':['b']}"))
          .containsExactly("b");
      assertThat(providers("'allowed_providers':['a']", "'provider':{'only':['b']}")).isEmpty();
    }

    @Proves("routing.lists.IG-1")
    @Test
    @DisplayName("whose ignored providers are added to those of the request (IG-1)")
    void ignored() {
      assertThat(
              providers(
                  "'guardrails':[{'name':'g','ignored_providers':['a']}]",
                  "'provider':{'ignore':['b']}"))
          .containsExactly("c");
    }

    @Proves("routing.lists.ZD-1")
    @Test
    @DisplayName("whose rule against retention no request can lift (ZD-1)")
    void zdr() {
      String guardrail = "'guardrails':[{'name':'g','enforce_zdr':true}]";
      assertThat(providers(guardrail, "'provider':{'zdr':false}")).containsExactly("a");
      assertThat(providers("'default_sort':'price'", "'provider':{'zdr':false}"))
          .containsExactly("a", "b", "c");
    }
  }

  @Test
  @DisplayName("offers a BYOK key only to the callers it is for")
  void keys() {
    var named = new KeyId(0, 0, 0, 1);
    GatewayConfig config =
        config(
            "'byok_keys':[{'id':'all','provider':'a','key':'x'},{'id':'one','provider':'a',"
                + "'key':'y','allowed_api_key_hashes':['%s']}]".formatted(named.hex()));
    assertThat(queryFor(config, chat(""), caller(named)).byokKeys())
        .extracting(ByokKeyRef::id)
        .containsExactly("all", "one");
    assertThat(queryFor(config, chat(""), caller(new KeyId(0, 0, 0, 2))).byokKeys())
        .extracting(ByokKeyRef::id)
        .containsExactly("all");
    RoutingQuery anonymous = queryFor(config, chat(""), null);
    assertThat(anonymous.byokKeys()).extracting(ByokKeyRef::id).containsExactly("all");
    assertThat(anonymous.toJson().toString()).doesNotContain("\"x\"", "\"y\"");
  }
}
