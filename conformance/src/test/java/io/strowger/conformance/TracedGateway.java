package io.strowger.conformance;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.Plugins;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.plugins.BuiltinPlugins;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.observe.CallTracer;
import io.strowger.spi.provider.Cancellation;
import io.strowger.tck.TestAmbient;
import io.strowger.telemetry.OpenTelemetryTracer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A gateway with two simulated providers, whose calls are traced as spans in memory. */
final class TracedGateway implements AutoCloseable {
  final TestAmbient ambient = TestAmbient.realTime();
  final SimulatedUpstream alpha = SimulatedUpstream.start(ambient);
  final SimulatedUpstream beta = SimulatedUpstream.start(ambient);
  final Spans spans = new Spans();
  final Gateway gateway;

  /** Collects the spans that have ended. */
  static final class Spans implements AutoCloseable {
    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final SdkTracerProvider provider =
        SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(exporter)).build();
    private final OpenTelemetry sdk =
        OpenTelemetrySdk.builder().setTracerProvider(provider).build();

    CallTracer tracer() {
      return new OpenTelemetryTracer(sdk);
    }

    List<SpanData> ended() {
      return exporter.getFinishedSpanItems();
    }

    @Override
    public void close() {
      provider.close();
    }
  }

  TracedGateway(boolean traced) {
    Plugins plugins = Plugins.none();
    for (var tool : BuiltinPlugins.tools()) {
      plugins = plugins.tool(tool);
    }
    Gateway.Builder builder =
        Gateway.builder(
                new ConfigReader(new JacksonCodec(), name -> null)
                    .read(config().getBytes(StandardCharsets.UTF_8))
                    .orThrow())
            .plugins(plugins)
            .provider(new OpenAiChatFactory())
            .ambient(ambient);
    gateway = (traced ? builder.tracer(spans.tracer()) : builder).build();
  }

  private String config() {
    return """
    {'providers':[{'slug':'alpha','protocol':'openai-chat','base_url':'%s','api_key':'sk-secret-upstream'},
       {'slug':'beta','protocol':'openai-chat','base_url':'%s','api_key':'sk-secret-upstream'}],
     'models':[{'id':'acme/large','endpoints':[
         {'provider':'alpha','upstream_model':'large','pricing':{'prompt':'0.000001','completion':'0.000002'}},
         {'provider':'beta','upstream_model':'large','pricing':{'prompt':'0.000001','completion':'0.000002'}}]},
       {'id':'acme/vectors','endpoints':[{'provider':'beta','kind':'embeddings','upstream_model':'vectors',
         'context_length':8192,'input_modalities':['text'],'pricing':{'prompt':'0.000001'}}]},
       {'id':'acme/voice','endpoints':[{'provider':'beta','kind':'speech','upstream_model':'voice',
         'pricing':{'characters':'0.000001'}}]},
       {'id':'acme/rank','endpoints':[{'provider':'beta','kind':'rerank','upstream_model':'rank',
         'pricing':{'search_units':'0.001'}}]}],
     'keys':[{'name':'app','key':'%s'}]}
    """
        .formatted(alpha.baseUri(), beta.baseUri(), Fixtures.APP_KEY)
        .replace('\'', '"');
  }

  /** Sends a request, and returns the whole answer. */
  String ask(String path, String body, Map<String, List<String>> headers) throws IOException {
    WireResponse response =
        gateway
            .wire()
            .handle(
                new WireRequest(
                    "POST",
                    path,
                    "",
                    new Headers(headers),
                    new ByteArrayInputStream(
                        body.replace('\'', '"').getBytes(StandardCharsets.UTF_8)),
                    new Cancellation()));
    var out = new ByteArrayOutputStream();
    try (WireBody answer = response.body()) {
      answer.transferTo(out);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private record Headers(Map<String, List<String>> more) implements WireRequest.Headers {
    @Override
    public @Nullable String first(String name) {
      List<String> all = all(name);
      return all.isEmpty() ? null : all.getFirst();
    }

    @Override
    public List<String> all(String name) {
      String wanted = name.toLowerCase(Locale.ROOT);
      return wanted.equals("authorization")
          ? List.of("Bearer " + Fixtures.APP_KEY)
          : more.getOrDefault(wanted, List.of());
    }
  }

  @Override
  public void close() {
    gateway.close();
    alpha.close();
    beta.close();
    spans.close();
    ambient.assertNoThreadsLeft();
  }
}
