package io.strowger.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.config.Plugins;
import io.strowger.core.decode.Problems;
import io.strowger.core.guardrail.ModerationProvider;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.plugins.jsonschema.JsonSchemaValidator;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.plugin.ConfigSchema;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Fields;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.SchemaValidator;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import io.strowger.spi.provider.Transports;
import io.strowger.tck.TestTransport;
import io.strowger.tck.conformance.Proves;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The plugins that come with the engine")
class BuiltinPluginsTest {
  private final PluginRegistry registry =
      PluginRegistry.of(Plugins.none().discover(ServiceLoader.load(PluginProvider.class)));

  private List<String> pointers(String id, String members) throws MalformedJsonException {
    return check(registry, id, members).stream()
        .map(problem -> problem.pointer().toString())
        .toList();
  }

  private List<String> problems(String id, String members) throws MalformedJsonException {
    return problems(registry, id, members);
  }

  private static List<String> problems(PluginRegistry registry, String id, String members)
      throws MalformedJsonException {
    return check(registry, id, members).stream().map(Problem::toString).toList();
  }

  private static List<Problem> check(PluginRegistry registry, String id, String members)
      throws MalformedJsonException {
    String text = ("{\"id\":\"" + id + "\"," + members + "}").replace('\'', '"');
    var config = (Json.Obj) new JacksonCodec().parse(text.getBytes(StandardCharsets.UTF_8));
    var problems = new Problems();
    var entry = new PluginEntry(id, !Json.FALSE.equals(config.get("enabled")), config);
    registry.check(entry, JsonPointer.ROOT.child("plugins").child(0), problems);
    return problems.list();
  }

  /** Three distinct transports, over which nothing is sent. */
  private record SharedTransports(
      TestTransport providers, TestTransport web, TestTransport destinations)
      implements Transports {
    SharedTransports() {
      this(new TestTransport(), new TestTransport(), new TestTransport());
    }

    @Override
    public void close() {}
  }

  @Test
  @DisplayName("send requests over the shared transports of the gateway")
  void networked() {
    var shared = new SharedTransports();
    var ids = new ArrayList<String>();
    for (PluginProvider provider : ServiceLoader.load(PluginProvider.class)) {
      if (provider instanceof PluginProvider.Networked networked) {
        PluginProvider over = networked.withTransports(shared);
        assertThat(over.descriptor()).isEqualTo(provider.descriptor());
        ids.add(over.descriptor().id());
        switch (over.descriptor().id()) {
          case "file-parser" -> {
            assertThat(over).extracting("files").isSameAs(shared.web());
            assertThat(over).extracting("services").isSameAs(shared.providers());
          }
          case "web" -> {
            assertThat(unusable(provider)).contains("no transport");
            assertThat(unusable(over)).contains("has no engine");
          }
          default -> {
            assertThat(unusable(provider)).contains("no transport");
            assertThat(unusable(over)).isNull();
          }
        }
      }
    }
    assertThat(ids).containsExactlyInAnyOrder("file-parser", "web", "web-fetch");
  }

  private static @Nullable String unusable(PluginProvider provider) {
    return provider.tools().getFirst().unusableReason(Json.Obj.EMPTY);
  }

  @Test
  @DisplayName("include one validator of the arguments that models write for tools")
  void schemas() {
    assertThat(ServiceLoader.load(SchemaValidator.class))
        .singleElement()
        .isInstanceOf(JsonSchemaValidator.class);
  }

  @Proves("plugins.common.ids")
  @Test
  @DisplayName("are the ten of the contract and two more, in order, whether discovered or listed")
  void pluginIds() {
    assertThat(registry.descriptors())
        .extracting(Descriptor::id)
        .containsExactly(
            "auto-router",
            "auto-beta-router",
            "pareto-router",
            "free-router",
            "file-parser",
            "moderation",
            "web",
            "response-healing",
            "bodybuilder",
            "fusion",
            "web-fetch",
            "context-compression");
    assertThat(PluginRegistry.of(Plugins.none().discover(BuiltinPlugins.all())).descriptors())
        .as("a host that lists them has the same plugins")
        .isEqualTo(registry.descriptors());
  }

  @Test
  @DisplayName("come with server tools, the same whether discovered or listed")
  void serverTools() {
    var found =
        PluginRegistry.of(Plugins.none().discoverTools(ServiceLoader.load(ServerTool.class)));
    assertThat(found.toolTypes())
        .containsExactly(
            "router:datetime",
            "router:experimental__search_models",
            "router:tool_search",
            "router:advisor",
            "router:subagent");
    assertThat(BuiltinPlugins.tools())
        .extracting(ServerTool::spec)
        .containsExactlyElementsOf(found.tools().stream().map(ServerTool::spec).toList());
  }

  @Proves("plugins.common.slugs")
  @ParameterizedTest(name = "{0} stands for {1}")
  @CsvSource({
    "auto-router, router/auto",
    "auto-beta-router, router/auto-beta",
    "pareto-router, router/pareto-code",
    "free-router, router/free",
    "fusion, router/fusion",
    "fusion, router/fusion-flash"
  })
  void slugs(String id, String slug) {
    assertThat(registry.pluginOfSlug(slug)).isEqualTo(registry.descriptor(id));
  }

  @Test
  @DisplayName("all create a router or an interceptor, and document every field")
  void described() {
    var all = new ArrayList<>(BuiltinPlugins.all());
    all.add(new ModerationProvider());
    assertThat(all).as("with the engine's own moderation").hasSameSizeAs(registry.descriptors());
    for (PluginProvider provider : all) {
      Descriptor descriptor = provider.descriptor();
      assertThat(descriptor.version()).isEqualTo("1");
      var catalog = Catalog.builder("none").build();
      boolean routes = descriptor.kind() == Descriptor.Kind.ROUTER;
      Class<? extends Plugin> made = routes ? RouterPlugin.class : Interceptor.class;
      assertThat(provider.create(PluginConfig.EMPTY, catalog)).isInstanceOf(made);
      for (Field<?> field : descriptor.schema().fields()) {
        assertThat(field.doc()).as("%s.%s", descriptor.id(), field).endsWith(".");
        assertThat(field.schema().size()).as("%s.%s", descriptor.id(), field).isPositive();
      }
    }
  }

  @Proves({
    "plugin.auto-router",
    "plugin.auto-beta-router",
    "plugin.moderation",
    "plugin.web",
    "plugin.web-fetch",
    "plugin.file-parser",
    "plugin.response-healing",
    "plugin.context-compression",
    "plugin.pareto-router",
    "plugin.fusion",
    "limit.fusion.analysis_models",
    "limit.fusion.max_tool_calls",
    "limit.cost_quality_tradeoff",
    "limit.min_coding_score",
    "plugins.common.enabled",
    "plugins.auto.cost_tier",
    "plugins.auto.cost_quality_tradeoff",
    "plugins.auto.pin_model",
    "plugins.auto.enabled",
    "plugins.pareto.min_coding_score",
    "plugins.pareto.max_price",
    "plugins.pareto.price_source",
    "plugins.fusion.analysis_models",
    "plugins.fusion.preset",
    "plugins.fusion.max_tool_calls",
    "plugins.fusion.enabled",
    "plugins.web.engine",
    "plugins.web.mode",
    "plugins.web.max_results",
    "plugins.web.user_location"
  })
  @ParameterizedTest(name = "{0} accepts {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "auto-router | 'cost_tier':'low'",
        "auto-router | 'cost_tier':'medium'",
        "auto-router | 'cost_tier':'high'",
        "auto-router | 'cost_tier':'xhigh'",
        "auto-router | 'cost_tier':'max'",
        "auto-router | 'cost_quality_tradeoff':0",
        "auto-router | 'cost_quality_tradeoff':10",
        "auto-router | 'pin_model':true,'enabled':false",
        "auto-router | 'allowed_models':['author/*'],'excluded_models':[]",
        "auto-beta-router | 'cost_quality_tradeoff':10",
        "auto-beta-router | 'pin_model':'not its own member'",
        "pareto-router | 'min_coding_score':0",
        "pareto-router | 'min_coding_score':1",
        "pareto-router | 'max_price':0",
        "pareto-router | 'max_price':1e9,'price_source':'weighted_avg'",
        "pareto-router | 'price_source':'prompt'",
        "fusion | 'analysis_models':['a']",
        "fusion | 'analysis_models':['1','2','3','4','5','6','7','8']",
        "fusion | 'max_tool_calls':1",
        "fusion | 'max_tool_calls':16,'preset':'general-fast','model':'m'",
        "fusion | 'tools':[]",
        "fusion | 'tools':[{'type':'a'},{'type':'b','parameters':{}}]",
        "fusion | 'preset':'general-high','enabled':false",
        "fusion | 'preset':'general-budget'",
        "web | 'engine':'native','mode':'fast','search_prompt':''",
        "web | 'engine':'exa','mode':'instant'",
        "web | 'engine':'exa','mode':'auto'",
        "web | 'engine':'exa','mode':'deep-lite'",
        "web | 'engine':'exa','mode':'deep'",
        "web | 'engine':'firecrawl','mode':'deep-reasoning'",
        "web | 'engine':'parallel','mode':'turbo'",
        "web | 'engine':'parallel','mode':'basic'",
        "web | 'engine':'perplexity','mode':'advanced','enabled':false",
        "web | 'max_results':1,'max_uses':1",
        "web | 'include_domains':['*.x.com'],'exclude_domains':['x.com/blog']",
        "web | 'user_location':{'type':'approximate'}",
        "web | 'user_location':{'type':'approximate','city':'X','region':null}",
        "web-fetch | 'allowed_domains':['x.com'],'blocked_domains':[]",
        "web-fetch | 'max_content_tokens':1,'max_uses':1,'enabled':true",
        "file-parser | 'pdf':{},'enabled':false",
        "file-parser | 'pdf':{'engine':'mistral-ocr'}",
        "file-parser | 'pdf':{'engine':'cloudflare-ai'}",
        "file-parser | 'pdf':{'engine':'pdf-text'}",
        "file-parser | 'pdf':{'engine':'native','later':1}",
        "context-compression | 'engine':'middle-out','enabled':false",
        "response-healing | 'enabled':false",
        "moderation | 'enabled':true"
      })
  void takes(String id, String members) throws MalformedJsonException {
    assertThat(pointers(id, members)).isEmpty();
  }

  @Proves({
    "plugin.auto-router",
    "plugin.auto-beta-router",
    "plugin.moderation",
    "plugin.web",
    "plugin.web-fetch",
    "plugin.file-parser",
    "plugin.context-compression",
    "plugin.pareto-router",
    "plugin.fusion",
    "limit.fusion.analysis_models",
    "limit.fusion.max_tool_calls",
    "limit.cost_quality_tradeoff",
    "limit.min_coding_score",
    "plugins.common.enabled",
    "plugins.auto.cost_tier",
    "plugins.auto.cost_quality_tradeoff",
    "plugins.pareto.min_coding_score",
    "plugins.pareto.max_price",
    "plugins.pareto.price_source",
    "plugins.pareto.enabled",
    "plugins.fusion.analysis_models",
    "plugins.fusion.preset",
    "plugins.fusion.max_tool_calls",
    "plugins.fusion.FU-7",
    "plugins.web.engine",
    "plugins.web.mode",
    "plugins.web.max_results",
    "plugins.web.max_uses",
    "plugins.web.user_location"
  })
  @ParameterizedTest(name = "{0} refuses {1}, pointing at {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "auto-router | 'cost_tier':'highest' | cost_tier",
        "auto-router | 'cost_quality_tradeoff':-1 | cost_quality_tradeoff",
        "auto-router | 'cost_quality_tradeoff':11 | cost_quality_tradeoff",
        "auto-router | 'cost_quality_tradeoff':1.5 | cost_quality_tradeoff",
        "auto-router | 'pin_model':'yes' | pin_model",
        "auto-router | 'allowed_models':'author/*' | allowed_models",
        "auto-router | 'excluded_models':['a',1] | excluded_models/1",
        "auto-beta-router | 'cost_quality_tradeoff':11 | cost_quality_tradeoff",
        "pareto-router | 'min_coding_score':1.0001 | min_coding_score",
        "pareto-router | 'min_coding_score':-0.0001 | min_coding_score",
        "pareto-router | 'min_coding_score':'high' | min_coding_score",
        "pareto-router | 'max_price':-0.01 | max_price",
        "pareto-router | 'price_source':'list' | price_source",
        "fusion | 'analysis_models':[] | analysis_models",
        "fusion | 'analysis_models':['1','2','3','4','5','6','7','8','9'] | analysis_models",
        "fusion | 'max_tool_calls':0 | max_tool_calls",
        "fusion | 'max_tool_calls':17 | max_tool_calls",
        "fusion | 'preset':'general' | preset",
        "fusion | 'model':1 | model",
        "fusion | 'tools':{} | tools",
        "fusion | 'tools':[1] | tools/0",
        "fusion | 'tools':[{'type':'a'},{}] | tools/1/type",
        "fusion | 'tools':[{'type':'a','parameters':1}] | tools/0/parameters",
        "auto-router | 'enabled':false,'cost_tier':'x' | cost_tier",
        "auto-beta-router | 'enabled':false,'excluded_models':[1] | excluded_models/0",
        "pareto-router | 'enabled':false,'max_price':'1' | max_price",
        "fusion | 'enabled':false,'preset':1 | preset",
        "web | 'enabled':false,'max_uses':-1 | max_uses",
        "context-compression | 'enabled':false,'engine':1 | engine",
        "web | 'engine':1 | engine",
        "web | 'engine':'auto' | engine",
        "web | 'engine':'Exa' | engine",
        "web | 'mode':false | mode",
        "web | 'mode':'slow' | mode",
        "web | 'max_results':1.5 | max_results",
        "web | 'user_location':{'type':'approximate','region':[]} | user_location/region",
        "web | 'user_location':{'type':'approximate','country':false} | user_location/country",
        "web | 'user_location':{'type':'approximate','timezone':0} | user_location/timezone",
        "web | 'search_prompt':[] | search_prompt",
        "web | 'max_results':0 | max_results",
        "web | 'max_uses':0 | max_uses",
        "web | 'include_domains':[1] | include_domains/0",
        "web | 'exclude_domains':'x.com' | exclude_domains",
        "web | 'user_location':'here' | user_location",
        "web | 'user_location':{} | user_location/type",
        "web | 'user_location':{'type':'exact'} | user_location/type",
        "web | 'user_location':{'type':'approximate','city':1} | user_location/city",
        "web-fetch | 'allowed_domains':[null] | allowed_domains/0",
        "web-fetch | 'blocked_domains':1 | blocked_domains",
        "web-fetch | 'max_content_tokens':0 | max_content_tokens",
        "web-fetch | 'max_uses':0 | max_uses",
        "web-fetch | 'enabled':false | enabled",
        "auto-router | 'cost_tier':null | cost_tier",
        "pareto-router | 'max_price':null | max_price",
        "web | 'engine':null | engine",
        "web | 'user_location':null | user_location",
        "fusion | 'tools':null | tools",
        "context-compression | 'engine':null | engine",
        "file-parser | 'pdf':null | pdf",
        "file-parser | 'pdf':{'engine':null} | pdf/engine",
        "file-parser | 'pdf':'native' | pdf",
        "file-parser | 'pdf':{'engine':1} | pdf/engine",
        "file-parser | 'pdf':{'engine':'ocr'},'enabled':false | pdf/engine",
        "context-compression | 'engine':'outside-in' | engine",
        "moderation | 'enabled':false | enabled"
      })
  void refuses(String id, String members, String at) throws MalformedJsonException {
    assertThat(pointers(id, members)).containsExactly("/plugins/0/" + at);
  }

  @Test
  @DisplayName("report a required member that is missing in an object")
  void requiredBelow() throws MalformedJsonException {
    assertThat(problems("web", "'user_location':{}"))
        .containsExactly("/plugins/0/user_location/type: is required");
    assertThat(problems("fusion", "'tools':[{}]"))
        .containsExactly("/plugins/0/tools/0/type: is required");
  }

  @Test
  @DisplayName("work beside plugins of others, whose schemas are checked as well")
  void thirdParty() throws MalformedJsonException {
    var schema = ConfigSchema.of(Fields.integer("depth", 1, 3, null, "How deep."));
    var descriptor = Descriptor.router("house").order(1).schema(schema).build();
    PluginProvider house =
        new PluginProvider() {
          @Override
          public Descriptor descriptor() {
            return descriptor;
          }

          @Override
          public Plugin create(PluginConfig config, Catalog catalog) {
            return new Plugin.Inactive("for a test");
          }
        };
    Plugins all = Plugins.none().discover(ServiceLoader.load(PluginProvider.class));
    var more = PluginRegistry.of(all.add(house));
    assertThat(problems(registry, "house", "'depth':3"))
        .singleElement()
        .asString()
        .startsWith("/plugins/0/id: must be one of auto-router, ");
    assertThat(problems(more, "house", "'depth':3")).isEmpty();
    assertThat(problems(more, "house", "'depth':4,'enabled':false"))
        .containsExactly("/plugins/0/depth: must be a whole number from 1 to 3, was 4");
    assertThat(problems(more, "other", "'depth':4"))
        .singleElement()
        .asString()
        .contains(" house, ");
    assertThat(problems(more, "web", "'max_uses':0")).hasSize(1);
  }

  @Test
  @DisplayName("accept long lists of domains and long names of analysis models")
  void longLists() throws MalformedJsonException {
    String many = repeated(2000, "'" + "d".repeat(100) + "'");
    assertThat(pointers("web", "'include_domains':" + many + ",'exclude_domains':" + many))
        .isEmpty();
    assertThat(pointers("web-fetch", "'allowed_domains':" + many + ",'blocked_domains':" + many))
        .isEmpty();
    assertThat(pointers("fusion", "'analysis_models':['" + "m".repeat(5000) + "']")).isEmpty();
  }

  @Test
  @DisplayName("limit the characters of model names, not their bytes")
  void characters() throws MalformedJsonException {
    String smile = "\uD83D\uDE00";
    for (String id : List.of("auto-router", "auto-beta-router")) {
      for (String list : List.of("allowed_models", "excluded_models")) {
        assertThat(pointers(id, "'" + list + "':['" + smile.repeat(1024) + "']")).isEmpty();
        assertThat(pointers(id, "'" + list + "':['" + smile.repeat(1025) + "']"))
            .containsExactly("/plugins/0/" + list + "/0");
        assertThat(pointers(id, "'" + list + "':" + repeated(64, "'" + smile.repeat(1024) + "'")))
            .isEmpty();
      }
    }
  }

  @Proves({"plugins.auto.allowed_models", "plugins.auto.excluded_models", "chat.member.plugins"})
  @Test
  @DisplayName(
      "accept up to 1024 model names of up to 1024 characters each and 65,536 together, and up to 8"
          + " tools")
  void modelLists() throws MalformedJsonException {
    assertThat(models(1024, 64)).isEmpty();
    assertThat(models(1025, 1)).containsExactly("/plugins/0/allowed_models");
    assertThat(models(64, 1024)).isEmpty();
    assertThat(models(1, 1025)).containsExactly("/plugins/0/allowed_models/0");
    assertThat(models(65, 1009)).containsExactly("/plugins/0/allowed_models");
    String most = "'" + String.join("','", Collections.nCopies(64, "m".repeat(1024))) + "'";
    assertThat(pointers("auto-router", "'allowed_models':[" + most + "]")).isEmpty();
    assertThat(pointers("auto-router", "'allowed_models':[" + most + ",'m']"))
        .containsExactly("/plugins/0/allowed_models");
    assertThat(tools(8)).isEmpty();
    assertThat(tools(9)).containsExactly("/plugins/0/tools");
  }

  private List<String> models(int count, int length) throws MalformedJsonException {
    String model = "'" + "m".repeat(length) + "'";
    return pointers("auto-router", "'allowed_models':" + repeated(count, model));
  }

  private List<String> tools(int count) throws MalformedJsonException {
    return pointers("fusion", "'tools':" + repeated(count, "{'type':'a'}"));
  }

  private static String repeated(int count, String item) {
    return Collections.nCopies(count, item).stream().collect(Collectors.joining(",", "[", "]"));
  }
}
