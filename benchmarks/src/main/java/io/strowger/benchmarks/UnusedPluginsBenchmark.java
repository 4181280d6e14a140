package io.strowger.benchmarks;

import io.strowger.core.Gateway;
import io.strowger.core.config.Plugins;
import io.strowger.plugins.BuiltinPlugins;
import io.strowger.plugins.jsonschema.JsonSchemaValidator;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.spi.plugin.ServerTool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What do plugins cost a request that uses none of them? Compares the same streamed call of a
 * gateway without plugins and of one that has all of them and their tools. The upstream is in
 * memory, so that only the engine is measured.
 *
 * <p>Lower bound: {@link #without}. Target P1: {@link #with} takes at most 1.1 times as long and
 * allocates at most 300 bytes more.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class UnusedPluginsBenchmark {
  private static final String MODEL = "short";
  private static final String CHUNK =
      "data:"
          + " {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"short\",\"choices\":[{\"index\":0,%s}]}\n\n";
  private static final String STREAM =
      CHUNK.formatted("\"delta\":{\"role\":\"assistant\",\"content\":\"Yes.\"}")
          + CHUNK.formatted("\"delta\":{},\"finish_reason\":\"stop\"")
          + "data: [DONE]\n\n";

  private EmbeddedGateway gatewayWithoutPlugins;
  private EmbeddedGateway gatewayWithPlugins;
  private byte[] request;
  private final ByteArrayOutputStream answer = new ByteArrayOutputStream();

  @Setup
  public void setUp() {
    Plugins plugins =
        Plugins.none().discover(BuiltinPlugins.all()).schemas(new JsonSchemaValidator());
    for (ServerTool tool : BuiltinPlugins.tools()) {
      plugins = plugins.tool(tool);
    }
    gatewayWithoutPlugins = gateway(Plugins.none());
    gatewayWithPlugins = gateway(plugins);
    request = ChatBodies.named("1k", GatewayConfigs.MODEL_PREFIX + MODEL, true);
  }

  private static EmbeddedGateway gateway(Plugins plugins) {
    String file = GatewayConfigs.file(URI.create("http://localhost/v1"), MODEL);
    var transport = new MemoryTransport(STREAM.getBytes(StandardCharsets.UTF_8));
    return new EmbeddedGateway(
        Gateway.builder(GatewayConfigs.read(file))
            .plugins(plugins)
            .provider(new OpenAiChatFactory(transport))
            .build());
  }

  @TearDown
  public void tearDown() {
    gatewayWithoutPlugins.close();
    gatewayWithPlugins.close();
  }

  @Benchmark
  public byte[] without() throws IOException {
    return call(gatewayWithoutPlugins);
  }

  @Benchmark
  public byte[] with() throws IOException {
    return call(gatewayWithPlugins);
  }

  private byte[] call(EmbeddedGateway gateway) throws IOException {
    gateway.answer(Api.CHAT, request, answer);
    return answer.toByteArray();
  }
}
