package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.Gateway;
import io.strowger.core.PluginDirectory;
import io.strowger.core.audit.AuditActor;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.simulated.SimulatedFactory;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A jar that is replaced while the gateway runs")
class PluginReloadTest {
  private static final String CONFIG =
      """
      { "providers": [ { "slug": "alpha", "protocol": "simulated", "base_url": "http://127.0.0.1:9/a" } ],
        "models": [
          { "id": "acme/one", "endpoints": [ { "provider": "alpha" } ] },
          { "id": "acme/two", "endpoints": [ { "provider": "alpha" } ] } ],
        "keys": [ { "name": "app", "key": "%s" } ] }
      """;

  @TempDir private Path folder;
  private final TestAmbient ambient = TestAmbient.realTime();
  private final Queue<List<TraceEntry>> traces = new ConcurrentLinkedQueue<>();
  private final Queue<CallRecord> keptRecords = new ConcurrentLinkedQueue<>();
  private volatile boolean keepsRecords;
  private Gateway gateway;

  @BeforeEach
  void start() throws Exception {
    write("acme/one");
    gateway =
        Gateway.builder(config())
            .provider(new SimulatedFactory())
            .pluginDirectory(PluginDirectory.open(folder))
            .sink(record -> traces.add(record.trace())) // a kept record keeps the plugins, too
            .sink(
                record -> {
                  if (keepsRecords) {
                    keptRecords.add(record);
                  }
                })
            .ambient(ambient)
            .build();
  }

  @AfterEach
  void stop() {
    gateway.close();
    ambient.assertNoThreadsLeft();
  }

  private static GatewayConfig config() {
    return config("");
  }

  private static GatewayConfig config(String more) {
    String document = CONFIG.formatted(Fixtures.APP_KEY).replaceFirst("\\{", "{" + more);
    return new ConfigReader(new JacksonCodec(), name -> null)
        .read(document.getBytes(StandardCharsets.UTF_8))
        .orThrow();
  }

  /** Writes a jar whose router always chooses one model. */
  private void write(String model) throws IOException {
    PluginJar.write(
        folder.resolve("pick.jar"),
        Map.of("com.acme.Pick", SOURCE.formatted(model)),
        Map.of("META-INF/services/" + PluginProvider.class.getName(), "com.acme.Pick"));
  }

  private static final String SOURCE =
      """
      package com.acme;

      import io.strowger.spi.catalog.Catalog;
      import io.strowger.spi.plugin.*;
      import java.util.List;

      public final class Pick implements PluginProvider {
        @Override public Descriptor descriptor() {
          return Descriptor.router("pick").slug("acme/pick").build();
        }

        @Override public Plugin create(PluginConfig config, Catalog catalog) {
          RouterPlugin router =
              candidates -> new Selection.Models(List.of("%s"), "always this one");
          return router;
        }
      }
      """;

  private void reload() throws Exception {
    gateway.reload(config(), gateway.pluginDirectory().reload(folder), AuditActor.CONFIGURATION);
  }

  private WireResponse begin(boolean streamed) {
    Map<String, String> headers = Map.of("authorization", "Bearer " + Fixtures.APP_KEY);
    String body = RoutedGateway.chat("acme/pick", "Hello", streamed ? "'stream':true" : "");
    return gateway
        .wire()
        .handle(
            new WireRequest(
                "POST",
                "/chat/completions",
                "",
                name -> headers.get(name.toLowerCase(Locale.ROOT)),
                new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)),
                new Cancellation()));
  }

  private static String read(WireResponse response) throws IOException {
    var out = new ByteArrayOutputStream();
    try (WireBody body = response.body()) {
      body.transferTo(out);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  @DisplayName("takes effect at the reload, and so does the removal of a jar")
  void replaced() throws Exception {
    assertThat(read(begin(false))).contains("acme/one");
    write("acme/two");
    assertThat(read(begin(false))).as("before the reload").contains("acme/one");
    reload();
    assertThat(read(begin(false))).contains("acme/two");
    Files.delete(folder.resolve("pick.jar"));
    reload();
    assertThat(begin(false).status()).isBetween(400, 499);
  }

  @Test
  @DisplayName("changes nothing if it cannot be used")
  void refused() throws Exception {
    Files.writeString(folder.resolve("bad.jar"), "bad");
    PluginDirectory current = gateway.pluginDirectory();
    assertThatThrownBy(() -> current.reload(folder)).hasMessageContaining("bad.jar");
    assertThat(gateway.pluginDirectory()).isSameAs(current);
    assertThat(read(begin(false))).contains("acme/one");
  }

  @Test
  @DisplayName("needs its directory open; a reload reports that another plugins_dir has no effect")
  void directory() throws Exception {
    PluginDirectory closed = PluginDirectory.open(folder);
    closed.close();
    assertThatThrownBy(() -> gateway.reload(config(), closed, AuditActor.CONFIGURATION))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the directory of plugins is closed");
    assertThatThrownBy(() -> closed.reload(folder)).isInstanceOf(IllegalStateException.class);
    assertThat(read(begin(false))).as("nothing has changed").contains("acme/one");
    GatewayConfig elsewhere = config("\"plugins_dir\": \"elsewhere\",");
    for (int i = 0; i < 2; i++) {
      assertThat(gateway.reload(elsewhere))
          .containsExactly(
              "plugins_dir has no effect until the host opens the directory and gives it to"
                  + " reload");
    }
    PluginDirectory opened = gateway.pluginDirectory().reload(folder);
    assertThat(gateway.reload(elsewhere, opened, AuditActor.CONFIGURATION)).isEmpty();
    assertThat(gateway.reload(elsewhere)).isEmpty();
  }

  private PhantomReference<ClassLoader> loader(ReferenceQueue<ClassLoader> gone) {
    return new PhantomReference<>(
        gateway.pluginDirectory().plugins().getFirst().getClass().getClassLoader(), gone);
  }

  /** Returns whether the class loader is collected within a number of rounds. */
  private static boolean isCollected(ReferenceQueue<ClassLoader> gone, int rounds)
      throws InterruptedException {
    for (int i = 0; i < rounds; i++) {
      System.gc();
      if (gone.remove(100) != null) {
        return true;
      }
    }
    return false;
  }

  @Test
  @DisplayName("is unloaded when the last request that began with it has ended, and not before")
  void unloaded() throws Exception {
    var gone = new ReferenceQueue<ClassLoader>();
    PhantomReference<ClassLoader> old = loader(gone);
    assertThat(read(begin(false))).contains("acme/one");
    WireResponse inProgress = begin(true);
    write("acme/two");
    reload();
    assertThat(read(begin(false))).contains("acme/two");
    assertThat(isCollected(gone, 3)).as("while a request uses it").isFalse();
    assertThat(read(inProgress)).contains("acme/one");
    inProgress = null;
    assertThat(isCollected(gone, 50)).as("unloaded").isTrue();
    assertThat(old.refersTo(null)).isTrue();
  }

  @Test
  @DisplayName(
      "stays loaded while a sink keeps a record of its decision, but not while it keeps only the"
          + " trace")
  void keptRecord() throws Exception {
    keepsRecords = true;
    assertThat(read(begin(false))).contains("acme/one");
    keepsRecords = false;
    var gone = new ReferenceQueue<ClassLoader>();
    PhantomReference<ClassLoader> old = loader(gone);
    write("acme/two");
    reload();
    assertThat(isCollected(gone, 3)).as("while a record is kept").isFalse();
    assertThat(keptRecords.element().trace())
        .isEqualTo(traces.element())
        .anyMatch(entry -> entry instanceof TraceEntry.Routed by && by.plugin().equals("pick"));
    keptRecords.clear();
    assertThat(isCollected(gone, 50)).as("while only its trace is kept").isTrue();
    assertThat(old.refersTo(null)).isTrue();
    assertThat(traces).isNotEmpty();
  }

  @Test
  @DisplayName("fails the requests that use it if it was built against another SPI, and no others")
  void unlinked() throws Exception {
    PluginJar.write(
        folder.resolve("pick.jar"),
        Map.of(
            "io.strowger.spi.provider.Credential",
            """
            package io.strowger.spi.provider;
            public final class Credential {
              public static String ofTomorrow() { return "acme/one"; }
            }
            """,
            "com.acme.Pick",
            SOURCE.replace("\"%s\"", "io.strowger.spi.provider.Credential.ofTomorrow()")),
        Map.of("META-INF/services/" + PluginProvider.class.getName(), "com.acme.Pick"));
    reload();
    WireResponse failed = begin(false);
    assertThat(failed.status()).isEqualTo(500);
    assertThat(read(failed)).doesNotContain("ofTomorrow", "NoSuchMethodError");
    assertThat(traces)
        .singleElement()
        .satisfies(trace -> assertThat(trace).contains(new TraceEntry.Note("pick", "failed")));
    write("acme/two");
    reload();
    assertThat(read(begin(false))).as("the next request").contains("acme/two");
  }
}
