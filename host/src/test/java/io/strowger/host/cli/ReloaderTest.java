package io.strowger.host.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.Gateway;
import io.strowger.core.audit.AuditActor;
import io.strowger.core.config.Plugins;
import io.strowger.core.config.TlsFiles;
import io.strowger.core.memory.MemoryStores;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireResponse;
import io.strowger.host.server.HttpHost;
import io.strowger.host.server.ReloadResult;
import io.strowger.host.server.ServedCertificate;
import io.strowger.host.server.ServedName;
import io.strowger.simulated.SimulatedFactory;
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
import io.strowger.spi.store.AuditStore;
import io.strowger.spi.store.BatchStore;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.spi.store.Stores;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A reload that fails")
class ReloaderTest {
  private static final String CONFIG =
      """
      { "server": { "tls": { "certificate": "%s", "key": "%s" } },
        "providers": [ { "slug": "alpha", "protocol": "simulated", "base_url": "http://a.test" } ],
        "models": [ { "id": "%s", "endpoints": [ { "provider": "alpha" } ] } ] }
      """;

  @TempDir private Path folder;
  private final TestAmbient ambient = TestAmbient.realTime();
  private final Store store = new Store();
  private Path file;
  private ServedCertificate certificate;
  private Gateway gateway;
  private HttpHost host;
  private Reloader reloader;

  /** A store in memory that cannot be written to while {@code unavailable} is true. */
  private static final class Store implements Stores, DocumentStore {
    private final MemoryStores memory = new MemoryStores();
    private volatile boolean unavailable;

    @Override
    public boolean write(List<Write> writes) {
      if (unavailable) {
        throw new StoreUnavailableException("made unavailable by the test", null);
      }
      return memory.documents().write(writes);
    }

    @Override
    public @Nullable Document find(String kind, String id) {
      return memory.documents().find(kind, id);
    }

    @Override
    public Page list(Filter filter) {
      return memory.documents().list(filter);
    }

    @Override
    public Changes changes(long after) {
      return memory.documents().changes(after);
    }

    @Override
    public DocumentStore documents() {
      return this;
    }

    @Override
    public LedgerStore ledger() {
      return memory.ledger();
    }

    @Override
    public GenerationStore generations() {
      return memory.generations();
    }

    @Override
    public BatchStore batches() {
      return memory.batches();
    }

    @Override
    public AuditStore audit() {
      return memory.audit();
    }

    @Override
    public void close() {
      memory.close();
    }
  }

  /** A provider that makes no plugin for a catalog with the model {@code acme/hated}. */
  private record PickyProvider() implements PluginProvider {
    @Override
    public Descriptor descriptor() {
      return Descriptor.router("choosy").order(1).build();
    }

    @Override
    public Plugin create(PluginConfig config, Catalog catalog) {
      if (catalog.models().stream().anyMatch(model -> model.id().equals("acme/hated"))) {
        throw new IllegalArgumentException("not this one");
      }
      return new Router();
    }
  }

  private record Router() implements RouterPlugin {
    @Override
    public Json facts(InferenceRequest request) {
      return Json.NULL;
    }

    @Override
    public Selection select(Candidates candidates) {
      return Selection.PASS;
    }
  }

  @BeforeEach
  void start() throws Exception {
    file = folder.resolve("gateway.json");
    certificate = ServedCertificate.read(write("one", "acme/large"));
    var commands = new GatewayCommands(Map.of());
    var config =
        new ConfigFile(
            file, commands.context(new ByteArrayOutputStream(), new ByteArrayOutputStream()));
    gateway =
        Gateway.builder(config.open().config())
            .ambient(ambient)
            .stores(store)
            .plugins(Plugins.none().add(new PickyProvider()))
            .provider(new SimulatedFactory())
            .build();
    reloader = new Reloader(config, gateway, certificate);
    host =
        HttpHost.start(
            request -> new WireResponse(200, Map.of(), WireBody.of(new byte[0])),
            new HttpHost.Settings(
                "127.0.0.1",
                0,
                1_000,
                Duration.ZERO,
                Duration.ZERO,
                Duration.ofSeconds(30),
                certificate),
            ambient);
  }

  @AfterEach
  void stop() {
    host.close();
    gateway.close();
  }

  /** Writes a configuration with the certificate of this name. */
  private TlsFiles write(String name, String model) throws IOException {
    var files = new TlsFiles(folder.resolve(name + ".pem"), folder.resolve(name + ".key"));
    for (Path to : List.of(files.certificate(), files.key())) {
      try (InputStream in = HttpHost.class.getResourceAsStream("tls/" + to.getFileName())) {
        Files.write(to, Objects.requireNonNull(in).readAllBytes());
      }
    }
    Files.writeString(file, CONFIG.formatted(files.certificate(), files.key(), model));
    return files;
  }

  private String servedName() throws Exception {
    return ServedName.of(host.uri());
  }

  /** Returns the number of reloads in the audit log. */
  private long recordedReloads() {
    return store.audit().list(new AuditStore.Filter(null, null, null, 0, 10)).entries().stream()
        .filter(entry -> "configuration.reload".equals(entry.body().text("action")))
        .count();
  }

  @Test
  @DisplayName("because the store is unavailable changes nothing, not even the certificate")
  void storeUnavailable() throws Exception {
    write("two", "acme/large");
    store.unavailable = true;
    assertThat(reloader.reload(AuditActor.CONFIGURATION))
        .isEqualTo(new ReloadResult.StoreUnavailable());
    assertThat(servedName()).isEqualTo("CN=one.test");
    assertThat(recordedReloads()).isZero();
    store.unavailable = false;
    assertThat(reloader.reload(AuditActor.CONFIGURATION)).isInstanceOf(ReloadResult.Applied.class);
    assertThat(servedName()).isEqualTo("CN=two.test");
    assertThat(recordedReloads()).isOne();
  }

  @Test
  @DisplayName("because a plugin refuses the catalog names the plugin and changes nothing")
  void pluginRefuses() throws Exception {
    write("two", "acme/hated");
    assertThat(reloader.reload(AuditActor.CONFIGURATION))
        .isInstanceOfSatisfying(
            ReloadResult.Refused.class,
            refused ->
                assertThat(refused.problems())
                    .singleElement()
                    .asString()
                    .contains("must be usable: plugins: ", "choosy"));
    assertThat(servedName()).isEqualTo("CN=one.test");
    assertThat(recordedReloads()).isZero();
  }
}
