package io.strowger.providers.simulated;

import io.strowger.core.json.JacksonCodec;
import io.strowger.providers.http.ApacheTransport;
import io.strowger.simulated.ReceivedRequest;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import io.strowger.tck.ChatProviderContract;
import io.strowger.tck.Given;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.UpstreamBehaviour;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * A simulated upstream whose behaviour {@link ChatProviderContract} sets, and an adapter that is
 * connected to it over real sockets. Thread-safe.
 */
public final class LoopbackUpstream implements ChatProviderContract.ProviderSetup {
  private static final String MODEL = "upstream-model";

  private final TestedDialect dialect;
  private final SimulatedUpstream server;
  private final ApacheTransport transport = new ApacheTransport();
  private final ChatProvider provider;

  /** The parts of the test setup that differ between the adapters. */
  public interface TestedDialect {
    /** Returns the factory of an adapter that sends over this transport. */
    ProviderFactory factory(Transport transport);

    /** Returns the text of the last message in the body of a request. */
    String lastText(Json.Obj body);

    /** Returns the body of a refusal. */
    default Json.Obj refusal(int status, String message) {
      return Json.object().put("error", Json.object().put("message", message).build()).build();
    }

    /** Returns true unless the dialect names the model elsewhere than in the body. */
    default boolean namesModelInBody() {
      return true;
    }
  }

  public LoopbackUpstream(TestAmbient ambient, TestedDialect dialect) {
    this.dialect = dialect;
    this.server = SimulatedUpstream.start(ambient);
    this.provider =
        dialect
            .factory(transport)
            .create(
                new ProviderSettings(
                    "alpha",
                    server.baseUri(),
                    Map.of(),
                    Duration.ofSeconds(5),
                    new JacksonCodec(),
                    ambient));
  }

  /** Returns the last object of a member that is a list of objects. */
  public static Json.Obj last(Json.Obj body, String member) {
    return (Json.Obj) Objects.requireNonNull(body.list(member)).reversed().getFirst();
  }

  /** Returns a member that is a string. */
  public static String text(Json.Obj object, String member) {
    return Objects.requireNonNull(object.text(member));
  }

  /**
   * Returns the script of a behaviour.
   *
   * @param lastText returns the text that an echo answers
   * @param refusal returns the body of a refusal with this status and message
   */
  static Script script(
      UpstreamBehaviour behaviour,
      Supplier<String> lastText,
      BiFunction<Integer, String, String> refusal) {
    return switch (behaviour) {
      case UpstreamBehaviour.Echoes echo -> Script.answer(lastText.get());
      case UpstreamBehaviour.Stalls(String text) -> beginning(text, new ScriptedFault.Stall(1));
      case UpstreamBehaviour.Silent silent ->
          Script.failing(new ScriptedFault.Stall(ScriptedFault.BEFORE_HEAD));
      case UpstreamBehaviour.Cuts(String text) -> beginning(text, new ScriptedFault.Cut(1));
      case UpstreamBehaviour.Garbage garbage ->
          Script.failing(new ScriptedFault.Garbage(ScriptedFault.AFTER_HEAD));
      case UpstreamBehaviour.Refuses(int status, int wait, String message) -> {
        Map<String, String> headers =
            wait < 0 ? Map.of() : Map.of("Retry-After", Integer.toString(wait));
        yield Script.responding(status, headers, refusal.apply(status, message));
      }
    };
  }

  private static Script beginning(String text, ScriptedFault scriptedFault) {
    return Script.builder().text(text).chunks(1).fault(scriptedFault).build();
  }

  @Override
  public ChatProvider provider() {
    return provider;
  }

  @Override
  public Endpoint endpoint() {
    return Given.endpoint("alpha", "lab/model", "1").toBuilder().upstreamModel(MODEL).build();
  }

  @Override
  public boolean namesModelInBody() {
    return dialect.namesModelInBody();
  }

  @Override
  public void behave(UpstreamBehaviour behaviour) {
    server.respond(
        MODEL,
        request ->
            script(
                behaviour,
                () -> dialect.lastText(parsed(request)),
                (status, message) -> dialect.refusal(status, message).toString()));
  }

  @Override
  public String lastBody() {
    return server.last().text();
  }

  private static Json.Obj parsed(ReceivedRequest request) {
    try {
      return (Json.Obj) new JacksonCodec().parse(request.body());
    } catch (JsonCodec.MalformedJsonException malformed) {
      throw new AssertionError(malformed);
    }
  }

  @Override
  public void close() {
    transport.close();
    server.close();
  }
}
