package io.strowger.benchmarks;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.providers.http.ApacheTransport;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Transport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does the whole engine add to a call of an upstream over real HTTP? The result is
 * microseconds of processor time and bytes per call; wall-clock time is mostly the network's.
 *
 * <p>Lower bound: {@link #raw}, the same call with the same client and nothing around it. Target
 * G1, for 1k: compared with {@link #raw}, {@link #gateway} takes at most 15 us and 15 % more
 * processor time, and allocates at most 8 kB more. The bytes of both include the simulated
 * upstream's, which are the same.
 *
 * <p>{@link #telemetry} is the same call of a gateway that traces and counts: the difference to
 * {@link #gateway} is the cost of telemetry. Without telemetry the cost is one comparison with
 * null.
 *
 * <p>{@link #destinations} is the same call of a gateway with three observability destinations that
 * are sent every call whole, {@link #privateDestinations} with three in privacy mode, and {@link
 * #sampledDestinations} with three that sample a tenth of the calls. Other threads deliver to them:
 * the caller's processor time and bytes are the cost for a call, and JMH's own bytes include the
 * exporters and the delivery. Target G4, for {@link #sampledDestinations}: at most 5 us of
 * processor time and 2 kB of the calling thread more than {@link #gateway}, which has no
 * destinations. Having none costs one read of a field.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class GatewayCallBenchmark {
  private static final String MODEL = "short";
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** The name of the body. */
  @Param({"1k", "32k"})
  public String body = "1k";

  private SimulatedUpstream upstream;
  private Transport transport;
  private EmbeddedGateway gateway;
  private EmbeddedGateway gatewayWithTelemetry;
  private EmbeddedGateway gatewayWithDestinations;
  private EmbeddedGateway gatewayWithPrivateDestinations;
  private EmbeddedGateway gatewayWithSampledDestinations;
  private URI uri;
  private byte[] upstreamBody;
  private byte[] gatewayBody;
  private final ByteArrayOutputStream answer = new ByteArrayOutputStream();

  @Setup
  public void setUp() {
    upstream =
        SimulatedUpstream.start(new SystemAmbient())
            .script(
                MODEL, Script.builder().text("A few words. ".repeat(25)).tokens(250, 75).build());
    transport = new ApacheTransport();
    gateway = new EmbeddedGateway(transport, upstream.baseUri(), MODEL);
    gatewayWithTelemetry = EmbeddedGateway.withTelemetry(transport, upstream.baseUri(), MODEL);
    gatewayWithDestinations =
        EmbeddedGateway.withDestinations(transport, upstream.baseUri(), MODEL, false, "1");
    gatewayWithPrivateDestinations =
        EmbeddedGateway.withDestinations(transport, upstream.baseUri(), MODEL, true, "1");
    gatewayWithSampledDestinations =
        EmbeddedGateway.withDestinations(transport, upstream.baseUri(), MODEL, false, "0.1");
    uri = URI.create(upstream.baseUri() + "/chat/completions");
    upstreamBody = ChatBodies.named(body, MODEL, false);
    gatewayBody = ChatBodies.named(body, GatewayConfigs.MODEL_PREFIX + MODEL, false);
  }

  @TearDown
  public void tearDown() {
    gateway.close();
    gatewayWithTelemetry.close();
    gatewayWithDestinations.close();
    gatewayWithPrivateDestinations.close();
    gatewayWithSampledDestinations.close();
    transport.close();
    upstream.close();
  }

  @Benchmark
  public byte[] raw(CallCpu cpu) throws IOException {
    cpu.count();
    var request =
        new Transport.Request(
            uri,
            Map.of("Authorization", "Bearer upstream-key"),
            JsonOutput.of(upstreamBody),
            TIMEOUT,
            TIMEOUT,
            new Cancellation());
    try (Transport.Response response = transport.send(request)) {
      // reading without a known length allocates 16 KB, which would hide the engine's allocation
      String length = Objects.requireNonNull(response.header("content-length"), "no length");
      return response.body().readNBytes(Integer.parseInt(length) + 1);
    }
  }

  @Benchmark
  public byte[] gateway(CallCpu cpu) throws IOException {
    return chat(gateway, cpu);
  }

  @Benchmark
  public byte[] telemetry(CallCpu cpu) throws IOException {
    return chat(gatewayWithTelemetry, cpu);
  }

  @Benchmark
  public byte[] destinations(CallCpu cpu) throws IOException {
    return chat(gatewayWithDestinations, cpu);
  }

  @Benchmark
  public byte[] privateDestinations(CallCpu cpu) throws IOException {
    return chat(gatewayWithPrivateDestinations, cpu);
  }

  @Benchmark
  public byte[] sampledDestinations(CallCpu cpu) throws IOException {
    return chat(gatewayWithSampledDestinations, cpu);
  }

  /** Returns the number of calls delivered to the three destinations of {@link #destinations}. */
  long delivered() {
    return gatewayWithDestinations.delivered();
  }

  private byte[] chat(EmbeddedGateway embedded, CallCpu cpu) throws IOException {
    cpu.count();
    embedded.answer(Api.CHAT, gatewayBody, answer);
    return answer.toByteArray();
  }
}
