package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.Gateway;
import io.strowger.core.PluginDirectory;
import io.strowger.core.Routing;
import io.strowger.core.audit.AuditActor;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.Plugins;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.simulated.SimulatedFactory;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.provider.Cancellation;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A request that is read before its plugins are replaced and served afterwards")
class ReloadWhileReadTest {
  private static final String CONFIG =
      """
      { "providers": [ { "slug": "alpha", "protocol": "simulated", "base_url": "http://127.0.0.1:9/a" } ],
        "models": [
          { "id": "acme/one", "endpoints": [ { "provider": "alpha" } ] },
          { "id": "acme/two", "endpoints": [ { "provider": "alpha" } ] } ],
        "keys": [ { "name": "app", "key": "%s" } ] }
      """;

  /** A router that chooses one model, with a setting {@code word} of limited length. */
  private static final String ROUTER =
      """
      package com.acme;

      import io.strowger.spi.catalog.Catalog;
      import io.strowger.spi.json.Json;
      import io.strowger.spi.plugin.*;
      import java.util.List;

      public final class Pick implements PluginProvider {
        private static final Field<String> WORD =
            new Field<>("word", (given, problems) -> {
              if (given.toString().length() > %d) {
                problems.report("", "must be shorter", given);
              }
              return given.toString();
            }, "", "A word.", Json.Obj.EMPTY, false);

        @Override public Descriptor descriptor() {
          return Descriptor.router("pick").slug("acme/pick").fields(WORD).build();
        }

        @Override public Plugin create(PluginConfig config, Catalog catalog) {
          RouterPlugin router =
              candidates -> new Selection.Models(List.of("%s"), "always this one");
          return router;
        }
      }
      """;

  @TempDir private Path folder;
  private final TestAmbient ambient = TestAmbient.realTime();
  private Gateway gateway;
  private @Nullable Callable<Void> pendingChange; // made once, then null

  /** A plugin that makes the pending change while an entry of a request is read. */
  private final class ChangeWhileReading implements PluginProvider {
    private final Field<Boolean> here =
        new Field<>(
            "here", (given, problems) -> makePendingChange(), false, "Now.", Json.Obj.EMPTY, false);

    @Override
    public Descriptor descriptor() {
      return Descriptor.interceptor("interrupting").fields(here).build();
    }

    @Override
    public Plugin create(PluginConfig config, Catalog catalog) {
      return new Plugin.Inactive("only read");
    }
  }

  private boolean makePendingChange() {
    Callable<Void> now = pendingChange;
    pendingChange = null;
    if (now != null) {
      try {
        now.call();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
    return true;
  }

  @BeforeEach
  void start() throws Exception {
    write(20, "acme/one");
    gateway =
        Gateway.builder(config())
            .provider(new SimulatedFactory())
            .plugins(Plugins.none().add(new ChangeWhileReading()))
            .pluginDirectory(PluginDirectory.open(folder))
            .ambient(ambient)
            .build();
  }

  @AfterEach
  void stop() {
    gateway.close();
    ambient.assertNoThreadsLeft();
  }

  private static GatewayConfig config() {
    return new ConfigReader(new JacksonCodec(), name -> null)
        .read(CONFIG.formatted(Fixtures.APP_KEY).getBytes(StandardCharsets.UTF_8))
        .orThrow();
  }

  private void write(int maxLength, String model) throws IOException {
    PluginJar.write(
        folder.resolve("pick.jar"),
        Map.of("com.acme.Pick", ROUTER.formatted(maxLength, model)),
        Map.of("META-INF/services/" + PluginProvider.class.getName(), "com.acme.Pick"));
  }

  private Void replace(int maxLength, String model) throws Exception {
    write(maxLength, model);
    return reload();
  }

  private Void remove() throws Exception {
    Files.delete(folder.resolve("pick.jar"));
    return reload();
  }

  private Void reload() throws Exception {
    gateway.reload(config(), gateway.pluginDirectory().reload(folder), AuditActor.CONFIGURATION);
    return null;
  }

  private record TestResponse(int status, String body) {}

  /** Sends a request, and makes the pending change when the last of its headers is read. */
  private TestResponse send(String path, String lastHeader, String body) throws IOException {
    WireResponse response =
        gateway
            .wire()
            .handle(
                new WireRequest(
                    "POST",
                    path,
                    "",
                    name -> {
                      if (name.equalsIgnoreCase(lastHeader)) {
                        makePendingChange();
                      }
                      return Map.of("authorization", "Bearer " + Fixtures.APP_KEY)
                          .get(name.toLowerCase(Locale.ROOT));
                    },
                    new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)),
                    new Cancellation()));
    var out = new ByteArrayOutputStream();
    try (WireBody content = response.body()) {
      content.transferTo(out);
    }
    return new TestResponse(response.status(), out.toString(StandardCharsets.UTF_8));
  }

  private TestResponse chat(String members) throws IOException {
    return send(
        "/chat/completions", "x-session-id", RoutedGateway.chat("acme/pick", "Hello", members));
  }

  private static final String WORD = "'plugins':[{'id':'pick','word':'twelve chars'}]";

  @Test
  @DisplayName("is served by the new plugins if it is valid for them")
  void validForNewPlugins() throws Exception {
    assertThat(chat(WORD).body()).contains("acme/one");
    pendingChange = () -> replace(15, "acme/two");
    TestResponse response = chat(WORD);
    assertThat(pendingChange).isNull();
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.body()).contains("acme/two");
  }

  @Test
  @DisplayName(
      "is refused with 400 and the place, not with 500, if it is invalid for the new plugins")
  void invalidForNewPlugins() throws Exception {
    pendingChange = () -> replace(5, "acme/two");
    TestResponse response = chat(WORD);
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body()).contains("/plugins/0/word", "must be shorter");
    assertThat(gateway.load().inFlight()).isZero();
  }

  @Test
  @DisplayName("is refused, and not served without the plugin, if it names one that was removed")
  void removedPlugin() throws Exception {
    pendingChange = this::remove;
    TestResponse response =
        send(
            "/chat/completions",
            "x-session-id",
            RoutedGateway.chat("acme/one", "Hello", "'plugins':[{'id':'pick'}]"));
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body()).contains("/plugins/0/id");
  }

  @Test
  @DisplayName("is refused before the first event if it is streamed")
  void streamed() throws Exception {
    pendingChange = () -> replace(5, "acme/two");
    TestResponse response = chat("'stream':true," + WORD);
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body()).contains("/plugins/0/word");
  }

  @Test
  @DisplayName("is read completely with the former plugins, even if they are replaced meanwhile")
  void replacedWhileRead() throws Exception {
    pendingChange = () -> replace(5, "acme/two");
    TestResponse response =
        chat("'plugins':[{'id':'interrupting','here':1},{'id':'pick','word':'twelve chars'}]");
    assertThat(pendingChange).isNull();
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body()).contains("/plugins/1/word");
  }

  @Test
  @DisplayName("is refused in the same way if its tokens are to be counted")
  void counted() throws Exception {
    String body =
        RoutedGateway.chat("acme/one", "Hello", "'max_tokens':5,'plugins':[{'id':'pick'}]");
    assertThat(send("/messages/count_tokens", "x-session-id", body).status()).isEqualTo(200);
    pendingChange = this::remove;
    TestResponse response = send("/messages/count_tokens", "x-session-id", body);
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body()).contains("plugins");
  }

  @Test
  @DisplayName("is explained with the plugins that it was read with")
  void explained() throws Exception {
    pendingChange = this::remove;
    String body =
        RoutedGateway.chat("acme/pick", "Hello", "'plugins':[{'id':'interrupting','here':1}]");
    Routing.Explanation explanation =
        gateway.routing().explain(body.getBytes(StandardCharsets.UTF_8), 1);
    assertThat(pendingChange).isNull();
    assertThat(gateway.pluginDirectory().plugins()).isEmpty();
    assertThat(explanation.toString()).contains("acme/one");
  }
}
