package io.strowger.core.registry;

import static io.strowger.core.registry.RouterWords.CATALOG;
import static io.strowger.core.registry.RouterWords.DEPTH;
import static io.strowger.core.registry.RouterWords.asking;
import static io.strowger.core.registry.RouterWords.depth;
import static io.strowger.core.registry.RouterWords.entry;
import static io.strowger.core.registry.RouterWords.made;
import static io.strowger.core.registry.RouterWords.plugins;
import static io.strowger.core.registry.RouterWords.provider;
import static io.strowger.core.registry.RouterWords.ready;
import static io.strowger.core.registry.RouterWords.router;
import static io.strowger.tck.Given.catalog;
import static io.strowger.tck.Given.endpoint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.strowger.core.config.Plugins;
import io.strowger.core.plan.PluginFailureException;
import io.strowger.core.registry.RouterWords.Provider;
import io.strowger.core.registry.RouterWords.Router;
import io.strowger.core.routing.RouterStep;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import io.strowger.spi.routing.ModelRef;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("Plugins made ready for a catalog")
class PreparedPluginsTest {
  @Nested
  @DisplayName("when they are made ready")
  class Preparing {
    @Test
    @DisplayName("are made once per catalog, however many requests follow")
    void once() {
      Provider auto = router("auto", 1, "router/auto");
      var registry = PluginRegistry.of(plugins(auto));
      PreparedPlugins ready = registry.prepare(CATALOG);
      for (int i = 0; i < 5; i++) {
        ready.steps(asking("router/auto")).forEach(ready::find);
      }
      assertThat(auto.made).isEqualTo(1);
      assertThat(auto.catalogs).containsExactly(CATALOG);
      Catalog next = catalog(endpoint("p", "acme/two", "1"));
      PreparedPlugins later = registry.prepare(next);
      RouterStep step = later.steps(asking("router/auto")).getFirst();
      assertThat(made(later, step).over()).isSameAs(next);
      assertThat(made(ready, step).over()).isSameAs(CATALOG);
    }

    @Test
    @DisplayName("fail the whole when one throws, and all that throw are named")
    void throwing() {
      PluginProvider broken =
          new PluginProvider() {
            @Override
            public Descriptor descriptor() {
              return provider("broken", 1, config -> new Plugin.Inactive("")).descriptor();
            }

            @Override
            public Plugin create(PluginConfig config, Catalog catalog) {
              throw new IllegalStateException("no scores in " + catalog.version());
            }
          };
      var refuses =
          provider(
              "refuses",
              0,
              config -> {
                throw new IllegalArgumentException("not like this");
              });
      var registry = PluginRegistry.of(plugins(refuses, broken));
      assertThatThrownBy(() -> registry.prepare(CATALOG))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("broken, " + broken.getClass().getName())
          .hasMessageContaining("could not create a plugin from its defaults for catalog test")
          .hasMessageContaining("no scores in test")
          .hasMessageContaining("refuses, ")
          .hasMessageContaining("not like this");
    }

    @Test
    @DisplayName("refuse defaults that do not hold, are given twice, or are of no plugin")
    void defaults() {
      Plugins plugins = plugins(router("auto", 1, "router/auto"));
      assertThatThrownBy(() -> ready(plugins, entry("auto", depth(100))))
          .hasMessageContaining("/plugins/defaults/0/depth: must be a whole number from 1 to 99");
      assertThatThrownBy(() -> ready(plugins, entry("other", depth(1))))
          .hasMessageContaining("/plugins/defaults/0/id: must be one of auto");
      assertThatThrownBy(() -> ready(plugins, entry("auto", depth(1)), entry("auto", depth(1))))
          .hasMessageContaining("two saved entries for auto");
    }
  }

  @Nested
  @DisplayName("for a request")
  class Steps {
    @Test
    @DisplayName("act for each of their slugs it names, in any case and with any variant")
    void slugs() {
      PreparedPlugins ready = ready(plugins(router("auto", 1, "router/auto", "router/best")));
      assertThat(ready.steps(asking("acme/one Router/AUTO:nitro router/best acme/one:free")))
          .extracting(RouterStep::plugin, RouterStep::version, RouterStep::modelIndex)
          .containsExactly(tuple("auto", "7", 1), tuple("auto", "7", 2));
      assertThat(ready.steps(asking("acme/one router/automatic"))).isEmpty();
    }

    @Test
    @DisplayName("act on every request when the host says so, and in the order of descriptors")
    void order() {
      Plugins plugins =
          plugins(router("b", 5, "router/b"), router("a", 5, "router/a"), router("house", 1))
              .always("house", Json.Obj.EMPTY)
              .always("b", Json.Obj.EMPTY);
      PreparedPlugins ready = ready(plugins);
      assertThat(ready.steps(asking("router/b router/a acme/one")))
          .extracting(RouterStep::plugin, RouterStep::modelIndex)
          .containsExactly(
              tuple("house", RouterStep.EVERY_REQUEST),
              tuple("a", 1),
              tuple("b", 0),
              tuple("b", RouterStep.EVERY_REQUEST));
      assertThat(ready.steps(asking("acme/one")))
          .extracting(RouterStep::plugin)
          .containsExactly("house", "b");
      assertThat(ready.steps(asking("acme/one", entry("b", Json.object().put("enabled", false)))))
          .extracting(RouterStep::plugin)
          .containsExactly("house");
    }

    @Test
    @DisplayName("record what they read of the request, the account's model included")
    void facts() {
      PreparedPlugins ready = ready(plugins(router("auto", 1, "router/auto")));
      InferenceRequest nameless = asking("x").toBuilder().models(List.of()).build();
      assertThat(ready.steps(nameless)).isEmpty();
      assertThat(ready.steps(nameless, List.of(ModelRef.parse("router/auto"))))
          .extracting(RouterStep::facts)
          .containsExactly(Json.of(1));
    }

    @Test
    @DisplayName("are made once for equal configurations")
    void cached() {
      Provider auto = router("auto", 1, "router/auto");
      PreparedPlugins ready = ready(plugins(auto));
      int before = auto.made;
      for (int i = 0; i < 10; i++) {
        ready.steps(asking("router/auto", entry("auto", depth(3)))).forEach(ready::find);
      }
      assertThat(auto.made).isEqualTo(before + 1);
      for (int i = 1; i <= 99; i++) {
        RouterStep step = ready.steps(asking("router/auto", entry("auto", depth(i)))).getFirst();
        assertThat(made(ready, step).depth()).isEqualTo(i);
      }
    }

    @Test
    @DisplayName("are not there for a step of another plugin, and refuse one of another schema")
    void foreign() {
      PreparedPlugins ready = ready(plugins(router("auto", 1, "router/auto")));
      assertThat(ready.find(new RouterStep("gone", "1", 0, Json.Obj.EMPTY, Json.NULL))).isNull();
      var other = new RouterStep("auto", "6", 0, depth(100).build(), Json.NULL);
      assertThatThrownBy(() -> ready.find(other))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the configuration of auto")
          .hasMessageContaining("/depth");
    }

    @Test
    @DisplayName("fail under their own name when they throw or give nothing")
    void failures() {
      var facts =
          provider(
              "curious",
              1,
              config ->
                  new RouterPlugin() {
                    @Override
                    public Json facts(InferenceRequest request) {
                      throw new IllegalStateException("cannot read");
                    }

                    @Override
                    public Selection select(Candidates candidates) {
                      return Selection.PASS;
                    }
                  },
              "router/curious");
      var picky =
          provider(
              "picky",
              1,
              config -> {
                if (config.isSet(DEPTH)) {
                  throw new UnsupportedOperationException("no depth");
                }
                return new Router(1, 1, CATALOG);
              },
              "router/picky");
      PreparedPlugins ready = ready(plugins(facts, picky));
      assertThatThrownBy(() -> ready.steps(asking("router/curious")))
          .isInstanceOfSatisfying(
              PluginFailureException.class, e -> assertThat(e.plugin()).isEqualTo("curious"))
          .hasRootCauseMessage("cannot read");
      assertThatThrownBy(() -> ready.steps(asking("router/picky", entry("picky", depth(2)))))
          .isInstanceOfSatisfying(
              PluginFailureException.class, e -> assertThat(e.plugin()).isEqualTo("picky"))
          .hasRootCauseMessage("no depth");
    }
  }
}
