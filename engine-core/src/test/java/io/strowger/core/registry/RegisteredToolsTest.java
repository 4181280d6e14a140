package io.strowger.core.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.config.Plugins;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.ServerTool;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Server tools of a registry")
class RegisteredToolsTest {
  private record Tool(String type) implements ServerTool {
    @Override
    public Spec spec() {
      return new Spec(type, "for a test", Json.Obj.EMPTY);
    }

    @Override
    public Json run(Invocation call, Interceptor.Chain chain) {
      return Json.NULL;
    }
  }

  private record PluginWithTools(String id, List<ServerTool> tools) implements PluginProvider {
    @Override
    public Descriptor descriptor() {
      return Descriptor.router(id).order(1).build();
    }

    @Override
    public Plugin create(PluginConfig config, Catalog catalog) {
      return new Plugin.Inactive("has tools");
    }
  }

  @Test
  @DisplayName("need no plugin, and are listed after the tools of plugins")
  void found() {
    var clock = new Tool("acme:clock");
    var lookup = new Tool("acme:lookup");
    var pluginTool = new Tool("acme:plugin");
    var registry =
        PluginRegistry.of(
            Plugins.none()
                .tool(clock)
                .discoverTools(List.of(lookup))
                .add(new PluginWithTools("a", List.of(pluginTool))));
    assertThat(registry.tools()).containsExactly(pluginTool, clock, lookup);
    assertThat(registry.tool("acme:lookup")).isSameAs(lookup);
    assertThat(registry.toolTypes()).containsExactly("acme:plugin", "acme:clock", "acme:lookup");
    assertThat(registry.tool("acme:other")).isNull();
  }

  @Test
  @DisplayName("of the same type are refused with a message that names their classes and origins")
  void duplicates() {
    var twice = Plugins.none().tool(new Tool("acme:a")).discoverTools(List.of(new Tool("acme:a")));
    assertThatThrownBy(() -> PluginRegistry.of(twice))
        .hasMessageContaining("two tools of the type acme:a: from " + Tool.class.getName())
        .hasMessageContaining("and from " + Tool.class.getName() + " in file:");
    var pluginTool = new PluginWithTools("p", List.of(new Tool("acme:a")));
    assertThatThrownBy(() -> PluginRegistry.of(twice.add(pluginTool)))
        .hasMessageContaining(
            "two tools of the type acme:a: from " + PluginWithTools.class.getName());
  }

  @Test
  @DisplayName("that cannot be loaded, fail to describe themselves or have a bad type are reported")
  void broken() {
    ServerTool silent =
        new ServerTool() {
          @Override
          public Spec spec() {
            throw new IllegalStateException("nothing to say");
          }

          @Override
          public Json run(Invocation call, Interceptor.Chain chain) {
            return Json.NULL;
          }
        };
    Iterable<ServerTool> failing =
        () ->
            new Iterator<>() {
              private boolean more = true;

              @Override
              public boolean hasNext() {
                return more;
              }

              @Override
              public ServerTool next() {
                more = false;
                throw new ServiceConfigurationError("no such class");
              }
            };
    var plugins = Plugins.none().tool(silent).discoverTools(failing).tool(new Tool("function"));
    assertThatThrownBy(() -> PluginRegistry.of(plugins))
        .hasMessageContaining("a server tool cannot be loaded: no such class")
        .hasMessageContaining("does not describe itself: java.lang.IllegalStateException: nothing")
        .hasMessageContaining("has the type function, which must have a form like acme:lookup");
  }
}
