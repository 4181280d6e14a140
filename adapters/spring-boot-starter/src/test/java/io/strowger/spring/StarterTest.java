package io.strowger.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedFactory;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.observe.TraceSink;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.tck.TestAmbient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@DisplayName("The starter")
class StarterTest {
  @TempDir Path folder;

  /** Beans that the gateway uses, and that record what it does with them. */
  @Configuration(proxyBeanMethods = false)
  static class RecordingBeans {
    final Queue<CallRecord> records = new ConcurrentLinkedQueue<>();
    final InMemorySpanExporter spans = InMemorySpanExporter.create();
    final TestAmbient ambient = TestAmbient.realTime();

    @Bean
    Ambient ambient() {
      return ambient;
    }

    @Bean
    TraceSink sink() {
      return records::add;
    }

    @Bean(destroyMethod = "") // the exporter would forget its spans
    OpenTelemetry openTelemetry() {
      return OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(spans))
                  .build())
          .build();
    }
  }

  @Test
  @DisplayName("serves the API, with a secret of the Environment, and reports to sinks and spans")
  void serves() throws Exception {
    try (SimulatedUpstream upstream = Application.upstream();
        Application application =
            Application.start(
                folder,
                Application.config(upstream.baseUri().toString()),
                RecordingBeans.class,
                "strowger.path=/models/v1")) {
      upstream.script("large", Script.answer("Hello from afar"));
      HttpResponse<String> plain = application.post("/models/v1", Application.CHAT);
      assertThat(plain.statusCode()).isEqualTo(200);
      assertThat(plain.body()).contains("Hello from afar");
      assertThat(upstream.last().header("authorization")).isEqualTo("Bearer sk-of-the-environment");
      assertThat(application.post("/models/v1", Application.STREAMED).body())
          .startsWith("data: ")
          .endsWith("data: [DONE]\n\n");
      assertThat(application.get("/api/v1/models").statusCode()).isEqualTo(404);

      RecordingBeans beans = application.context.getBean(RecordingBeans.class);
      application.close(); // waits for reports that follow an answer
      assertThat(beans.records).hasSize(2);
      assertThat(beans.spans.getFinishedSpanItems())
          .extracting(span -> span.getName())
          .containsOnly("chat acme/large", "chat large");
      beans.ambient.assertNoThreadsLeft();
    }
  }

  @Test
  @DisplayName("shows meters of calls and gauges of the load in the application's registry")
  void meters() throws Exception {
    try (SimulatedUpstream upstream = Application.upstream();
        Application application =
            Application.start(
                folder,
                Application.config(upstream.baseUri().toString()),
                Application.Plain.class)) {
      upstream.script("large", Script.answer("Hello from afar"));
      application.gateway().chat(Application.KEY).ask("acme/large").user("Hi").call();
      MeterRegistry registry = application.context.getBean(MeterRegistry.class);
      assertThat(registry.get("strowger.requests").counter().count()).isEqualTo(1);
      assertThat(registry.get("strowger.requests.in.flight").gauge().value()).isZero();
      assertThat(application.get("/actuator/metrics/strowger.requests").body())
          .contains("\"value\":1.0");
    }
  }

  @Test
  @DisplayName("shows under health whether the gateway is ready, and how many endpoints are usable")
  void health() throws Exception {
    try (Application application =
        Application.start(
            folder, Application.config("http://127.0.0.1:1/v1"), Application.Plain.class)) {
      HttpResponse<String> ready = application.get("/actuator/health/strowger");
      assertThat(ready.statusCode()).isEqualTo(200);
      assertThat(ready.body())
          .contains("\"status\":\"UP\"", "\"state\":\"ready\"", "\"endpoints\":1")
          .contains("\"usableEndpoints\":1");
      application.gateway().close();
      HttpResponse<String> closed = application.get("/actuator/health/strowger");
      assertThat(closed.statusCode()).isEqualTo(503);
      assertThat(closed.body()).contains("OUT_OF_SERVICE", "\"state\":\"draining\"");
    }
  }

  /** A provider factory, a customizer and a configuration as beans. */
  @Configuration(proxyBeanMethods = false)
  static class ApplicationBeans {
    @Bean
    ProviderFactory simulated() {
      return new SimulatedFactory(call -> Script.answer("From a bean"));
    }

    @Bean
    GatewayBuilderCustomizer customizer() {
      return builder -> builder.sink(record -> {});
    }

    @Bean
    GatewayConfig config(ConfigReader reader) {
      String file = Application.config("http://127.0.0.1:1/v1").replace("openai-chat", "simulated");
      return reader.read(file.getBytes(StandardCharsets.UTF_8)).orThrow();
    }
  }

  @Test
  @DisplayName(
      "uses a provider factory, a customizer and a configuration that are beans, without a web"
          + " server")
  void beans() {
    try (Application application =
        Application.start(
            ApplicationBeans.class, "spring.main.web-application-type=none", "ALPHA_KEY=sk-1")) {
      Gateway gateway = application.gateway();
      assertThat(gateway.chat(Application.KEY).ask("acme/large").user("Hi").call().text())
          .isEqualTo("From a bean");
      assertThat(application.context.containsBean(ServletConfiguration.NAME)).isFalse();
    }
  }

  @Test
  @DisplayName("creates no gateway if it is switched off")
  void switchedOff() {
    try (Application application =
        Application.start(Application.Plain.class, "strowger.enabled=false")) {
      assertThat(application.context.getBeanNamesForType(Gateway.class)).isEmpty();
    }
  }

  @Test
  @DisplayName("keeps the usage of keys in a file below its data directory, for the next run")
  void store() throws Exception {
    try (SimulatedUpstream upstream = Application.upstream()) {
      upstream.script("large", Script.answer("Hello from afar"));
      String[] usage = new String[2];
      for (int run = 0; run < 2; run++) {
        try (Application application =
            Application.start(
                folder,
                Application.config(upstream.baseUri().toString()),
                Application.Plain.class,
                "strowger.data-dir=" + folder.resolve("data"))) {
          if (run == 0) {
            application.post("/api/v1", Application.CHAT);
          }
          usage[run] = application.get("/api/v1/key").body();
        }
      }
      assertThat(usage[1]).isEqualTo(usage[0]).doesNotContain("\"usage\":0,");
      assertThat(folder.resolve("data").resolve("gateway.mv.db")).exists();
    }
  }
}
