package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.Gateway;
import io.strowger.core.PluginDirectory;
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
import io.strowger.spi.plugin.ConfigSchema;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.provider.Cancellation;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A plugin is closed")
class PluginClosingTest {
  private static final String CONFIG =
      """
      { "providers": [ { "slug": "alpha", "protocol": "simulated", "base_url": "http://127.0.0.1:9/a" } ],
        "models": [ { "id": "acme/one", "endpoints": [ { "provider": "alpha" } ] } ],
        "plugins": { "settings": { %s } },
        "keys": [ { "name": "app", "key": "%s" } ] }
      """;

  @TempDir private Path folder;
  private final TestAmbient ambient = TestAmbient.realTime();
  private final BlockingQueue<String> closed = new LinkedBlockingQueue<>();
  private final Queue<Thread> closingThreads = new ConcurrentLinkedQueue<>();
  private final Map<String, Step> stepsOnCreate =
      new ConcurrentHashMap<>(); // keyed by the configured name, written as JSON

  /**
   * A plugin that records when and on which thread it is closed. One instance is made for each
   * configuration.
   */
  private final class CloseRecordingProvider implements PluginProvider.Configurable, AutoCloseable {
    private static final Field<String> NAME =
        new Field<>(
            "name", (given, problems) -> given.toString(), "", "A name.", Json.Obj.EMPTY, false);
    private final String name;
    private final Step step;

    CloseRecordingProvider(String name, Step step) {
      this.name = name;
      this.step = step;
    }

    @Override
    public Descriptor descriptor() {
      return Descriptor.interceptor("holding").build();
    }

    @Override
    public Plugin create(PluginConfig config, Catalog catalog) {
      try {
        stepsOnCreate.getOrDefault(name, () -> {}).run();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      return new Plugin.Inactive("only records");
    }

    @Override
    public ConfigSchema settings() {
      return ConfigSchema.of(NAME);
    }

    @Override
    public PluginProvider with(PluginConfig settings) {
      return new CloseRecordingProvider(settings.get(NAME), step);
    }

    @Override
    public void close() throws InterruptedException {
      closingThreads.add(Thread.currentThread());
      closed.add(name);
      step.run();
    }
  }

  private interface Step {
    void run() throws InterruptedException;
  }

  private static GatewayConfig config(String settings) {
    return new ConfigReader(new JacksonCodec(), name -> null)
        .read(CONFIG.formatted(settings, Fixtures.APP_KEY).getBytes(StandardCharsets.UTF_8))
        .orThrow();
  }

  private static GatewayConfig named(String name) {
    return config("\"holding\": { \"name\": \"%s\" }".formatted(name));
  }

  private Gateway gateway(GatewayConfig config, Step step, PluginDirectory directory) {
    return Gateway.builder(config)
        .provider(new SimulatedFactory())
        .plugins(Plugins.none().add(new CloseRecordingProvider("the host's own", step)))
        .pluginDirectory(directory)
        .ambient(ambient)
        .build();
  }

  private String nextClosed() throws InterruptedException {
    return String.valueOf(closed.poll(30, TimeUnit.SECONDS));
  }

  @Test
  @DisplayName("when its configuration is replaced, on another thread")
  void configured() throws Exception {
    try (Gateway gateway = gateway(named("one"), () -> {}, PluginDirectory.none())) {
      gateway.reload(named("two"));
      assertThat(nextClosed()).contains("one");
      assertThat(closingThreads).doesNotContain(Thread.currentThread());
      assertThat(closed).isEmpty();
    }
    assertThat(closed)
        .as("the gateway closes only what it created")
        .singleElement()
        .asString()
        .contains("two");
    ambient.assertNoThreadsLeft();
  }

  @Test
  @DisplayName(
      "even if close() throws: the other plugins are closed, and the gateway keeps working")
  void throwing() throws Exception {
    Step broken =
        () -> {
          throw new NoClassDefFoundError("com/acme/Gone");
        };
    try (Gateway gateway = gateway(named("one"), broken, PluginDirectory.none())) {
      gateway.reload(named("two"));
      assertThat(nextClosed()).contains("one");
      gateway.reload(named("three"));
      assertThat(nextClosed()).contains("two");
    }
    ambient.assertNoThreadsLeft();
  }

  private WireResponse begin(Gateway gateway) {
    Map<String, String> headers = Map.of("authorization", "Bearer " + Fixtures.APP_KEY);
    String body = RoutedGateway.chat("acme/one", "Hello", "'stream':true");
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

  private static void readToEnd(WireResponse response) throws IOException {
    assertThat(response.status()).isEqualTo(200);
    try (WireBody body = response.body()) {
      body.transferTo(OutputStream.nullOutputStream());
    }
  }

  @Test
  @DisplayName("when the last request that uses it ends; that request does not wait for close()")
  void lastRequest() throws Exception {
    var release = new CountDownLatch(1);
    Gateway gateway = gateway(named("one"), release::await, PluginDirectory.none());
    WireResponse inProgress = begin(gateway);
    gateway.reload(named("two"));
    assertThat(closed).as("closed while a request uses the plugin").isEmpty();
    readToEnd(inProgress); // returns although close() hangs
    assertThat(nextClosed()).contains("one");
    assertThat(closingThreads).doesNotContain(Thread.currentThread());
    readToEnd(begin(gateway));
    release.countDown();
    gateway.close();
    assertThat(nextClosed()).contains("two");
    ambient.assertNoThreadsLeft();
  }

  @Test
  @DisplayName(
      "also if it is created only after the gateway was closed, which does not wait for the"
          + " creation")
  void closedWhileMade() throws Exception {
    var making = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    Step whenMade =
        () -> {
          making.countDown();
          release.await();
        };
    Gateway gateway = gateway(named("one"), () -> {}, PluginDirectory.none());
    stepsOnCreate.put("\"slow\"", whenMade);
    var failure = new AtomicReference<Throwable>();
    Thread reload =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    gateway.reload(named("slow"));
                  } catch (IllegalStateException e) {
                    failure.set(e);
                  }
                });
    making.await();
    gateway.close();
    assertThat(nextClosed()).contains("one");
    release.countDown();
    reload.join();
    assertThat(failure.get()).hasMessage("the gateway is closed");
    assertThat(closed).singleElement().asString().contains("slow");
    ambient.assertNoThreadsLeft();
  }

  @Test
  @Tag("full")
  @DisplayName(
      "or abandoned after a bounded time: a plugin that hangs delays neither a reload nor the"
          + " shutdown")
  void hanging() throws Exception {
    var never = new CountDownLatch(1);
    var reloaded = new CountDownLatch(1);
    var closeEvents = new LinkedBlockingQueue<String>();
    Step hangs =
        () -> {
          try {
            reloaded.await();
            closeEvents.add("the end of the reload");
            never.await();
          } catch (InterruptedException interrupt) {
            closeEvents.add("an interrupt");
            throw interrupt;
          }
        };
    Gateway gateway = gateway(named("one"), hangs, PluginDirectory.none());
    long before = System.nanoTime();
    gateway.reload(named("two"));
    reloaded.countDown();
    assertThat(nextClosed()).contains("one");
    assertThat(closeEvents.poll(30, TimeUnit.SECONDS))
        .as("first")
        .isEqualTo("the end of the reload");
    gateway.close();
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(55));
    ambient.assertNoThreadsLeft(); // the interrupt ended it
  }

  private void write(String version) throws IOException {
    PluginJar.write(
        folder.resolve("plugin.jar"),
        Map.of(
            "com.acme.JarProvider",
            """
            package com.acme;

            import io.strowger.spi.catalog.Catalog;
            import io.strowger.spi.plugin.*;

            public final class JarProvider implements PluginProvider, AutoCloseable {
              @Override public Descriptor descriptor() {
                return Descriptor.interceptor("held").build();
              }

              @Override public Plugin create(PluginConfig config, Catalog catalog) {
                return new Plugin.Inactive("only records");
              }

              @Override public void close() {
                System.setProperty("closed.plugin.%1$s", Thread.currentThread().getName());
              }
            }
            """
                .formatted(version),
            "com.acme.JarTool",
            """
            package com.acme;

            import io.strowger.spi.json.Json;
            import io.strowger.spi.plugin.*;

            public final class JarTool implements ServerTool, AutoCloseable {
              @Override public Spec spec() {
                return new Spec("acme:look", "Looks.", Json.Obj.EMPTY);
              }

              @Override public Json run(Invocation call, Interceptor.Chain chain) {
                return Json.TRUE;
              }

              @Override public void close() {
                System.setProperty("closed.tool.%1$s", "yes");
                throw new IllegalStateException("broken");
              }
            }
            """
                .formatted(version)),
        Map.of(
            "META-INF/services/io.strowger.spi.plugin.PluginProvider", "com.acme.JarProvider",
            "META-INF/services/io.strowger.spi.plugin.ServerTool", "com.acme.JarTool"));
  }

  @Test
  @DisplayName("with the jar that it came from, and so is a tool, if they are AutoCloseable")
  void jars() throws Exception {
    write("one");
    try {
      Gateway gateway = gateway(config(""), () -> {}, PluginDirectory.open(folder));
      gateway.reload(
          config(""), gateway.pluginDirectory().reload(folder), AuditActor.CONFIGURATION);
      assertThat(System.getProperty("closed.plugin.one"))
          .as("closed although the jar is the same")
          .isNull();
      write("two");
      gateway.reload(
          config(""), gateway.pluginDirectory().reload(folder), AuditActor.CONFIGURATION);
      Files.delete(folder.resolve("plugin.jar"));
      gateway.close();
      for (String version : List.of("one", "two")) {
        assertThat(System.getProperty("closed.plugin." + version)).isEqualTo("close");
        assertThat(System.getProperty("closed.tool." + version)).isEqualTo("yes");
      }
      ambient.assertNoThreadsLeft();
    } finally {
      for (String version : List.of("one", "two")) {
        System.clearProperty("closed.plugin." + version);
        System.clearProperty("closed.tool." + version);
      }
    }
  }
}
