package io.strowger.core.registry;

import static io.strowger.tck.Given.catalog;
import static io.strowger.tck.Given.endpoint;
import static io.strowger.tck.Given.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.ambient.BoundedCloser;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.PluginSettings;
import io.strowger.core.config.Plugins;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.ConfigSchema;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Fields;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import io.strowger.spi.plugin.ServerTool;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Settings of plugins")
class PluginSettingsTest {
  private static final Catalog CATALOG = catalog(endpoint("alpha", "acme/large", "1"));
  private static final Field<Long> LEAST = Fields.integer("least", 0, 9, 2L, "Least.");
  private static final Field<Long> MOST = Fields.integer("most", 0, 9, 7L, "Most.");

  /** A router with two settings. A least of 5 gives it another id, a least of 6 makes it fail. */
  private record BoundsProvider(String id, long least, long most)
      implements PluginProvider.Configurable {
    BoundsProvider {
      if (least > most) {
        throw new IllegalArgumentException("must have least <= most");
      }
      if (least == 6) {
        throw new IllegalStateException("six");
      }
    }

    @Override
    public Descriptor descriptor() {
      return Descriptor.router(id).order(1).slug("router/" + id).build();
    }

    @Override
    public ConfigSchema settings() {
      return new ConfigSchema(List.of(LEAST, MOST), false);
    }

    @Override
    public PluginProvider with(PluginConfig settings) {
      long from = settings.get(LEAST);
      return new BoundsProvider(from == 5 ? "other" : id, from, settings.get(MOST));
    }

    @Override
    public Plugin create(PluginConfig config, Catalog catalog) {
      return new BoundsRouter(least, most);
    }
  }

  /** A router whose facts are its bounds. */
  private record BoundsRouter(long least, long most) implements RouterPlugin {
    @Override
    public Json facts(InferenceRequest request) {
      return Json.array(Json.of(least), Json.of(most));
    }

    @Override
    public Selection select(Candidates candidates) {
      return Selection.PASS;
    }
  }

  /** A plugin without settings. */
  private record ProviderWithoutSettings() implements PluginProvider {
    @Override
    public Descriptor descriptor() {
      return Descriptor.router("fixed").order(2).build();
    }

    @Override
    public Plugin create(PluginConfig config, Catalog catalog) {
      return new Plugin.Inactive("for a test");
    }
  }

  private static final BoundedCloser CLOSER = new BoundedCloser(new SystemAmbient());

  private static final PluginRegistry REGISTRY =
      PluginRegistry.of(
          Plugins.none()
              .add(new BoundsProvider("bounded", 2, 7))
              .add(new ProviderWithoutSettings()));

  private static PluginSettings settings(String id, String settings) {
    try {
      var parsed = new JacksonCodec().parse(settings.getBytes(StandardCharsets.UTF_8));
      return new PluginSettings(List.of(), Map.of(id, (Json.Obj) parsed));
    } catch (io.strowger.spi.provider.JsonCodec.MalformedJsonException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> problems(String id, String settings) {
    return REGISTRY.problems(settings(id, settings), CLOSER).stream()
        .map(Problem::toString)
        .toList();
  }

  private static Json appliedBounds(PluginSettings settings) {
    return REGISTRY
        .prepare(CATALOG, settings, CLOSER)
        .steps(request("router/bounded", "x"))
        .getFirst()
        .facts();
  }

  @Test
  @DisplayName("configure the provider for the catalog that they come with, and for no other")
  void made() {
    assertThat(appliedBounds(settings("bounded", "{\"least\":3}"))).hasToString("[3,7]");
    assertThat(appliedBounds(settings("bounded", "{\"least\":1,\"most\":1}"))).hasToString("[1,1]");
    assertThat(appliedBounds(PluginSettings.NONE)).hasToString("[2,7]");
  }

  @Test
  @DisplayName("are checked against their bounds, and each problem names its place in the file")
  void bounds() {
    assertThat(problems("bounded", "{\"least\":0,\"most\":9}")).isEmpty();
    assertThat(problems("bounded", "{\"least\":-1,\"most\":10,\"mots\":1}"))
        .containsExactly(
            "/plugins/settings/bounded/mots: is not a setting; allowed: least, most",
            "/plugins/settings/bounded/least: must be a whole number from 0 to 9, was -1",
            "/plugins/settings/bounded/most: must be a whole number from 0 to 9, was 10");
    assertThat(problems("bounded", "{\"least\":null}"))
        .containsExactly("/plugins/settings/bounded/least: must not be null");
    assertThat(problems("bounded", "{\"enabled\":false}"))
        .containsExactly(
            "/plugins/settings/bounded/enabled: is not a setting; allowed: least, most");
  }

  @Test
  @DisplayName("that contradict each other are refused with the provider's own message")
  void together() {
    assertThat(problems("bounded", "{\"least\":4,\"most\":4}")).isEmpty();
    assertThat(problems("bounded", "{\"least\":4,\"most\":3}"))
        .containsExactly("/plugins/settings/bounded: must have least <= most");
  }

  @Test
  @DisplayName("that make the provider fail, or turn it into another plugin, are refused")
  void broken() {
    assertThat(problems("bounded", "{\"least\":6}"))
        .singleElement()
        .asString()
        .startsWith("/plugins/settings/bounded: makes " + BoundsProvider.class.getName())
        .endsWith("fail: java.lang.IllegalStateException");
    assertThat(problems("bounded", "{\"least\":5}"))
        .singleElement()
        .asString()
        .endsWith("another plugin");
  }

  @Test
  @DisplayName("of an unknown plugin, and of a plugin that has no settings, are refused")
  void unknownPlugin() {
    String those = ": names no plugin with settings; allowed: bounded, moderation";
    assertThat(problems("fixed", "{}")).containsExactly("/plugins/settings/fixed" + those);
    assertThat(problems("nobody", "{}")).containsExactly("/plugins/settings/nobody" + those);
    assertThat(
            PluginRegistry.of(Plugins.none().add(new ProviderWithoutSettings()))
                .problems(settings("fixed", "{}"), CLOSER))
        .extracting(Problem::toString)
        .containsExactly(
            "/plugins/settings/fixed: names no plugin with settings; allowed: moderation");
  }

  @Test
  @DisplayName("that are invalid fail the preparation, which also reports invalid defaults")
  void fails() {
    var wrong =
        new PluginSettings(
            List.of(new PluginEntry("gone", true, Json.Obj.EMPTY)),
            settings("bounded", "{\"least\":10}").settings());
    assertThatThrownBy(() -> REGISTRY.prepare(CATALOG, wrong, CLOSER))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("/plugins/settings/bounded/least: must be")
        .hasMessageContaining("/plugins/defaults/0/id: must be one of bounded, fixed");
  }

  /** A provider that, once it has settings, fails to list its tools and must be closed. */
  private record FailingToolsProvider(boolean hasSettings, List<String> closed)
      implements PluginProvider.Configurable, AutoCloseable {
    @Override
    public Descriptor descriptor() {
      return Descriptor.router("toolless").slug("router/toolless").build();
    }

    @Override
    public ConfigSchema settings() {
      return ConfigSchema.of(LEAST);
    }

    @Override
    public PluginProvider with(PluginConfig settings) {
      return new FailingToolsProvider(true, closed);
    }

    @Override
    public Plugin create(PluginConfig config, Catalog catalog) {
      return new BoundsRouter(0, 0);
    }

    @Override
    public List<ServerTool> tools() {
      if (hasSettings) {
        throw new NoClassDefFoundError("sk-secret");
      }
      return List.of();
    }

    @Override
    public void close() {
      closed.add(hasSettings ? "configured" : "original");
    }
  }

  @Test
  @DisplayName(
      "are refused, and the configured provider is closed, if that fails to list its tools")
  void toolsFail() {
    var closed = new ArrayList<String>();
    var registry = PluginRegistry.of(Plugins.none().add(new FailingToolsProvider(false, closed)));
    assertThatThrownBy(() -> registry.prepare(CATALOG, settings("toolless", "{}"), CLOSER))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("plugins: toolless, ")
        .hasMessageEndingWith(
            " failed to list its tools with its settings: java.lang.NoClassDefFoundError");
    assertThat(closed).containsExactly("configured");
  }
}
