package io.strowger.core.registry;

import static io.strowger.core.registry.RouterWords.CATALOG;
import static io.strowger.core.registry.RouterWords.DEPTH;
import static io.strowger.core.registry.RouterWords.WIDTH;
import static io.strowger.core.registry.RouterWords.asking;
import static io.strowger.core.registry.RouterWords.depth;
import static io.strowger.core.registry.RouterWords.entry;
import static io.strowger.core.registry.RouterWords.interceptor;
import static io.strowger.core.registry.RouterWords.plugins;
import static io.strowger.core.registry.RouterWords.ready;
import static io.strowger.core.registry.RouterWords.router;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.config.Plugins;
import io.strowger.core.plan.PluginFailureException;
import io.strowger.core.registry.RouterWords.Provider;
import io.strowger.core.registry.RouterWords.Router;
import io.strowger.core.routing.RouterStep;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("Interceptors made ready for a catalog")
class PreparedInterceptorsTest {
  /** Says what it was made with. */
  private record Around(long depth, long width) implements Interceptor {
    @Override
    public Scope scope() {
      return Scope.REQUEST;
    }

    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      throw new AssertionError("never run");
    }
  }

  private static Provider around(String id, int position) {
    return interceptor(id, position, config -> new Around(config.get(DEPTH), config.get(WIDTH)));
  }

  private static Json.Obj.Builder switchedOff() {
    return Json.object().put("enabled", false);
  }

  private static Json.Obj.Builder nothing() {
    return Json.object();
  }

  /** The ids of those that act, each with its depth and width. */
  private static List<String> acting(PreparedPlugins ready, InferenceRequest request) {
    return ready.interceptors(request).stream()
        .map(
            one ->
                one.interceptor() instanceof Around(long depth, long width)
                    ? one.descriptor().id() + " " + depth + " " + width
                    : one.descriptor().id())
        .toList();
  }

  @Nested
  @DisplayName("act on a request")
  class Acting {
    @Proves("open.58")
    @Test
    @DisplayName("that names them, in the order of their descriptors and not of the request")
    void order() {
      PreparedPlugins ready = ready(plugins(around("b", 5), around("a", 5), around("z", 1)));
      assertThat(
              acting(
                  ready,
                  asking(
                      "acme/one",
                      entry("b", nothing()),
                      entry("z", depth(3)),
                      entry("a", nothing()))))
          .containsExactly("z 3 1", "a 1 1", "b 1 1");
      assertThat(acting(ready, asking("acme/one", entry("b", nothing())))).containsExactly("b 1 1");
    }

    @Proves("plugins.common.defaults")
    @Test
    @DisplayName("that says nothing only when account or host have it so")
    void unasked() {
      Plugins plugins =
          plugins(around("a", 1), around("b", 2), around("c", 3), around("d", 4))
              .always("c", depth(7).build());
      PreparedPlugins ready = ready(plugins, entry("b", depth(2)), entry("d", switchedOff()));
      assertThat(acting(ready, asking("acme/one"))).containsExactly("b 2 1", "c 7 1");
      assertThat(acting(ready, asking("acme/one", entry("d", nothing()))))
          .containsExactly("b 2 1", "c 7 1", "d 1 1");
    }

    @Proves({"plugin.enabled", "plugins.common.off"})
    @Test
    @DisplayName("unless it switches them off")
    void disabled() {
      Plugins plugins = plugins(around("a", 1), around("b", 2)).always("b", Json.Obj.EMPTY);
      PreparedPlugins ready = ready(plugins, entry("a", depth(2)));
      assertThat(
              acting(
                  ready, asking("acme/one", entry("a", switchedOff()), entry("b", switchedOff()))))
          .isEmpty();
    }

    @Proves("plugins.common.defaults")
    @Test
    @DisplayName("with its members over the account's, and those over the host's, one by one")
    void members() {
      Plugins plugins = plugins(around("a", 1)).always("a", depth(1).put("width", 2).build());
      PreparedPlugins ready = ready(plugins, entry("a", depth(5)));
      assertThat(acting(ready, asking("acme/one"))).containsExactly("a 5 2");
      assertThat(acting(ready, asking("acme/one", entry("a", Json.object().put("width", 9)))))
          .containsExactly("a 5 9");
    }

    @Proves("plugins.common.prevent-overrides")
    @Test
    @DisplayName("whatever it says, when the account's settings are final, and it is told so")
    void last() {
      PreparedPlugins ready =
          ready(
              plugins(around("a", 1), around("b", 2)),
              entry("a", depth(5).put("prevent_overrides", true)),
              entry("b", switchedOff().put("prevent_overrides", true)));
      InferenceRequest request =
          asking("acme/one", entry("a", switchedOff()), entry("b", depth(3)));
      assertThat(acting(ready, request)).containsExactly("a 5 1");
      assertThat(ready.notes(request))
          .containsExactly(
              new TraceEntry.Note("a", "without effect: the account's settings are final"),
              new TraceEntry.Note("b", "without effect: the account's settings are final"));
      assertThat(ready.notes(asking("acme/one"))).isEmpty();
    }

    @Test
    @DisplayName("with what was saved for their kin, which does not switch them on")
    void kin() {
      Provider a = around("a", 1);
      a.kin = List.of("b");
      PreparedPlugins ready =
          ready(plugins(a, around("b", 2)), entry("b", depth(5).put("prevent_overrides", true)));
      assertThat(acting(ready, asking("acme/one"))).containsExactly("b 5 1");
      assertThat(acting(ready, asking("acme/one", entry("a", nothing()))))
          .containsExactly("a 5 1", "b 5 1");
    }

    @Test
    @DisplayName("beside routers, which are no interceptors")
    void beside() {
      PreparedPlugins ready = ready(plugins(router("auto", 1, "router/auto"), around("a", 2)));
      InferenceRequest request =
          asking("router/auto", entry("auto", depth(2)), entry("a", nothing()));
      assertThat(acting(ready, request)).containsExactly("a 1 1");
      assertThat(ready.steps(request)).extracting(RouterStep::plugin).containsExactly("auto");
      assertThat(ready.notes(request)).isEmpty();
    }

    @Test
    @DisplayName("made once for equal configurations, and cost nothing where none acts")
    void once() {
      Provider a = around("a", 1);
      PreparedPlugins ready = ready(plugins(a));
      int before = a.made;
      assertThat(ready.interceptors(asking("acme/one"))).isSameAs(List.of());
      assertThat(a.made).isEqualTo(before);
      InferenceRequest request = asking("acme/one", entry("a", nothing()));
      ready.interceptors(request);
      ready.interceptors(request);
      assertThat(a.made).isEqualTo(before);
      ready.interceptors(asking("acme/one", entry("a", depth(3))));
      assertThat(a.made).isEqualTo(before + 1);
    }
  }

  @Nested
  @DisplayName("that are not what they should be")
  class Misfits {
    private Plugin choosy(@Nullable Long depth) {
      return depth == null || depth == 1 ? new Plugin.Inactive("no depth") : new Around(depth, 1);
    }

    @Test
    @DisplayName("are left out with a note when they have nothing to do")
    void inactive() {
      var choosy = interceptor("choosy", 1, config -> choosy(config.get(DEPTH)));
      PreparedPlugins ready = ready(plugins(choosy));
      var notes = new ArrayList<TraceEntry.Note>();
      assertThat(ready.interceptors(asking("x", entry("choosy", nothing())), List.of(), notes::add))
          .isEmpty();
      assertThat(notes)
          .containsExactly(new TraceEntry.Note("choosy", "has nothing to do: no depth"));
      assertThat(acting(ready, asking("x", entry("choosy", depth(4)))))
          .containsExactly("choosy 4 1");
      assertThat(ready.notes(asking("x", entry("choosy", nothing())))).isEmpty();
    }

    @Test
    @DisplayName("act where the host runs them, also when their defaults do not tell what they are")
    void inactiveAlways() {
      var choosy = interceptor("choosy", 1, config -> choosy(config.get(DEPTH)));
      PreparedPlugins ready = ready(plugins(choosy).always("choosy", Json.Obj.EMPTY));
      assertThat(acting(ready, asking("x", entry("choosy", depth(4)))))
          .containsExactly("choosy 4 1");
      assertThat(ready.steps(asking("x", entry("choosy", depth(4))))).isEmpty();
    }

    @Test
    @DisplayName("fail the request under their own name when they throw or turn into routers")
    void failures() {
      var picky =
          interceptor(
              "picky",
              1,
              config -> {
                if (config.isSet(DEPTH)) {
                  throw new UnsupportedOperationException("no depth");
                }
                return new Around(1, 1);
              });
      var fickle =
          interceptor(
              "fickle",
              2,
              config -> config.isSet(DEPTH) ? new Router(1, 1, CATALOG) : new Around(1, 1));
      PreparedPlugins ready = ready(plugins(picky, fickle));
      assertThatThrownBy(() -> ready.interceptors(asking("x", entry("picky", depth(2)))))
          .isInstanceOfSatisfying(
              PluginFailureException.class, e -> assertThat(e.plugin()).isEqualTo("picky"))
          .hasRootCauseMessage("no depth");
      assertThatThrownBy(() -> ready.interceptors(asking("x", entry("fickle", depth(2)))))
          .isInstanceOfSatisfying(
              PluginFailureException.class, e -> assertThat(e.plugin()).isEqualTo("fickle"))
          .hasMessageContaining("which is no interceptor");
    }
  }

  @Nested
  @DisplayName("that stand for a model")
  class Slugs {
    private PreparedPlugins searching() {
      return ready(plugins(interceptor("web", 1, config -> new Around(1, 1), "router/Searching")));
    }

    @Test
    @DisplayName("act on requests for it, in any case and with any variant, and on no others")
    void named() {
      assertThat(acting(searching(), asking("router/searching"))).containsExactly("web 1 1");
      assertThat(acting(searching(), asking("ROUTER/searching:nitro"))).containsExactly("web 1 1");
      assertThat(searching().interceptors(asking("acme/one"))).isSameAs(List.of());
    }

    @Test
    @DisplayName("act on requests without a model where it is the account's default")
    void byDefault() {
      InferenceRequest unnamed = asking("x").toBuilder().models(List.of()).build();
      assertThat(
              searching()
                  .interceptors(unnamed, List.of(ModelRef.parse("router/searching")), note -> {}))
          .hasSize(1);
    }

    @Test
    @DisplayName("act though the request switches them off, which only drops its entry")
    void off() {
      InferenceRequest request = asking("router/searching", entry("web", switchedOff()));
      assertThat(acting(searching(), request)).containsExactly("web 1 1");
      assertThat(searching().notes(request))
          .extracting(TraceEntry.Note::text)
          .containsExactly(
              "enabled:false only drops the entry: the model asked for is this router");
    }
  }
}
