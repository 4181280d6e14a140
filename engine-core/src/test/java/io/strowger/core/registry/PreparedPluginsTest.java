package io.strowger.core.registry;

import static io.strowger.core.registry.PluginFixtures.CATALOG;
import static io.strowger.core.registry.PluginFixtures.DEPTH;
import static io.strowger.core.registry.PluginFixtures.depth;
import static io.strowger.core.registry.PluginFixtures.entry;
import static io.strowger.core.registry.PluginFixtures.plugins;
import static io.strowger.core.registry.PluginFixtures.prepare;
import static io.strowger.core.registry.PluginFixtures.provider;
import static io.strowger.core.registry.PluginFixtures.requestFor;
import static io.strowger.core.registry.PluginFixtures.router;
import static io.strowger.core.registry.PluginFixtures.routerOf;
import static io.strowger.tck.Given.catalog;
import static io.strowger.tck.Given.endpoint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.strowger.core.config.Plugins;
import io.strowger.core.plan.PluginFailureException;
import io.strowger.core.registry.PluginFixtures.Provider;
import io.strowger.core.registry.PluginFixtures.Router;
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

@DisplayName("Plugins prepared for a catalog")
class PreparedPluginsTest {
  @Nested
  @DisplayName("when they are prepared")
  class Preparing {
    @Test
    @DisplayName("are created once for each catalog, however many requests follow")
    void once() {
      Provider auto = router("auto", 1, "router/auto");
      var registry = PluginRegistry.of(plugins(auto));
      PreparedPlugins prepared = registry.prepare(CATALOG);
      for (int i = 0; i < 5; i++) {
        prepared.steps(requestFor("router/auto")).forEach(prepared::find);
      }
      assertThat(auto.createdCount).isEqualTo(1);
      assertThat(auto.catalogs).containsExactly(CATALOG);
      Catalog next = catalog(endpoint("p", "acme/two", "1"));
      PreparedPlugins later = registry.prepare(next);
      RouterStep step = later.steps(requestFor("router/auto")).getFirst();
      assertThat(routerOf(later, step).catalog()).isSameAs(next);
      assertThat(routerOf(prepared, step).catalog()).isSameAs(CATALOG);
    }

    @Test
    @DisplayName("make the preparation fail when one throws, and all that throw are named")
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
    @DisplayName("refuse defaults that are invalid, given twice, or of an unknown plugin")
    void defaults() {
      Plugins plugins = plugins(router("auto", 1, "router/auto"));
      assertThatThrownBy(() -> prepare(plugins, entry("auto", depth(100))))
          .hasMessageContaining("/plugins/defaults/0/depth: must be a whole number from 1 to 99");
      assertThatThrownBy(() -> prepare(plugins, entry("other", depth(1))))
          .hasMessageContaining("/plugins/defaults/0/id: must be one of auto");
      assertThatThrownBy(() -> prepare(plugins, entry("auto", depth(1)), entry("auto", depth(1))))
          .hasMessageContaining("two saved entries for auto");
    }
  }

  @Nested
  @DisplayName("for a request")
  class Steps {
    @Test
    @DisplayName("act once for each of their slugs in it, in any letter case and with any variant")
    void slugs() {
      PreparedPlugins prepared = prepare(plugins(router("auto", 1, "router/auto", "router/best")));
      assertThat(prepared.steps(requestFor("acme/one Router/AUTO:nitro router/best acme/one:free")))
          .extracting(RouterStep::plugin, RouterStep::version, RouterStep::modelIndex)
          .containsExactly(tuple("auto", "7", 1), tuple("auto", "7", 2));
      assertThat(prepared.steps(requestFor("acme/one router/automatic"))).isEmpty();
    }

    @Test
    @DisplayName(
        "act on every request if the host configures it, in the order of their descriptors")
    void order() {
      Plugins plugins =
          plugins(router("b", 5, "router/b"), router("a", 5, "router/a"), router("house", 1))
              .always("house", Json.Obj.EMPTY)
              .always("b", Json.Obj.EMPTY);
      PreparedPlugins prepared = prepare(plugins);
      assertThat(prepared.steps(requestFor("router/b router/a acme/one")))
          .extracting(RouterStep::plugin, RouterStep::modelIndex)
          .containsExactly(
              tuple("house", RouterStep.EVERY_REQUEST),
              tuple("a", 1),
              tuple("b", 0),
              tuple("b", RouterStep.EVERY_REQUEST));
      assertThat(prepared.steps(requestFor("acme/one")))
          .extracting(RouterStep::plugin)
          .containsExactly("house", "b");
      assertThat(
              prepared.steps(
                  requestFor("acme/one", entry("b", Json.object().put("enabled", false)))))
          .extracting(RouterStep::plugin)
          .containsExactly("house");
    }

    @Test
    @DisplayName(
        "record the facts of the request, with the account's default models if it names none")
    void facts() {
      PreparedPlugins prepared = prepare(plugins(router("auto", 1, "router/auto")));
      InferenceRequest nameless = requestFor("x").toBuilder().models(List.of()).build();
      assertThat(prepared.steps(nameless)).isEmpty();
      assertThat(prepared.steps(nameless, List.of(ModelRef.parse("router/auto"))))
          .extracting(RouterStep::facts)
          .containsExactly(Json.of(1));
    }

    @Test
    @DisplayName("are created once for equal configurations")
    void cached() {
      Provider auto = router("auto", 1, "router/auto");
      PreparedPlugins prepared = prepare(plugins(auto));
      int before = auto.createdCount;
      for (int i = 0; i < 10; i++) {
        prepared.steps(requestFor("router/auto", entry("auto", depth(3)))).forEach(prepared::find);
      }
      assertThat(auto.createdCount).isEqualTo(before + 1);
      for (int i = 1; i <= 99; i++) {
        RouterStep step =
            prepared.steps(requestFor("router/auto", entry("auto", depth(i)))).getFirst();
        assertThat(routerOf(prepared, step).depth()).isEqualTo(i);
      }
    }

    @Test
    @DisplayName(
        "are not found for a step of an unknown plugin; a step whose configuration violates the"
            + " plugin's schema is refused")
    void foreign() {
      PreparedPlugins prepared = prepare(plugins(router("auto", 1, "router/auto")));
      assertThat(prepared.find(new RouterStep("gone", "1", 0, Json.Obj.EMPTY, Json.NULL))).isNull();
      var other = new RouterStep("auto", "6", 0, depth(100).build(), Json.NULL);
      assertThatThrownBy(() -> prepared.find(other))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the configuration of auto")
          .hasMessageContaining("/depth");
    }

    @Test
    @DisplayName(
        "fail the request with their own id when create() or facts() throws, or facts() gives null")
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
      var factless =
          provider(
              "factless",
              1,
              config ->
                  new RouterPlugin() {
                    @Override
                    @SuppressWarnings("NullAway") // against the contract
                    public Json facts(InferenceRequest request) {
                      return null;
                    }

                    @Override
                    public Selection select(Candidates candidates) {
                      return Selection.PASS;
                    }
                  },
              "router/factless");
      PreparedPlugins prepared = prepare(plugins(facts, picky, factless));
      assertThatThrownBy(() -> prepared.steps(requestFor("router/curious")))
          .isInstanceOfSatisfying(
              PluginFailureException.class, e -> assertThat(e.plugin()).isEqualTo("curious"))
          .hasRootCauseMessage("cannot read");
      assertThatThrownBy(() -> prepared.steps(requestFor("router/factless")))
          .isInstanceOfSatisfying(
              PluginFailureException.class, e -> assertThat(e.plugin()).isEqualTo("factless"))
          .hasRootCauseMessage("facts returned null");
      assertThatThrownBy(() -> prepared.steps(requestFor("router/picky", entry("picky", depth(2)))))
          .isInstanceOfSatisfying(
              PluginFailureException.class, e -> assertThat(e.plugin()).isEqualTo("picky"))
          .hasRootCauseMessage("no depth");
    }
  }
}
