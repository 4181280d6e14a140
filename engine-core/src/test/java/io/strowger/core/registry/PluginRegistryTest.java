package io.strowger.core.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.ambient.BoundedCloser;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.PluginSettings;
import io.strowger.core.config.Plugins;
import io.strowger.core.decode.Problems;
import io.strowger.core.guardrail.ModerationProvider;
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
import io.strowger.spi.plugin.ServerTool;
import io.strowger.tck.conformance.Proves;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The registry of plugins")
class PluginRegistryTest {
  private static final Field<BigDecimal> SCORE =
      Fields.number("score", BigDecimal.ZERO, BigDecimal.ONE, null, "doc");
  private static final Field<Long> CALLS = Fields.integer("calls", 1, 16, 4L, "doc");
  private static final Field<List<String>> MODELS = Fields.texts("models", 0, 2, 4, 8, "doc");
  private static final Field<String> KEY =
      new Field<>(
          "key",
          (member, problems) -> {
            problems.report("", "must be right", member);
            return "";
          },
          null,
          "doc",
          Json.Obj.EMPTY,
          true);

  private record TestProvider(Descriptor descriptor, List<ServerTool> tools)
      implements PluginProvider {
    @Override
    public Plugin create(PluginConfig config, Catalog catalog) {
      return new Plugin.Inactive("for a test");
    }
  }

  private static TestProvider provider(String id, int position, String... slugs) {
    var schema = ConfigSchema.of(SCORE, CALLS, MODELS, KEY);
    return new TestProvider(
        Descriptor.router(id).order(position).schema(schema).slugs(List.of(slugs)).build(),
        List.of());
  }

  private static PluginRegistry registry(PluginProvider... providers) {
    Plugins plugins = Plugins.none();
    for (PluginProvider provider : providers) {
      plugins = plugins.add(provider);
    }
    return PluginRegistry.of(plugins);
  }

  private static PluginEntry entry(String id, Json.Obj config) {
    return new PluginEntry(id, !Json.FALSE.equals(config.get("enabled")), config);
  }

  private static List<String> problems(PluginRegistry registry, PluginEntry... entries) {
    var problems = new Problems();
    JsonPointer at = JsonPointer.ROOT.child("plugins");
    for (int i = 0; i < entries.length; i++) {
      registry.check(entries[i], at.child(i), problems);
    }
    return problems.list().stream().map(Object::toString).toList();
  }

  private static Json.Obj members(String name, Json value) {
    return Json.object().put(name, value).build();
  }

  @Nested
  @DisplayName("when it is built")
  class Building {
    @Test
    @DisplayName("orders plugins by position and id, not by the order they were added in")
    void order() {
      assertThat(registry(provider("b", 5), provider("z", 1), provider("a", 5)).descriptors())
          .extracting(Descriptor::id)
          .containsExactly("z", "a", "b", "moderation");
    }

    @Test
    @DisplayName("refuses two plugins with the same id and names both classes and their origin")
    void duplicates() {
      var plugins = Plugins.none().discover(List.of(provider("web", 1))).add(provider("web", 2));
      assertThatThrownBy(() -> PluginRegistry.of(plugins))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("two plugins with the id web")
          .hasMessageContaining(TestProvider.class.getName())
          .hasMessageContaining("test-classes");
    }

    @Test
    @DisplayName("reports every provider that cannot be loaded, with the reason")
    void unloadable() {
      Iterable<PluginProvider> broken =
          () -> new FailingIterator(List.of(fault("first"), provider("a", 1), fault("second")));
      assertThatThrownBy(() -> PluginRegistry.of(Plugins.none().discover(broken)))
          .hasMessageContaining("first")
          .hasMessageContaining("second");
    }

    @Test
    @DisplayName("reports every class that does not link, whose error the loader throws unwrapped")
    void unlinked() {
      Iterable<PluginProvider> broken =
          () ->
              new FailingIterator(
                  List.of(
                      new NoClassDefFoundError("com/acme/Gone"),
                      provider("a", 1),
                      new UnsupportedClassVersionError("com/acme/Newer is too new")));
      assertThatThrownBy(() -> PluginRegistry.of(Plugins.none().discover(broken)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "plugins: a plugin cannot be loaded: java.lang.NoClassDefFoundError: com/acme/Gone;"
                  + " a plugin cannot be loaded: java.lang.UnsupportedClassVersionError:"
                  + " com/acme/Newer is too new");
    }

    @Test
    @DisplayName("gives up on a loader that never stops failing")
    void endless() {
      Iterable<PluginProvider> endless =
          () ->
              new Iterator<>() {
                @Override
                public boolean hasNext() {
                  throw new ServiceConfigurationError("again");
                }

                @Override
                public PluginProvider next() {
                  throw new ServiceConfigurationError("again");
                }
              };
      assertThatThrownBy(() -> PluginRegistry.of(Plugins.none().discover(endless)))
          .hasMessageContaining("again");
    }

    private ServiceConfigurationError fault(String name) {
      return new ServiceConfigurationError(name, new IllegalStateException("no " + name));
    }

    private record FailingIterator(ArrayList<Object> remaining)
        implements Iterator<PluginProvider> {
      FailingIterator(List<?> remaining) {
        this(new ArrayList<>(remaining));
      }

      @Override
      public boolean hasNext() {
        return !remaining.isEmpty();
      }

      @Override
      public PluginProvider next() {
        Object next = remaining.removeFirst();
        if (next instanceof Error fault) {
          throw fault;
        }
        return (PluginProvider) next;
      }
    }

    @Test
    @DisplayName("replaces a plugin only if there is one, and only with a plugin of the same id")
    void replace() {
      var base = Plugins.none().add(provider("web", 1));
      var mine = provider("web", 9);
      assertThat(PluginRegistry.of(base.replace("web", mine)).descriptors())
          .contains(mine.descriptor())
          .hasSize(2);
      assertThatThrownBy(() -> PluginRegistry.of(base.replace("web", provider("other", 1))))
          .hasMessageContaining("its own id is other");
      assertThatThrownBy(() -> PluginRegistry.of(base.replace("gone", provider("gone", 1))))
          .hasMessageContaining("no plugin with the id gone")
          .hasMessageContaining("[moderation, web]");
    }

    @Test
    @DisplayName("refuses two plugins with the same model slug")
    void slugs() {
      assertThatThrownBy(() -> registry(provider("a", 1, "router/x"), provider("b", 1, "Router/X")))
          .hasMessageContaining("the plugins a and b");
    }

    @Test
    @DisplayName("reports a provider whose descriptor() throws")
    void describesItself() {
      PluginProvider broken =
          new PluginProvider() {
            @Override
            public Descriptor descriptor() {
              throw new IllegalStateException("nothing to say");
            }

            @Override
            public Plugin create(PluginConfig config, Catalog catalog) {
              return new Plugin.Inactive("never");
            }
          };
      assertThatThrownBy(() -> registry(broken)).hasMessageContaining("nothing to say");
    }

    @Test
    @DisplayName("refuses two tools of the same type and finds a tool by its type")
    void tools() {
      ServerTool clock = tool("router:clock");
      var a = new TestProvider(provider("a", 1).descriptor(), List.of(clock));
      var b = new TestProvider(provider("b", 1).descriptor(), List.of(tool("router:clock")));
      assertThatThrownBy(() -> registry(a, b)).hasMessageContaining("router:clock");
      assertThat(registry(a).tool("router:clock")).isSameAs(clock);
      assertThat(registry(a).tools()).containsExactly(clock);
      assertThat(registry(a).tool("router:other")).isNull();
      assertThat(registry(a).toolTypes()).containsExactly("router:clock");
    }

    @ParameterizedTest
    @ValueSource(strings = {"function", "web_search", "", ":x", "acme:", "a b:x", "a:b:c"})
    @DisplayName("refuses a tool whose type does not have a form like acme:lookup")
    void toolTypes(String type) {
      assertThatThrownBy(
              () -> registry(new TestProvider(provider("a", 1).descriptor(), List.of(tool(type)))))
          .hasMessageContaining(
              "has the type " + type + ", which must have a form like acme:lookup");
    }

    @Test
    @DisplayName("reports a provider whose tools() throws")
    void namesTools() {
      PluginProvider broken =
          new PluginProvider() {
            @Override
            public Descriptor descriptor() {
              return provider("a", 1).descriptor();
            }

            @Override
            public List<ServerTool> tools() {
              throw new IllegalStateException("no tools to name");
            }

            @Override
            public Plugin create(PluginConfig config, Catalog catalog) {
              return new Plugin.Inactive("never");
            }
          };
      assertThatThrownBy(() -> registry(broken))
          .hasMessageContaining("failed to list its tools")
          .hasMessageContaining("no tools to name");
    }

    private ServerTool tool(String type) {
      return new ServerTool() {
        @Override
        public Spec spec() {
          return new Spec(type, "for a test", Json.Obj.EMPTY);
        }

        @Override
        public Json run(Invocation call, Interceptor.Chain chain) {
          return Json.NULL;
        }
      };
    }

    @Test
    @DisplayName("checks the configuration of plugins that run on every request")
    void always() {
      var base = Plugins.none().add(provider("a", 1));
      var wrong = members("score", Json.of(2));
      assertThatThrownBy(() -> PluginRegistry.of(base.always("a", wrong)))
          .hasMessageContaining(
              "running a on every request: /score: must be a number from 0 to 1, was 2");
      assertThatThrownBy(() -> PluginRegistry.of(base.always("b", Json.Obj.EMPTY)))
          .hasMessageContaining("must be one of a");
    }

    @Proves("open.57")
    @Test
    @DisplayName("always contains moderation, which the host can replace only explicitly")
    void moderation() {
      PluginRegistry none = PluginRegistry.of(Plugins.none());
      assertThat(none.descriptors()).extracting(Descriptor::id).containsExactly("moderation");
      var own = new ModerationProvider();
      assertThatThrownBy(() -> PluginRegistry.of(Plugins.none().add(own)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("two plugins with the id moderation")
          .hasMessageContaining("replace the first with the second if that is meant");
      assertThat(PluginRegistry.of(Plugins.none().replace("moderation", own)).descriptors())
          .hasSize(1);
    }

    @Test
    @DisplayName("is built from an immutable value, which adding a plugin does not change")
    void value() {
      var base = Plugins.none().add(provider("a", 1));
      base.add(provider("a", 2));
      assertThat(PluginRegistry.of(base).descriptors())
          .extracting(Descriptor::id)
          .containsExactly("a", "moderation");
    }
  }

  @Nested
  @DisplayName("when it checks a request's entries")
  class Checking {
    private final PluginRegistry registry = registry(provider("b", 1), provider("a", 2));

    @Proves({"plugins.common.id", "plugins.common.ids"})
    @Test
    @DisplayName("names the known ids when it does not know one")
    void unknown() {
      assertThat(problems(registry, entry("c", Json.Obj.EMPTY)))
          .containsExactly("/plugins/0/id: must be one of b, a, moderation, was \"c\"");
      assertThat(problems(registry(), entry("c", Json.Obj.EMPTY)))
          .containsExactly("/plugins/0/id: must be one of moderation, was \"c\"");
    }

    @Test
    @DisplayName("points at every wrong member, also of an entry that is switched off")
    void pointers() {
      var wrong =
          Json.object()
              .put("enabled", false)
              .put("score", Json.of("high"))
              .put("calls", 17)
              .put("models", Json.array(Json.of("x"), Json.of(1)))
              .build();
      assertThat(problems(registry, entry("a", Json.Obj.EMPTY), entry("b", wrong)))
          .containsExactly(
              "/plugins/1/score: must be a number from 0 to 1, was \"high\"",
              "/plugins/1/calls: must be a whole number from 1 to 16, was 17",
              "/plugins/1/models/1: must be a string, was 1");
    }

    @Test
    @DisplayName("refuses null and ignores unknown members")
    void nothing() {
      var config = Json.object().put("score", Json.NULL).put("key", Json.NULL).build();
      assertThat(problems(registry, entry("a", config)))
          .containsExactlyInAnyOrder(
              "/plugins/0/score: must not be null", "/plugins/0/key: must not be null");
      assertThat(problems(registry, entry("a", members("later", Json.NULL)))).isEmpty();
    }

    @Test
    @DisplayName("never repeats the value of a secret")
    void secret() {
      assertThat(problems(registry, entry("a", members("key", Json.of("sk-secret")))))
          .containsExactly("/plugins/0/key: must be right");
    }

    @Test
    @DisplayName("refuses to switch off a plugin that cannot be switched off")
    void notSwitchable() {
      var fixed =
          Descriptor.router("fixed").order(1).schema(new ConfigSchema(List.of(), false)).build();
      var registry = registry(new TestProvider(fixed, List.of()));
      assertThat(problems(registry, entry("fixed", members("enabled", Json.FALSE))))
          .containsExactly(
              "/plugins/0/enabled: must not be false: an entry cannot switch fixed off, was false");
      assertThat(problems(registry, entry("fixed", members("enabled", Json.TRUE)))).isEmpty();
    }
  }

  @Nested
  @DisplayName("for one request")
  class ForOneRequest {
    @Test
    @DisplayName("finds the router of a model's slug, in upper or lower case")
    void slug() {
      var registry = registry(provider("a", 1, "router/auto"));
      assertThat(registry.pluginOfSlug("Router/AUTO")).isEqualTo(registry.descriptor("a"));
      assertThat(registry.pluginOfSlug("author/model")).isNull();
    }
  }

  @Test
  @DisplayName(
      "refuses misspelt members of saved entries, which would leave a plugin without limits")
  void misspelt() {
    PluginFixtures.Provider child = PluginFixtures.router("child", 2);
    child.inheritsFrom = List.of("parent");
    PluginRegistry registry =
        PluginRegistry.of(
            PluginFixtures.plugins(
                new TestProvider(
                    Descriptor.router("parent")
                        .fields(Fields.integer("limit", 0, 9, 1L, "Limit."))
                        .build(),
                    List.of()),
                child));
    var settings =
        new PluginSettings(
            List.of(
                PluginFixtures.entry("parent", Json.object().put("limt", 3)),
                PluginFixtures.entry("parent", Json.object().put("limit", 3).put("depth", 2)),
                PluginFixtures.entry("child", Json.object().put("limit", 3).put("enabled", false)),
                PluginFixtures.entry("child", Json.object().put("prevent_overrides", true))),
            Map.of());
    assertThat(registry.problems(settings, new BoundedCloser(new SystemAmbient())))
        .extracting(Problem::toString)
        .containsExactly(
            "/plugins/defaults/0/limt: is not a member of parent; allowed: id, enabled,"
                + " prevent_overrides, limit, depth, width",
            "/plugins/defaults/2/limit: is not a member of child; allowed: id, enabled,"
                + " prevent_overrides, depth, width");
  }
}
