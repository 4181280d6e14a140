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
 * What does the whole engine add to a stream of {@value #CHUNKS} chunks over real HTTP? The result
 * is microseconds of processor time and bytes per stream; wall-clock time is mostly the network's.
 *
 * <p>Lower bound: {@link #relay}, the same stream with the same client, copied as it arrives.
 * Target G3: {@link #gateway} takes at most 60 us of processor time more. The bytes of both include
 * the simulated upstream's, which are the same.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class StreamCallBenchmark {
  static final int CHUNKS = 200;

  private static final String MODEL = "long";
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** The dialects of upstream and caller. */
  @Param({"chat-to-chat", "chat-to-messages"})
  public String dialects = "chat-to-chat";

  private final ByteArrayOutputStream answer = new ByteArrayOutputStream();
  private final byte[] buffer = new byte[16 << 10];
  private SimulatedUpstream upstream;
  private Transport transport;
  private EmbeddedGateway gateway;
  private Api callerApi;
  private URI uri;
  private byte[] upstreamBody;
  private byte[] gatewayBody;

  @Setup
  public void setUp() {
    DialectPair pair = DialectPair.of(dialects);
    callerApi = pair.caller();
    upstream =
        SimulatedUpstream.start(new SystemAmbient())
            .script(
                MODEL,
                Script.builder()
                    .text("A few words. ".repeat(CHUNKS))
                    .chunks(CHUNKS)
                    .tokens(250, 600)
                    .build());
    transport = new ApacheTransport();
    gateway = new EmbeddedGateway(transport, pair.upstream(), upstream.baseUri(), MODEL);
    uri = URI.create(upstream.baseUri() + pair.upstream().path());
    upstreamBody = pair.upstream().requestBody(MODEL);
    gatewayBody = callerApi.requestBody(GatewayConfigs.MODEL_PREFIX + MODEL);
  }

  @TearDown
  public void tearDown() {
    gateway.close();
    transport.close();
    upstream.close();
  }

  @Benchmark
  public int relay(CallCpu cpu) throws IOException {
    cpu.count();
    answer.reset();
    var request =
        new Transport.Request(
            uri,
            Map.of("Authorization", "Bearer upstream-key"),
            JsonOutput.of(upstreamBody),
            TIMEOUT,
            TIMEOUT,
            new Cancellation());
    try (Transport.Response response = transport.send(request)) {
      for (int read = response.body().read(buffer);
          read >= 0;
          read = response.body().read(buffer)) {
        answer.write(buffer, 0, read);
      }
    }
    return answer.size();
  }

  @Benchmark
  public int gateway(CallCpu cpu) throws IOException {
    cpu.count();
    gateway.answer(callerApi, gatewayBody, answer);
    return answer.size();
  }

  /** Returns the answer of the last call. */
  byte[] answer() {
    return answer.toByteArray();
  }
}
