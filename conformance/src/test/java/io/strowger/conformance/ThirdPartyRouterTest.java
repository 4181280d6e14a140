package io.strowger.conformance;

import static io.strowger.tck.Given.catalog;
import static io.strowger.tck.Given.endpoint;
import static io.strowger.tck.Given.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.Plugins;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.plan.Planner;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.core.registry.PreparedPlugins;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.plugins.BuiltinPlugins;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.providers.http.ApacheTransport;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.routing.TraceEntry;
import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A router in a jar of its own")
class ThirdPartyRouterTest {
  private static final String NAME = "com.example.dear.DearestRouterProvider";

  private static final String SOURCE =
      """
      package com.example.dear;

      import io.strowger.spi.catalog.Catalog;
      import io.strowger.spi.json.Json;
      import io.strowger.spi.plugin.*;
      import java.util.List;

      public final class DearestRouterProvider implements PluginProvider {
        private static final Field<Boolean> DEAREST =
            Fields.bool("dearest", true, "Chooses the dearest model, else the cheapest.");

        @Override public Descriptor descriptor() {
          return Descriptor.router("dearest").version("3").order(50).fields(DEAREST).slug("example/dearest").build();
        }

        @Override public RouterPlugin create(PluginConfig config, Catalog catalog) {
          CREATE
        }

        record Dearest(boolean dearest) implements RouterPlugin {
          @Override public Selection select(Candidates candidates) {
            int best = -1;
            for (int i = 0; i < candidates.size(); i++) {
              if (candidates.isUsable(i)
                  && (best < 0 || dearest == candidates.blendedPrice(i) > candidates.blendedPrice(best))) {
                best = i;
              }
            }
            return best < 0
                ? Selection.PASS
                : new Selection.Models(List.of(candidates.model(best).id()), "as configured");
          }
        }
      }
      """;

  private static final Catalog CATALOG =
      catalog(
          endpoint("alpha", "acme/cheap", "1"),
          endpoint("alpha", "acme/dear", "9"),
          endpoint("alpha", "acme/middle", "3"));

  @TempDir Path folder;

  private Path jar() throws IOException {
    return jar("return new Dearest(config.get(DEAREST));");
  }

  private Path jar(String create) throws IOException {
    return PluginJar.build(folder, Map.of(NAME, SOURCE.replace("CREATE", create)), List.of(NAME));
  }

  private static Plugins pluginsOf(URLClassLoader loader) {
    return Plugins.none().discover(ServiceLoader.load(PluginProvider.class, loader));
  }

  private static List<String> chosenModels(PreparedPlugins plugins, InferenceRequest request) {
    RoutingQuery query =
        RoutingQuery.builder(CATALOG.version())
            .models(request.models())
            .routers(plugins.steps(request))
            .at(Instant.EPOCH)
            .seed(1)
            .build();
    RoutePlan plan = new Planner(CATALOG, plugins).plan(query);
    assertThat(plan.trace())
        .contains(
            new TraceEntry.Routed("dearest", "example/dearest", "as configured", Json.Obj.EMPTY));
    return ((RoutePlan.Attempts) plan)
        .candidates().stream().map(candidate -> candidate.endpoint().model()).toList();
  }

  @Test
  @DisplayName("is found beside the built-in plugins, reads its entry, and decides")
  void decides() throws IOException {
    try (URLClassLoader loader = PluginJar.loader(jar())) {
      var registry = PluginRegistry.of(pluginsOf(loader));
      assertThat(registry.descriptors())
          .extracting(Descriptor::id)
          .contains("dearest", "auto-router")
          .hasSize(BuiltinPlugins.all().size() + 2);
      PreparedPlugins plugins = registry.prepare(CATALOG);
      var request = request("example/dearest", "Hello");
      assertThat(chosenModels(plugins, request)).containsExactly("acme/dear");
      var cheapest = new PluginEntry("dearest", true, Json.object().put("dearest", false).build());
      assertThat(chosenModels(plugins, request.toBuilder().plugins(List.of(cheapest)).build()))
          .containsExactly("acme/cheap");
    }
  }

  private static GatewayConfig config() {
    return new ConfigReader(new JacksonCodec(), name -> "value-of-" + name)
        .read(Fixtures.config("http://127.0.0.1:1").getBytes(StandardCharsets.UTF_8))
        .orThrow();
  }

  @Test
  @DisplayName("decides in a gateway, with its decision in the trace")
  void inGateway() throws IOException {
    try (URLClassLoader loader = PluginJar.loader(jar());
        var transport = new ApacheTransport();
        Gateway gateway =
            Gateway.builder(config())
                .provider(new OpenAiChatFactory(transport))
                .plugins(pluginsOf(loader))
                .build()) {
      RoutePlan plan = gateway.routing().explain(request("Example/Dearest", "Hello"), 1).plan();
      assertThat(plan).isInstanceOf(RoutePlan.Attempts.class);
      assertThat(((RoutePlan.Attempts) plan).candidates())
          .extracting(candidate -> candidate.endpoint().model())
          .containsExactly("acme/large");
      assertThat(plan.trace())
          .contains(
              new TraceEntry.Routed("dearest", "Example/Dearest", "as configured", Json.Obj.EMPTY));
    }
  }

  @Test
  @DisplayName("makes the gateway fail if two have the same id, and both jars are named")
  void sameId() throws IOException {
    Path one = jar();
    Path other = jar();
    try (URLClassLoader first = PluginJar.loader(one);
        URLClassLoader second = PluginJar.loader(other)) {
      Plugins plugins = Plugins.none();
      for (URLClassLoader loader : List.of(first, second)) {
        plugins =
            plugins.discover(
                ServiceLoader.load(PluginProvider.class, loader).stream()
                    .map(ServiceLoader.Provider::get)
                    .filter(provider -> provider.getClass().getName().equals(NAME))
                    .toList());
      }
      Gateway.Builder builder = Gateway.builder(config()).plugins(plugins);
      assertThatThrownBy(builder::build)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("two plugins with the id dearest")
          .hasMessageContaining(one.toString())
          .hasMessageContaining(other.toString());
    }
  }

  @Test
  @DisplayName("makes the gateway fail if it cannot be loaded")
  void unloadable() throws IOException {
    Path broken = PluginJar.build(folder, Map.of(), List.of("com.example.gone.GoneRouterProvider"));
    try (URLClassLoader loader = PluginJar.loader(broken)) {
      Gateway.Builder builder = Gateway.builder(config()).plugins(pluginsOf(loader));
      assertThatThrownBy(builder::build)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("a plugin cannot be loaded")
          .hasMessageContaining("com.example.gone.GoneRouterProvider");
    }
  }

  @Test
  @DisplayName("makes the gateway fail if it cannot be created for the catalog, and is named")
  void throwing() throws IOException {
    Path broken = jar("throw new IllegalStateException(\"no prices in \" + catalog.version());");
    try (URLClassLoader loader = PluginJar.loader(broken);
        var transport = new ApacheTransport()) {
      var registry = PluginRegistry.of(pluginsOf(loader));
      Gateway.Builder builder =
          Gateway.builder(config())
              .provider(new OpenAiChatFactory(transport))
              .plugins(pluginsOf(loader));
      assertThatThrownBy(builder::build)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("dearest, " + NAME);
      assertThatThrownBy(() -> registry.prepare(CATALOG))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("dearest, " + NAME)
          .hasMessageContaining("third-party.jar")
          .hasMessageContaining("no prices in test");
    }
  }
}
