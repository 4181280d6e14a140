package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.Gateway;
import io.strowger.core.PluginDirectory;
import io.strowger.core.audit.AuditActor;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.json.JacksonCodec;
import io.strowger.host.server.HttpHost;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests an adapter, a tool and an interceptor, each from its own jar, with requests over HTTP. Each
 * calls {@code Help} before it answers, a class of its jar that a test may break.
 */
@DisplayName("An adapter, a tool and an interceptor from jars")
class PluginJarsServedTest {
  private static final String CONFIG =
      """
      { "providers": [ { "slug": "alpha", "protocol": "acme-rpc", "base_url": "http://127.0.0.1:9/a" } ],
        "models": [ { "id": "acme/one", "endpoints": [ { "provider": "alpha" } ] } ],
        "keys": [ { "name": "app", "key": "%s" } ] }
      """;

  /** Calls the first tool that is declared, and answers with its result. */
  private static final String ADAPTER =
      """
      package com.acme;

      import io.strowger.spi.json.Json;
      import io.strowger.spi.model.*;
      import io.strowger.spi.provider.*;
      import java.util.List;

      public final class Rpc implements ProviderFactory {
        @Override public String protocol() { return "acme-rpc"; }

        @Override public ChatProvider create(ProviderSettings settings) { return new Adapter(); }

        private static final class Adapter implements ChatProvider {
          @Override public Json body(Call call) { return Json.Obj.EMPTY; }

          @Override public void close() {}

          @Override public EventStream open(Call call) {
            InferenceRequest request = call.request();
            String said = "adapter " + Help.say();
            Part answer = null;
            for (Message message : request.messages()) {
              for (Part part : message.parts()) {
                if (part instanceof Part.ToolResult result
                    && result.content().get(0) instanceof Part.Text text) {
                  answer = new Part.Text(said + ", " + text.text().text());
                }
              }
            }
            boolean calls = answer == null && !request.tools().isEmpty();
            if (calls) {
              String tool = ((Tool.Function) request.tools().get(0)).name();
              answer = new Part.ToolCall("c1", tool, Json.of("{}"), Json.Obj.EMPTY, null);
            } else if (answer == null) {
              answer = new Part.Text(said);
            }
            Usage usage = Usage.builder().freshInput(1).outputText(1).build();
            return EventStream.of(List.of(new Event.CompleteAnswer(new Answer(List.of(answer),
                calls ? StopReason.TOOL_CALLS : StopReason.END, null, usage, request.dialect(), null))));
          }
        }
      }
      """;

  private static final String TOOL =
      """
      package com.acme;

      import io.strowger.spi.json.Json;
      import io.strowger.spi.plugin.*;

      public final class Look implements ServerTool {
        @Override public Spec spec() {
          return new Spec("acme:look", "Looks.", Json.object().put("type", "object").build());
        }

        @Override public Json run(Invocation call, Interceptor.Chain chain) {
          return Json.of("tool " + Help.say());
        }
      }
      """;

  private static final String GUARD =
      """
      package com.acme;

      import io.strowger.spi.catalog.Catalog;
      import io.strowger.spi.plugin.*;

      public final class Guard implements PluginProvider {
        @Override public Descriptor descriptor() {
          return Descriptor.interceptor("guard").build();
        }

        @Override public Plugin create(PluginConfig config, Catalog catalog) {
          Interceptor interceptor = (request, chain) -> {
            chain.note("guard " + Help.say());
            return chain.proceed(request);
          };
          return interceptor;
        }
      }
      """;

  /** The three jars. */
  private enum Jar {
    ADAPTER("com.acme.Rpc", ProviderFactory.class, PluginJarsServedTest.ADAPTER),
    TOOL("com.acme.Look", ServerTool.class, PluginJarsServedTest.TOOL),
    GUARD("com.acme.Guard", PluginProvider.class, PluginJarsServedTest.GUARD);

    final String type;
    final Class<?> service;
    final String source;

    Jar(String type, Class<?> service, String source) {
      this.type = type;
      this.service = service;
      this.source = source;
    }

    Path in(Path folder) {
      return folder.resolve(name() + ".jar");
    }
  }

  /** What is wrong with a jar's class {@code Help}. */
  private enum Fault {
    /** Nothing. */
    NONE(Map.of("com.acme.Help", help("\"good\""))),

    /** It needs a class that only its author's SPI has; the copy in the jar is not used. */
    MISSING_CLASS(
        Map.of(
            "com.acme.Help",
            help("io.strowger.spi.ambient.Gone.say()"),
            "io.strowger.spi.ambient.Gone",
            "package io.strowger.spi.ambient; public final class Gone {"
                + " public static String say() { return \"\"; } }")),

    /** It lacks a method that its author's SPI did not require. */
    ABSTRACT_METHOD(
        Map.of(
            "com.acme.Help",
            "package com.acme; final class Help implements io.strowger.spi.ambient.Ambient {"
                + " static String say() { return \"\" + new Help().nanoTime(); } }",
            "io.strowger.spi.ambient.Ambient",
            "package io.strowger.spi.ambient; public interface Ambient {"
                + " default long nanoTime() { return 0; } }")),

    /** It was compiled for a later Java. */
    CLASS_VERSION(Map.of("com.acme.Help", help("\"from tomorrow\"")));

    final Map<String, String> sources;

    Fault(Map<String, String> sources) {
      this.sources = sources;
    }

    private static String help(String said) {
      return "package com.acme; final class Help { static String say() { return %s; } }"
          .formatted(said);
    }
  }

  @TempDir private Path folder;
  private final TestAmbient ambient = TestAmbient.realTime();
  private final BlockingQueue<CallRecord> records = new LinkedBlockingQueue<>();
  private final HttpClient client = HttpClient.newHttpClient();
  private Gateway gateway;
  private HttpHost host;

  private void write(Jar jar, Fault fault) throws IOException {
    var sources = new HashMap<>(fault.sources);
    sources.put(jar.type, jar.source);
    Path written =
        PluginJar.write(
            jar.in(folder),
            sources,
            Map.of("META-INF/services/" + jar.service.getName(), jar.type));
    if (fault == Fault.CLASS_VERSION) {
      try (FileSystem zip = FileSystems.newFileSystem(written)) {
        Path help = zip.getPath("com/acme/Help.class");
        byte[] content = Files.readAllBytes(help);
        content[7] = (byte) 200; // the major version
        Files.write(help, content);
      }
    }
  }

  @BeforeEach
  void start() throws Exception {
    for (Jar jar : Jar.values()) {
      write(jar, Fault.NONE);
    }
    PluginDirectory directory = PluginDirectory.open(folder);
    gateway =
        Gateway.builder(config(directory))
            .pluginDirectory(directory)
            .sink(records::add)
            .ambient(ambient)
            .build();
    host =
        HttpHost.start(
            gateway.wire()::handle,
            new HttpHost.Settings("127.0.0.1", 0, 1 << 20, Duration.ofMillis(200)),
            ambient);
  }

  @AfterEach
  void stop() {
    client.close();
    host.close(); // waits for the requests in progress
    assertThat(gateway.load().inFlight()).as("requests in progress after failures").isZero();
    assertThat(gateway.load().endpoints().values())
        .allSatisfy(load -> assertThat(load.inFlight()).isZero());
    gateway.close();
    ambient.assertNoThreadsLeft();
  }

  private static GatewayConfig config(PluginDirectory directory) {
    return new ConfigReader(new JacksonCodec(), name -> null)
        .withProtocols(directory.protocols())
        .read(CONFIG.formatted(Fixtures.APP_KEY).getBytes(StandardCharsets.UTF_8))
        .orThrow();
  }

  private void reload() throws Exception {
    PluginDirectory directory = gateway.pluginDirectory().reload(folder);
    gateway.reload(config(directory), directory, AuditActor.CONFIGURATION);
  }

  /** Sends a request that uses all three jars. */
  private HttpResponse<String> ask() throws Exception {
    return ask("'tools':[{'type':'acme:look'}],'plugins':[{'id':'guard'}]");
  }

  private HttpResponse<String> ask(String members) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(host.uri() + "/chat/completions"))
            .header("Authorization", "Bearer " + Fixtures.APP_KEY)
            .header("Content-Type", "application/json")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    RoutedGateway.chat("acme/one", "Hello", members)))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private void assertServes() throws Exception {
    HttpResponse<String> answer = ask();
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body()).contains("adapter good, ").contains("tool good");
  }

  /** Returns the trace of the next record, which comes when the answer has been delivered. */
  private List<TraceEntry> nextTrace() throws InterruptedException {
    return Objects.requireNonNull(records.poll(30, TimeUnit.SECONDS)).trace();
  }

  @Test
  @DisplayName("serve requests, can be replaced, and are unloaded with all that they created")
  void unloaded() throws Exception {
    assertServes();
    assertThat(nextTrace()).contains(new TraceEntry.Note("guard", "guard good"));
    var gone = new ReferenceQueue<ClassLoader>();
    List<PhantomReference<ClassLoader>> old = loaders(gone);
    for (Jar jar : Jar.values()) {
      write(jar, Fault.CLASS_VERSION); // other bytes under the same name
    }
    reload();
    for (Jar jar : Jar.values()) {
      write(jar, Fault.NONE);
    }
    reload();
    assertServes();
    assertThat(nextTrace())
        .as("the trace of the next record, which is taken since it keeps plugins alive")
        .isNotEmpty();
    int unloaded = 0;
    for (int round = 0; round < 50 && unloaded < old.size(); round++) {
      System.gc();
      while (gone.remove(100) != null) {
        unloaded++;
      }
    }
    assertThat(unloaded).isEqualTo(3);
    assertServes();
  }

  private List<PhantomReference<ClassLoader>> loaders(ReferenceQueue<ClassLoader> gone) {
    PluginDirectory directory = gateway.pluginDirectory();
    return List.of(
        new PhantomReference<>(directory.plugins().getFirst().getClass().getClassLoader(), gone),
        new PhantomReference<>(directory.tools().getFirst().getClass().getClassLoader(), gone),
        new PhantomReference<>(directory.factories().getFirst().getClass().getClassLoader(), gone));
  }

  private static void assertNoDetails(HttpResponse<String> answer) {
    assertThat(answer.body()).doesNotContain("Error:", "com.acme", "com/acme", "Help", "nanoTime");
  }

  private void assertServesAfterRepair(Jar jar) throws Exception {
    write(jar, Fault.NONE);
    reload();
    assertServes();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  @DisplayName(
      "fail the requests that use an interceptor which does not link, and name it in the traces")
  void brokenInterceptor(Fault fault) throws Exception {
    write(Jar.GUARD, fault);
    reload();
    HttpResponse<String> failed = ask();
    assertThat(failed.statusCode()).isEqualTo(500);
    assertNoDetails(failed);
    assertThat(nextTrace()).contains(new TraceEntry.Note("guard", "failed"));
    assertThat(ask("'tools':[{'type':'acme:look'}]").statusCode())
        .as("without the interceptor")
        .isEqualTo(200);
    assertServesAfterRepair(Jar.GUARD);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  @DisplayName("fail the calls of a tool which does not link, and tell the model so")
  void brokenTool(Fault fault) throws Exception {
    write(Jar.TOOL, fault);
    reload();
    HttpResponse<String> answer = ask();
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("The tool failed.").doesNotContain("tool good");
    assertNoDetails(answer);
    assertThat(nextTrace())
        .filteredOn(entry -> entry.toString().contains("the tool acme:look failed"))
        .hasSize(1);
    assertServesAfterRepair(Jar.TOOL);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  @DisplayName("fail the attempts of an adapter which does not link, and name them in the traces")
  void brokenAdapter(Fault fault) throws Exception {
    write(Jar.ADAPTER, fault);
    reload();
    HttpResponse<String> failed = ask();
    assertThat(failed.statusCode()).isEqualTo(500);
    assertNoDetails(failed);
    assertThat(nextTrace())
        .filteredOn(TraceEntry.Attempted.class::isInstance)
        .singleElement()
        .asString()
        .contains("endpoint=acme/one@alpha", "failure=PROTOCOL");
    assertServesAfterRepair(Jar.ADAPTER);
  }
}
