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

@DisplayName("What plugins hold is closed")
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
  private final Queue<Thread> closers = new ConcurrentLinkedQueue<>();
  private final Map<String, Step> madeFor =
      new ConcurrentHashMap<>(); // run by create, by name as JSON

  /** Holds something for each of its settings. */
  private final class Holding implements PluginProvider.Configurable, AutoCloseable {
    private static final Field<String> NAME =
        new Field<>(
            "name", (given, problems) -> given.toString(), "", "A name.", Json.Obj.EMPTY, false);
    private final String name;
    private final Step step;

    Holding(String name, Step step) {
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
        madeFor.getOrDefault(name, () -> {}).run();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      return new Plugin.Inactive("only holds");
    }

    @Override
    public ConfigSchema settings() {
      return ConfigSchema.of(NAME);
    }

    @Override
    public PluginProvider with(PluginConfig settings) {
      return new Holding(settings.get(NAME), step);
    }

    @Override
    public void close() throws InterruptedException {
      closers.add(Thread.currentThread());
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
        .plugins(Plugins.none().add(new Holding("the host's own", step)))
        .pluginDirectory(directory)
        .ambient(ambient)
        .build();
  }

  private String nextClosed() throws InterruptedException {
    return String.valueOf(closed.poll(30, TimeUnit.SECONDS));
  }

  @Test
  @DisplayName("with the configuration it was made for, on a thread of its own")
  void configured() throws Exception {
    try (Gateway gateway = gateway(named("one"), () -> {}, PluginDirectory.none())) {
      gateway.reload(named("two"));
      assertThat(nextClosed()).contains("one");
      assertThat(closers).doesNotContain(Thread.currentThread());
      assertThat(closed).isEmpty();
    }
    assertThat(closed)
        .as("the host closes what it made")
        .singleElement()
        .asString()
        .contains("two");
    ambient.assertNoThreadsLeft();
  }

  @Test
  @DisplayName("though the closing throws: the others are closed, and the gateway goes on")
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

  private static void read(WireResponse response) throws IOException {
    assertThat(response.status()).isEqualTo(200);
    try (WireBody body = response.body()) {
      body.transferTo(OutputStream.nullOutputStream());
    }
  }

  @Test
  @DisplayName("at the end of the last request that uses it, which does not wait for it")
  void lastRequest() throws Exception {
    var goOn = new CountDownLatch(1);
    Gateway gateway = gateway(named("one"), goOn::await, PluginDirectory.none());
    WireResponse underWay = begin(gateway);
    gateway.reload(named("two"));
    assertThat(closed).as("while a request uses it").isEmpty();
    read(underWay); // returns, though the closing hangs
    assertThat(nextClosed()).contains("one");
    assertThat(closers).doesNotContain(Thread.currentThread());
    read(begin(gateway));
    goOn.countDown();
    gateway.close();
    assertThat(nextClosed()).contains("two");
    ambient.assertNoThreadsLeft();
  }

  @Test
  @DisplayName("after a plugin that was being made when the gateway was closed, which did not wait")
  void closedWhileMade() throws Exception {
    var making = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    Step whenMade =
        () -> {
          making.countDown();
          goOn.await();
        };
    Gateway gateway = gateway(named("one"), () -> {}, PluginDirectory.none());
    madeFor.put("\"slow\"", whenMade);
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
    goOn.countDown();
    reload.join();
    assertThat(failure.get()).hasMessage("the gateway is closed");
    assertThat(closed).singleElement().asString().contains("slow");
    ambient.assertNoThreadsLeft();
  }

  @Test
  @Tag("full")
  @DisplayName("or given up after a bounded time: who hangs keeps neither a reload nor the end")
  void hanging() throws Exception {
    var never = new CountDownLatch(1);
    var reloaded = new CountDownLatch(1);
    var met = new LinkedBlockingQueue<String>();
    Step hangs =
        () -> {
          try {
            reloaded.await();
            met.add("the end of the reload");
            never.await();
          } catch (InterruptedException givenUp) {
            met.add("an interrupt");
            throw givenUp;
          }
        };
    Gateway gateway = gateway(named("one"), hangs, PluginDirectory.none());
    long before = System.nanoTime();
    gateway.reload(named("two"));
    reloaded.countDown();
    assertThat(nextClosed()).contains("one");
    assertThat(met.poll(30, TimeUnit.SECONDS)).as("first").isEqualTo("the end of the reload");
    gateway.close();
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(55));
    ambient.assertNoThreadsLeft(); // the interrupt ended it
  }

  private void write(String version) throws IOException {
    PluginJar.write(
        folder.resolve("held.jar"),
        Map.of(
            "com.acme.Held",
            """
            package com.acme;

            import io.strowger.spi.catalog.Catalog;
            import io.strowger.spi.plugin.*;

            public final class Held implements PluginProvider, AutoCloseable {
              @Override public Descriptor descriptor() {
                return Descriptor.interceptor("held").build();
              }

              @Override public Plugin create(PluginConfig config, Catalog catalog) {
                return new Plugin.Inactive("only holds");
              }

              @Override public void close() {
                System.setProperty("closed.plugin.%1$s", Thread.currentThread().getName());
              }
            }
            """
                .formatted(version),
            "com.acme.Look",
            """
            package com.acme;

            import io.strowger.spi.json.Json;
            import io.strowger.spi.plugin.*;

            public final class Look implements ServerTool, AutoCloseable {
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
            "META-INF/services/io.strowger.spi.plugin.PluginProvider", "com.acme.Held",
            "META-INF/services/io.strowger.spi.plugin.ServerTool", "com.acme.Look"));
  }

  @Test
  @DisplayName("with the jar it came from, providers and tools alike, where they are AutoCloseable")
  void jars() throws Exception {
    write("one");
    try {
      Gateway gateway = gateway(config(""), () -> {}, PluginDirectory.open(folder));
      gateway.reload(
          config(""), gateway.pluginDirectory().reload(folder), AuditActor.CONFIGURATION);
      assertThat(System.getProperty("closed.plugin.one")).as("the jar is the same").isNull();
      write("two");
      gateway.reload(
          config(""), gateway.pluginDirectory().reload(folder), AuditActor.CONFIGURATION);
      Files.delete(folder.resolve("held.jar"));
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
