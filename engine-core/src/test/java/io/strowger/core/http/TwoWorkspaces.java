package io.strowger.core.http;

import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.destination.PlainExporters;
import io.strowger.core.destination.ScriptedTransport;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.tck.ScriptedProvider;
import io.strowger.tck.Step;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A gateway with two workspaces, and a table of all operations. An operation without an entry in
 * the table fails the tests, so that nobody adds one without saying what it may show.
 */
final class TwoWorkspaces implements AutoCloseable {
  static final String ADMIN = "sk-admin-0123456789";
  private static final String UNKNOWN_UUID = "99999999-9999-4999-8999-999999999999";
  private static final String UNKNOWN_HASH = "9".repeat(64);
  private static final String MESSAGES = "'messages':[{'role':'user','content':'hi'}]";

  /** What an operation may show to a key that is no management key. */
  enum Reach {
    /** What belongs to the key's workspace; anything else is 404, whether it exists or not. */
    WORKSPACE,
    /** Nothing: 403, whether what is named exists or not. */
    MANAGEMENT,
    /** What the catalog has, which is the same for every key. */
    CATALOG,
    /** The record of the caller's own key. */
    OWN_KEY,
    /** An inference request, which can name only presets; they must be of the key's workspace. */
    INFERENCE,
    /** There is nothing to show. */
    NOTHING
  }

  /**
   * How an operation is requested. {@code $} stands for a resource of the other workspace.
   *
   * @param resourceName the resource that {@code $} stands for, as its key in {@link #resources};
   *     null if there is no {@code $}
   */
  record Entry(
      Reach reach, String method, String path, String body, @Nullable String resourceName) {}

  private static final Map<Operation, Entry> TABLE = new EnumMap<>(Operation.class);

  private static void entry(
      Operation operation, Reach reach, String line, @Nullable String resourceName) {
    String[] words = line.split(" ", 3);
    String body = words.length < 3 ? "" : words[2];
    TABLE.put(operation, new Entry(reach, words[0], words[1], body, resourceName));
  }

  private static void management(Operation operation, String line, @Nullable String resourceName) {
    entry(operation, Reach.MANAGEMENT, line, resourceName);
  }

  static {
    entry(Operation.HEALTH, Reach.NOTHING, "GET /health", null);
    String preset = " {'model':'@preset/$'," + MESSAGES + "}";
    entry(Operation.CHAT, Reach.INFERENCE, "POST /chat/completions" + preset, "preset");
    entry(
        Operation.MESSAGES,
        Reach.INFERENCE,
        "POST /messages {'model':'@preset/$','max_tokens':16," + MESSAGES + "}",
        "preset");
    entry(
        Operation.COUNT_TOKENS,
        Reach.INFERENCE,
        "POST /messages/count_tokens {'model':'@preset/$'," + MESSAGES + "}",
        "preset");
    entry(
        Operation.RESPONSES,
        Reach.INFERENCE,
        "POST /responses {'model':'@preset/$','input':'hi'}",
        "preset");
    entry(Operation.EMBEDDINGS, Reach.CATALOG, "POST /embeddings {'model':'m','input':'x'}", null);
    entry(
        Operation.SPEECH,
        Reach.CATALOG,
        "POST /audio/speech {'model':'m','input':'x','voice':'v'}",
        null);
    entry(
        Operation.RERANK,
        Reach.CATALOG,
        "POST /rerank {'model':'m','query':'q','documents':['d']}",
        null);
    entry(Operation.IMAGES, Reach.CATALOG, "POST /images {'model':'m','prompt':'p'}", null);
    entry(
        Operation.TRANSCRIPTIONS,
        Reach.CATALOG,
        "POST /audio/transcriptions {'model':'m','input_audio':{'data':'AAAA','format':'wav'}}",
        null);
    entry(
        Operation.CREATE_BATCH,
        Reach.CATALOG,
        "POST /batches {'endpoint':'/v1/chat/completions','model':'no/such','requests':["
            + "{'custom_id':'a','body':{"
            + MESSAGES
            + "}}]}",
        null);
    entry(Operation.LIST_BATCHES, Reach.WORKSPACE, "GET /batches", null);
    entry(Operation.GET_BATCH, Reach.WORKSPACE, "GET /batches/$", "batch");
    entry(Operation.DELETE_BATCH, Reach.WORKSPACE, "DELETE /batches/$", "batch");
    management(Operation.CREATE_KEY, "POST /keys {'name':'n','workspace_id':'$'}", "workspace");
    management(Operation.LIST_KEYS, "GET /keys?workspace_id=$", "workspace");
    management(Operation.GET_KEY, "GET /keys/$", "key");
    management(Operation.UPDATE_KEY, "PATCH /keys/$ {'name':'x'}", "key");
    management(Operation.DELETE_KEY, "DELETE /keys/$", "key");
    management(Operation.ROTATE_KEY, "POST /keys/$/rotate {}", "key");
    entry(Operation.CURRENT_KEY, Reach.OWN_KEY, "GET /key", null);
    management(Operation.CREATE_BYOK_KEY, "POST /byok {'provider':'alpha','key':'k'}", null);
    management(Operation.LIST_BYOK_KEYS, "GET /byok?workspace_id=$", "workspace");
    management(Operation.GET_BYOK_KEY, "GET /byok/$", "byok");
    management(Operation.UPDATE_BYOK_KEY, "PATCH /byok/$ {'name':'x'}", "byok");
    management(Operation.DELETE_BYOK_KEY, "DELETE /byok/$", "byok");
    management(Operation.LIST_AUDIT_LOG, "GET /audit-log?workspace_id=$", "workspace");
    management(Operation.CREDITS, "GET /credits", null);
    management(Operation.LIST_MEMBERS, "GET /organization/members", null);
    guardrails();
    workspaces();
    presets();
    reading();
    entry(Operation.OPTIONS, Reach.NOTHING, "OPTIONS /keys", null);
    entry(Operation.OTHER_METHOD, Reach.NOTHING, "PUT /keys", null);
    entry(Operation.UNKNOWN_PATH, Reach.NOTHING, "GET /no/such/path", null);
  }

  private static void guardrails() {
    management(Operation.CREATE_GUARDRAIL, "POST /guardrails {'name':'g'}", null);
    management(Operation.LIST_GUARDRAILS, "GET /guardrails?workspace_id=$", "workspace");
    management(Operation.GET_GUARDRAIL, "GET /guardrails/$", "guardrail");
    management(Operation.UPDATE_GUARDRAIL, "PATCH /guardrails/$ {'name':'h'}", "guardrail");
    management(Operation.DELETE_GUARDRAIL, "DELETE /guardrails/$", "guardrail");
    String assignments = "/guardrails/$/assignments";
    management(Operation.LIST_KEY_ASSIGNMENTS, "GET " + assignments + "/keys", "guardrail");
    management(
        Operation.ASSIGN_KEYS, "POST " + assignments + "/keys {'key_hashes':['APP']}", "guardrail");
    management(
        Operation.UNASSIGN_KEYS,
        "POST " + assignments + "/keys/remove {'key_hashes':['APP']}",
        "guardrail");
    management(Operation.LIST_MEMBER_ASSIGNMENTS, "GET " + assignments + "/members", "guardrail");
    management(
        Operation.ASSIGN_MEMBERS,
        "POST " + assignments + "/members {'member_user_ids':['u']}",
        "guardrail");
    management(
        Operation.UNASSIGN_MEMBERS,
        "POST " + assignments + "/members/remove {'member_user_ids':['u']}",
        "guardrail");
  }

  private static void workspaces() {
    management(Operation.CREATE_WORKSPACE, "POST /workspaces {'name':'n','slug':'n'}", null);
    management(Operation.LIST_WORKSPACES, "GET /workspaces", null);
    management(Operation.GET_WORKSPACE, "GET /workspaces/$", "workspace");
    management(Operation.UPDATE_WORKSPACE, "PATCH /workspaces/$ {'name':'x'}", "workspace");
    management(Operation.DELETE_WORKSPACE, "DELETE /workspaces/$", "workspace");
    management(Operation.LIST_BUDGETS, "GET /workspaces/$/budgets", "workspace");
    management(
        Operation.SET_BUDGET, "PUT /workspaces/$/budgets/daily {'limit_usd':1}", "workspace");
    management(Operation.DELETE_BUDGET, "DELETE /workspaces/$/budgets/daily", "workspace");
    String destinations = "/observability/destinations";
    management(
        Operation.CREATE_DESTINATION,
        "POST " + destinations + " {'name':'d','type':'webhook','config':{'url':'https://x.test'}}",
        null);
    management(Operation.LIST_DESTINATIONS, "GET " + destinations + "?workspace_id=$", "workspace");
    String destination = destinations + "/$";
    management(Operation.GET_DESTINATION, "GET " + destination, "destination");
    management(
        Operation.UPDATE_DESTINATION, "PATCH " + destination + " {'name':'x'}", "destination");
    management(Operation.DELETE_DESTINATION, "DELETE " + destination, "destination");
    management(Operation.TEST_DESTINATION, "POST " + destination + "/test", "destination");
  }

  private static void presets() {
    String body = " {'model':'acme/one'," + MESSAGES + "}";
    management(Operation.PRESET_FROM_CHAT, "POST /presets/$/chat/completions" + body, "preset");
    management(
        Operation.PRESET_FROM_MESSAGES,
        "POST /presets/$/messages {'model':'acme/one','max_tokens':5," + MESSAGES + "}",
        "preset");
    management(
        Operation.PRESET_FROM_RESPONSES,
        "POST /presets/$/responses {'model':'acme/one','input':'hi'}",
        "preset");
    entry(Operation.LIST_PRESETS, Reach.WORKSPACE, "GET /presets", null);
    entry(Operation.GET_PRESET, Reach.WORKSPACE, "GET /presets/$", "preset");
    entry(Operation.LIST_PRESET_VERSIONS, Reach.WORKSPACE, "GET /presets/$/versions", "preset");
    entry(Operation.GET_PRESET_VERSION, Reach.WORKSPACE, "GET /presets/$/versions/1", "preset");
  }

  private static void reading() {
    entry(Operation.GET_GENERATION, Reach.WORKSPACE, "GET /generation?id=$", "generation");
    entry(
        Operation.GET_GENERATION_CONTENT,
        Reach.WORKSPACE,
        "GET /generation/content?id=$",
        "generation");
    management(
        Operation.SEND_FEEDBACK,
        "POST /generation/feedback {'generation_id':'$','category':'other'}",
        "generation");
    entry(Operation.LIST_MODELS, Reach.CATALOG, "GET /models", null);
    entry(Operation.COUNT_MODELS, Reach.CATALOG, "GET /models/count", null);
    entry(Operation.LIST_USABLE_MODELS, Reach.CATALOG, "GET /models/user", null);
    entry(Operation.GET_MODEL, Reach.CATALOG, "GET /model/acme/one", null);
    entry(Operation.LIST_MODEL_ENDPOINTS, Reach.CATALOG, "GET /models/acme/one/endpoints", null);
    entry(Operation.LIST_PROVIDERS, Reach.CATALOG, "GET /providers", null);
    entry(Operation.LIST_ZDR_ENDPOINTS, Reach.CATALOG, "GET /endpoints/zdr", null);
  }

  final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final Gateway gateway = gateway();
  final Map<String, String> resources =
      new HashMap<>(); // the ids of one workspace's resources, by name
  final String insideKey; // a key of that workspace
  final String outsideKey; // a key of the other workspace

  private Gateway gateway() {
    String config =
        """
        { 'providers': [ { 'slug': 'alpha', 'protocol': 'openai-chat', 'base_url': 'http://a.test' } ],
          'models': [ { 'id': 'acme/one', 'endpoints': [ { 'provider': 'alpha' } ] } ],
          'account': { 'io_logging': true },
          'store': { 'secret_key': '%s' },
          'keys': [ { 'name': 'admin', 'key': 'sk-admin-0123456789', 'management': true } ] }
        """;
    return Gateway.builder(
            ConfigReader.standard()
                .read(
                    config
                        .formatted(Base64.getEncoder().encodeToString(new byte[32]))
                        .replace('\'', '"')
                        .getBytes(StandardCharsets.UTF_8))
                .orThrow())
        .provider(
            new ProviderFactory() {
              @Override
              public String protocol() {
                return "openai-chat";
              }

              @Override
              public ChatProvider create(ProviderSettings settings) {
                return new ScriptedProvider(ambient)
                    .always(call -> List.of(Step.text("hello"), Step.usage(1, 1), Step.finished()));
              }
            })
        .destinations(new ScriptedTransport(), List.of(new PlainExporters()))
        .ambient(ambient)
        .build();
  }

  TwoWorkspaces() {
    String home = create("/workspaces", "{'name':'A','slug':'a'}", "id");
    String other = create("/workspaces", "{'name':'B','slug':'b'}", "id");
    Json.Obj key =
        json(send(ADMIN, "POST", "/keys", "{'name':'ka','workspace_id':'" + home + "'}"));
    insideKey = Objects.requireNonNull(key.text("key"));
    Json.Obj otherKey =
        json(send(ADMIN, "POST", "/keys", "{'name':'kb','workspace_id':'" + other + "'}"));
    outsideKey = Objects.requireNonNull(otherKey.text("key"));
    resources.put("workspace", home);
    resources.put("key", Objects.requireNonNull(data(key).text("hash")));
    resources.put(
        "byok",
        create("/byok", "{'provider':'alpha','key':'k','workspace_id':'" + home + "'}", "id"));
    resources.put(
        "destination",
        create(
            "/observability/destinations",
            "{'name':'d','type':'webhook','config':{'url':'https://x.test'},'enabled':false,"
                + "'workspace_id':'"
                + home
                + "'}",
            "id"));
    resources.put(
        "guardrail", create("/guardrails", "{'name':'g','workspace_id':'" + home + "'}", "id"));
    send(
        ADMIN,
        "POST",
        "/presets/secret/chat/completions?workspace_id=" + home,
        "{'model':'acme/one'," + MESSAGES + "}");
    resources.put("preset", "secret");
    WireResponse response =
        send(insideKey, "POST", "/chat/completions", "{'model':'acme/one'," + MESSAGES + "}");
    TestHttpApi.text(response);
    Json.Obj batch =
        json(
            send(
                insideKey,
                "POST",
                "/batches",
                "{'endpoint':'/v1/chat/completions','model':'acme/one','requests':["
                    + "{'custom_id':'a','body':{"
                    + MESSAGES
                    + "}}]}"));
    resources.put("batch", awaitCompleted(Objects.requireNonNull(batch.text("id"))));
    resources.put(
        "generation",
        Objects.requireNonNull(response.headers().get(ResponseFactory.GENERATION_ID)));
  }

  /** Waits until a batch is completed, and may be deleted. */
  private String awaitCompleted(String id) {
    String status;
    do {
      Thread.onSpinWait();
      status = json(send(insideKey, "GET", "/batches/" + id, "")).text("status");
    } while (!"completed".equals(status));
    return id;
  }

  @Override
  public void close() {
    gateway.close();
  }

  String create(String path, String body, String member) {
    WireResponse response = send(ADMIN, "POST", path, body);
    return Objects.requireNonNull(data(json(response)).text(member));
  }

  static Json.Obj data(Json.Obj answer) {
    return Objects.requireNonNull(answer.object("data"), answer::toString);
  }

  static Json.Obj json(WireResponse response) {
    return TestHttpApi.json(response);
  }

  WireResponse send(String key, String method, String path, String body) {
    int mark = path.indexOf('?');
    return gateway
        .wire()
        .handle(
            new WireRequest(
                method,
                mark < 0 ? path : path.substring(0, mark),
                mark < 0 ? "" : path.substring(mark + 1),
                name -> name.equalsIgnoreCase("Authorization") ? "Bearer " + key : null,
                new ByteArrayInputStream(body.replace('\'', '"').getBytes(StandardCharsets.UTF_8)),
                new Cancellation()));
  }

  /** The status and the body of a response. */
  record TestResponse(int status, String body) {}

  TestResponse ask(String key, Entry entry, String resource) {
    WireResponse response =
        send(
            key,
            entry.method(),
            entry.path().replace("$", resource),
            entry.body().replace("$", resource).replace("APP", resources.getOrDefault("key", "")));
    return new TestResponse(response.status(), TestHttpApi.text(response).replace(resource, "$"));
  }

  static String unknown(String resourceName) {
    return switch (resourceName) {
      case "key" -> UNKNOWN_HASH;
      case "preset" -> "nobody";
      case "generation" -> "gen-1-nobody";
      case "batch" -> "batch_nobody";
      default -> UNKNOWN_UUID;
    };
  }

  static Entry entry(Operation operation) {
    return Objects.requireNonNull(
        TABLE.get(operation), () -> operation + " has no entry: what may a key see of it?");
  }
}
