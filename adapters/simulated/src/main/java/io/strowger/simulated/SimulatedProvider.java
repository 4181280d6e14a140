package io.strowger.simulated;

import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.UpstreamException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * A model in this process that answers from scripts. Uses no socket, and threads only for pauses.
 */
final class SimulatedProvider implements ChatProvider {
  private final ProviderSettings settings;
  private final Function<Call, Script> scripts;
  private final Set<Cancellation.Child> openCalls = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  SimulatedProvider(ProviderSettings settings, Function<Call, Script> scripts) {
    this.settings = settings;
    this.scripts = scripts;
  }

  @Override
  public EventStream open(Call call) throws UpstreamException {
    Script script = scripts.apply(call);
    Cancellation.Child openCall = begin(call.cancellation());
    boolean opened = false;
    try {
      playUntilHead(script, openCall.cancellation());
      boolean streaming = call.request().streaming();
      List<Event> events =
          streaming ? SimulatedAnswer.stream(script) : SimulatedAnswer.completeAnswer(script);
      if (!streaming) {
        requireComplete(events, openCall.cancellation());
      }
      opened = true;
      return new SimulatedStream(
          events,
          streaming ? script.chunkDelay() : Duration.ZERO,
          settings.ambient(),
          openCall.cancellation(),
          () -> end(openCall));
    } finally {
      if (!opened) {
        end(openCall);
      }
    }
  }

  /** Begins a call that the caller's cancellation or {@link #close} ends. */
  private Cancellation.Child begin(Cancellation caller) {
    Cancellation.Child openCall = caller.child();
    openCalls.add(openCall);
    if (closed) {
      openCall.cancellation().cancel(Cancellation.Cause.SHUTDOWN);
    }
    return openCall;
  }

  private void end(Cancellation.Child openCall) {
    if (openCalls.remove(openCall)) {
      openCall.link().close();
    }
  }

  /** Plays everything before the head of the response. */
  private void playUntilHead(Script script, Cancellation cancellation) throws UpstreamException {
    Pause.waitFor(script.latency(), settings.ambient(), cancellation);
    if (script.fault() instanceof ScriptedFault.Stall(int position)
        && position == ScriptedFault.BEFORE_HEAD) {
      Pause.waitUntilCancelled(cancellation);
    }
    throwIfCancelled(cancellation);
    Failure refusal =
        switch (script.fault()) {
          case ScriptedFault.RawResponse(int status, var headers, String body) ->
              new Failure(
                  FailureKind.ofStatus(status), status, retryAfter(headers), "simulated " + status);
          case ScriptedFault.Cut(int position) when position == ScriptedFault.BEFORE_HEAD ->
              connectionFailure();
          case ScriptedFault.Reset(int position) when position == ScriptedFault.BEFORE_HEAD ->
              connectionFailure();
          case ScriptedFault.CutInside(int position) when position == ScriptedFault.BEFORE_HEAD ->
              connectionFailure();
          case ScriptedFault.Garbage(int position) when position == ScriptedFault.BEFORE_HEAD ->
              connectionFailure();
          default -> null;
        };
    if (refusal != null) {
      throw new UpstreamException(refusal);
    }
  }

  /** Waits, or throws, when an answer that is not streamed does not complete. */
  private static void requireComplete(List<Event> events, Cancellation cancellation)
      throws UpstreamException {
    if (events.isEmpty()) {
      Pause.waitUntilCancelled(cancellation);
      throwIfCancelled(cancellation);
    }
    for (Event event : events) {
      if (event instanceof Event.Failed failed && failed.cause() != null) {
        throw new UpstreamException(failed.cause());
      }
    }
  }

  private static void throwIfCancelled(Cancellation cancellation) throws UpstreamException {
    Cancellation.Cause cause = cancellation.cause();
    if (cause != null) {
      throw new UpstreamException(SimulatedStream.cancellationFailure(cause));
    }
  }

  private static Failure connectionFailure() {
    return Failure.of(FailureKind.UNAVAILABLE, "simulated");
  }

  private static long retryAfter(Map<String, String> headers) {
    String seconds = headers.get("Retry-After");
    return seconds == null ? -1 : Long.parseLong(seconds);
  }

  @Override
  public Json body(Call call) {
    return SimulatedFactory.bodyOf(call);
  }

  @Override
  public void close() {
    closed = true;
    openCalls.forEach(openCall -> openCall.cancellation().cancel(Cancellation.Cause.SHUTDOWN));
  }
}
