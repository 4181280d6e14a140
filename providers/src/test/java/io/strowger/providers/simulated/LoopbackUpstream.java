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
 * A simulated upstream that does as {@link ChatProviderContract} tells it, and an adapter connected
 * to it over real sockets. Safe on any thread.
 */
public final class LoopbackUpstream implements ChatProviderContract.Upstream {
  private static final String MODEL = "upstream-model";

  private final Wire wire;
  private final SimulatedUpstream server;
  private final ApacheTransport transport = new ApacheTransport();
  private final ChatProvider provider;

  /** What differs between the adapters. */
  public interface Wire {
    /** Makes the adapter, which sends over this transport. */
    ProviderFactory factory(Transport transport);

    /** Finds the text of the last message in the body of a request. */
    String lastText(Json.Obj body);

    /** The body of a refusal. */
    default Json.Obj refusal(int status, String message) {
      return Json.object().put("error", Json.object().put("message", message).build()).build();
    }

    /** True unless the dialect names the model somewhere else than in the body. */
    default boolean namesModelInBody() {
      return true;
    }
  }

  public LoopbackUpstream(TestAmbient ambient, Wire wire) {
    this.wire = wire;
    this.server = SimulatedUpstream.start(ambient);
    this.provider =
        wire.factory(transport)
            .create(
                new ProviderSettings(
                    "alpha",
                    server.baseUri(),
                    Map.of(),
                    Duration.ofSeconds(5),
                    new JacksonCodec(),
                    ambient));
  }

  /** The last object of a member that is a list of objects. */
  public static Json.Obj last(Json.Obj body, String member) {
    return (Json.Obj) Objects.requireNonNull(body.list(member)).reversed().getFirst();
  }

  /** A member that is a string. */
  public static String text(Json.Obj object, String member) {
    return Objects.requireNonNull(object.text(member));
  }

  /**
   * The script of a behaviour.
   *
   * @param lastText gives what an echo answers
   * @param refusal gives the body of a refusal, of its status and what it says
   */
  static Script script(
      UpstreamBehaviour behaviour,
      Supplier<String> lastText,
      BiFunction<Integer, String, String> refusal) {
    return switch (behaviour) {
      case UpstreamBehaviour.Echoes echo -> Script.answer(lastText.get());
      case UpstreamBehaviour.Stalls(String text) -> begins(text, new ScriptedFault.Stall(1));
      case UpstreamBehaviour.Silent silent ->
          Script.failing(new ScriptedFault.Stall(ScriptedFault.BEFORE_HEAD));
      case UpstreamBehaviour.Cuts(String text) -> begins(text, new ScriptedFault.Cut(1));
      case UpstreamBehaviour.Garbage garbage ->
          Script.failing(new ScriptedFault.Garbage(ScriptedFault.AFTER_HEAD));
      case UpstreamBehaviour.Refuses(int status, int wait, String message) -> {
        Map<String, String> headers =
            wait < 0 ? Map.of() : Map.of("Retry-After", Integer.toString(wait));
        yield Script.failing(
            new ScriptedFault.Refuse(status, headers, refusal.apply(status, message)));
      }
    };
  }

  private static Script begins(String text, ScriptedFault scriptedFault) {
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
    return wire.namesModelInBody();
  }

  @Override
  public void behave(UpstreamBehaviour behaviour) {
    server.respond(
        MODEL,
        request ->
            script(
                behaviour,
                () -> wire.lastText(parsed(request)),
                (status, message) -> wire.refusal(status, message).toString()));
  }

  @Override
  public String lastBody() {
    return server.last().text();
  }

  private static Json.Obj parsed(ReceivedRequest request) {
    try {
      return (Json.Obj) new JacksonCodec().parse(request.body());
    } catch (JsonCodec.MalformedJsonException unreadable) {
      throw new AssertionError(unreadable);
    }
  }

  @Override
  public void close() {
    transport.close();
    server.close();
  }
}
