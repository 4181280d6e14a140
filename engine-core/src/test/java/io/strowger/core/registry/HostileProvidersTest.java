package io.strowger.core.registry;

import static io.strowger.tck.Given.catalog;
import static io.strowger.tck.Given.endpoint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.ambient.BoundedCloser;
import io.strowger.core.ambient.FastClockAmbient;
import io.strowger.core.config.PluginSettings;
import io.strowger.core.config.Plugins;
import io.strowger.core.decode.Problems;
import io.strowger.core.plan.PluginFailureException;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.plugin.ConfigSchema;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.tck.TestAmbient;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A plugin provider that violates its contract")
class HostileProvidersTest {
  private static final Catalog CATALOG = catalog(endpoint("acme/a", "alpha", "1"));

  private static final Field<Json> FAILS =
      new Field<>(
          "fails",
          (given, problems) -> {
            throw new NoClassDefFoundError("sk-secret");
          },
          Json.NULL,
          "Cannot be read.",
          Json.Obj.EMPTY,
          false);

  private final TestAmbient ambient = TestAmbient.realTime();
  private final BoundedCloser closer = new BoundedCloser(ambient);
  private final Queue<String> closed = new ConcurrentLinkedQueue<>();

  private interface CloseAction {
    void run() throws InterruptedException;
  }

  /** A provider that keeps the contract, except in what a test overrides. */
  private class Provider implements PluginProvider.Configurable, AutoCloseable {
    final String name;
    CloseAction closeAction = () -> {};

    Provider(String name) {
      this.name = name;
    }

    @Override
    public Descriptor descriptor() {
      return Descriptor.interceptor("hostile").schema(ConfigSchema.of(FAILS)).build();
    }

    @Override
    public ConfigSchema settings() {
      return ConfigSchema.of();
    }

    @Override
    public PluginProvider with(PluginConfig settings) {
      return new Provider("configured");
    }

    @Override
    public Plugin create(PluginConfig config, Catalog catalog) {
      return new Plugin.Inactive("does nothing");
    }

    @Override
    public void close() throws InterruptedException {
      closed.add(name);
      closeAction.run();
    }
  }

  private static PluginRegistry registry(PluginProvider provider) {
    return PluginRegistry.of(Plugins.none().add(provider));
  }

  private static final PluginSettings SETTINGS =
      new PluginSettings(List.of(), Map.of("hostile", Json.Obj.EMPTY));

  private List<String> problems(PluginProvider provider) {
    return registry(provider).problems(SETTINGS, closer).stream().map(Problem::toString).toList();
  }

  /** Returns a provider whose {@code with} returns the given one. */
  private PluginProvider returning(PluginProvider configured) {
    return new Provider("given") {
      @Override
      public PluginProvider with(PluginConfig settings) {
        return configured;
      }
    };
  }

  @Test
  @DisplayName("is closed when with() returned it and its id is that of another plugin")
  void anotherPlugin() {
    PluginProvider other =
        returning(
            new Provider("other") {
              @Override
              public Descriptor descriptor() {
                return Descriptor.interceptor("somebody-else").build();
              }
            });
    assertThat(problems(other))
        .singleElement()
        .asString()
        .startsWith("/plugins/settings/hostile: makes ")
        .endsWith(" another plugin");
    assertThat(closed).containsExactly("other");
    assertThatThrownBy(() -> registry(other).prepare(CATALOG, SETTINGS, closer))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(" another plugin");
    assertThat(closed).containsExactly("other", "other");
    ambient.assertNoThreadsLeft();
  }

  @Test
  @DisplayName("is closed when with() returned it and its descriptor() throws")
  void undescribed() {
    PluginProvider undescribable =
        returning(
            new Provider("mute") {
              @Override
              public Descriptor descriptor() {
                throw new AssertionError("sk-secret");
              }
            });
    assertThat(problems(undescribable))
        .singleElement()
        .asString()
        .endsWith(" fail: java.lang.AssertionError");
    assertThat(closed).containsExactly("mute");
  }

  @Test
  @DisplayName("is not closed when with() returns the provider itself, since the host owns that")
  void itself() {
    var self =
        new Provider("given") {
          @Override
          public PluginProvider with(PluginConfig settings) {
            return this;
          }
        };
    assertThat(problems(self)).isEmpty();
    assertThat(closed).isEmpty();
  }

  @Test
  @DisplayName(
      "is reported as a problem of its settings when settings() throws or with() returns null")
  void settings() {
    var throwing =
        new Provider("given") {
          @Override
          public ConfigSchema settings() {
            throw new NoSuchMethodError("sk-secret");
          }
        };
    assertThat(problems(throwing))
        .singleElement()
        .asString()
        .startsWith("/plugins/settings/hostile: makes " + throwing.getClass().getName())
        .endsWith(" fail: java.lang.NoSuchMethodError");
    var returningNull =
        new Provider("given") {
          @Override
          @SuppressWarnings("NullAway") // against the contract
          public PluginProvider with(PluginConfig settings) {
            return null;
          }
        };
    assertThat(problems(returningNull)).singleElement().asString().endsWith("NullPointerException");
    assertThat(closed).isEmpty();
  }

  @Test
  @DisplayName("is named in the exception when its descriptor is null")
  void noDescriptor() {
    var none =
        new Provider("given") {
          @Override
          @SuppressWarnings("NullAway") // against the contract
          public Descriptor descriptor() {
            return null;
          }
        };
    assertThatThrownBy(() -> registry(none))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(none.getClass().getName())
        .hasMessageContaining("does not describe itself");
  }

  @Test
  @DisplayName("delays nothing when its close() hangs: the close is interrupted and abandoned")
  void hangs() {
    var never = new CountDownLatch(1);
    var stuck =
        new Provider("stuck") {
          @Override
          public Plugin create(PluginConfig config, Catalog catalog) {
            throw new IllegalStateException("refuses");
          }
        };
    stuck.closeAction = never::await;
    var hurried = new BoundedCloser(new FastClockAmbient(ambient));
    PluginRegistry registry = registry(returning(stuck));
    assertThat(registry.problems(SETTINGS, hurried)).isEmpty();
    assertThatThrownBy(() -> registry.prepare(CATALOG, SETTINGS, hurried))
        .hasMessageContaining("could not create a plugin")
        .hasMessageContaining(IllegalStateException.class.getName())
        .hasMessageNotContaining("refuses"); // it may repeat a secret of the settings
    ambient.assertNoThreadsLeft();
    assertThat(closed).containsExactly("stuck", "stuck");
  }

  @Test
  @DisplayName(
      "is named in the problem or failure when it fails to read a saved entry or that of a request")
  void entries() {
    var entry = new PluginEntry("hostile", true, Json.object().put("fails", true).build());
    PluginRegistry registry = registry(new Provider("given"));
    assertThat(registry.problems(new PluginSettings(List.of(entry), Map.of()), closer))
        .extracting(Problem::toString)
        .containsExactly("/plugins/defaults/0: makes hostile fail: java.lang.NoClassDefFoundError");
    var problems = new Problems();
    assertThatThrownBy(() -> registry.check(entry, JsonPointer.ROOT, problems))
        .isInstanceOf(PluginFailureException.class)
        .hasMessage("the plugin hostile failed");
  }

  private record Tool(String type) implements ServerTool {
    @Override
    public Spec spec() {
      return new Spec(type, "Does nothing.", Json.Obj.EMPTY);
    }

    @Override
    public Json run(Invocation call, Interceptor.Chain chain) {
      return Json.TRUE;
    }
  }

  @Test
  @DisplayName("is refused when its settings give it a tool type that the host has registered")
  void tools() {
    var thief =
        new Provider("thief") {
          @Override
          public List<ServerTool> tools() {
            return List.of(new Tool("house:lookup"));
          }
        };
    var registry =
        PluginRegistry.of(Plugins.none().tool(new Tool("house:lookup")).add(returning(thief)));
    assertThatThrownBy(() -> registry.prepare(CATALOG, SETTINGS, closer))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("hostile (")
        .hasMessageContaining(
            " has the tools [house:lookup] with its settings, but [] without them");
    assertThat(closed).containsExactly("thief");
  }
}
