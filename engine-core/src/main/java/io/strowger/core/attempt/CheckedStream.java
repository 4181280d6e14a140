package io.strowger.core.attempt;

import io.strowger.core.inference.GatewayEnding;
import io.strowger.core.meter.DeliveredOutput;
import io.strowger.core.money.Funds;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.UpstreamException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An adapter's stream, held to what its call asked for. An answer that goes on beyond the output
 * that its hold covers is cut there: the upstream is closed, and the answer ends as one that
 * reached its limit. One that somebody collects ends when there is no memory left for it. Tool
 * calls that end in the middle of their arguments although the upstream says they are complete are
 * a failure of the upstream. Decision 24.
 *
 * <p>Read by one thread, closed by any.
 */
public final class CheckedStream implements EventStream {
  private static final Event.Finished AT_THE_LIMIT =
      new Event.Finished(StopReason.LENGTH, null, null);

  /** Some upstreams answer with a least number of tokens, or count what they have not yet said. */
  private static final long SPARE_TOKENS = 64;

  /** Of an endpoint about which nobody said how much it can put out. */
  private static final long MAX_TOKENS = 1 << 20;

  private final EventStream upstream;
  private final InferenceRequest request;
  private final long cap;
  private final long mostTokens;
  private final String endpoint;
  private final Consumer<String> whenCut;
  private final @Nullable CollectedOutput collected;
  private final DeliveredOutput delivered = new DeliveredOutput();
  private @Nullable ArgumentScan arguments; // most answers have no calls
  private long counted; // by the upstream, so far
  private boolean begun; // content came: from there on it is collected
  private volatile boolean ended;
  private volatile boolean cameWhole;

  /**
   * Opens adapters so that their answers are checked: the innermost step of every attempt, in front
   * of all plugins.
   *
   * @param delegate what else stands around each attempt
   * @param whenCut is told the endpoint of an answer that is cut, once, before its end
   * @param collected memory for what is collected of the answers; null when they are only passed on
   */
  public static Opener opener(
      Opener delegate, Consumer<String> whenCut, OutputBudget.@Nullable Share collected) {
    return (adapter, call, funds) ->
        delegate.open(new Checked(adapter, funds, whenCut, collected), call, funds);
  }

  /** Asks the adapter, and checks what it gives. */
  private record Checked(
      ChatProvider adapter,
      Funds funds,
      Consumer<String> whenCut,
      OutputBudget.@Nullable Share collected)
      implements ChatProvider {
    @Override
    public EventStream open(Call call) throws UpstreamException {
      return new CheckedStream(funds.open(adapter, call), call, this);
    }

    @Override
    public Json body(Call call) {
      return adapter.body(call);
    }

    @Override
    public void close() {
      adapter.close();
    }
  }

  private CheckedStream(EventStream upstream, Call call, Checked by) {
    this.upstream = upstream;
    this.request = call.request();
    this.cap = call.outputHold();
    this.mostTokens = mostTokens(call);
    this.endpoint = call.endpoint().id();
    this.whenCut = by.whenCut();
    this.collected = by.collected() == null ? null : new CollectedOutput(by.collected());
  }

  /** The tokens that can be delivered: what is paid for, if the endpoint can do that much. */
  private static long mostTokens(Call call) {
    Endpoint endpoint = call.endpoint();
    int known = Math.max(endpoint.maxOutputTokens(), endpoint.contextLength());
    long most = known > 0 ? known : MAX_TOKENS;
    return call.outputHold() > 0 ? Math.min(call.outputHold(), most) : most;
  }

  @Override
  public @Nullable Event next() {
    if (ended) {
      return null;
    }
    Event event = upstream.next();
    if (event == null) {
      return null;
    }
    Event checked = event.isTerminal() ? ending(event) : piece(event);
    cameWhole = checked instanceof Event.CompleteAnswer;
    ended = checked.isTerminal();
    return checked;
  }

  private Event piece(Event event) {
    delivered.add(event);
    if (event instanceof Event.UsageReport report) {
      Usage usage = report.usage();
      counted = usage.completionTokens() - usage.reasoning(); // which some do not limit
    }
    if (delivered.exceeds(mostTokens) || isBeyondCount(event) || isOneCallTooMany(event)) {
      return cut();
    }
    return fits(event) ? event : outOfMemory();
  }

  private boolean isOneCallTooMany(Event event) {
    if (!(event instanceof Event.ToolCallDelta call)) {
      return false;
    }
    if (arguments == null) {
      arguments = new ArgumentScan(request);
    }
    return !arguments.add(call);
  }

  /** What comes before content its adapter bounds, since it is all kept back. */
  private boolean fits(Event event) {
    begun |= event.isContent();
    return !begun || collected == null || collected.add(event);
  }

  private Event outOfMemory() {
    upstream.close();
    return new Event.Failed(GatewayEnding.OUT_OF_MEMORY, null);
  }

  /** What comes after the upstream itself counted more than it was asked for. */
  private boolean isBeyondCount(Event event) {
    return cap > 0 && counted > cap + SPARE_TOKENS && event.isContent();
  }

  private Event cut() {
    whenCut.accept(endpoint);
    upstream.close();
    return AT_THE_LIMIT;
  }

  private Event ending(Event event) {
    return switch (event) {
      case Event.Finished finished when finished.reason() == StopReason.TOOL_CALLS ->
          arguments != null && arguments.isCut() ? cutInside() : finished(finished);
      case Event.Finished finished -> finished(finished);
      case Event.CompleteAnswer(Answer answer)
          when answer.stopReason() == StopReason.TOOL_CALLS
              && ArgumentScan.isCut(answer, request) ->
          cutInside();
      case Event.CompleteAnswer whole -> whole(whole);
      default -> event;
    };
  }

  /** Its frame may repeat all that was said. */
  private Event finished(Event.Finished finished) {
    return collected == null || collected.add(finished) ? finished : outOfMemory();
  }

  private static Event cutInside() {
    return Event.Failed.upstream(FailurePolicy.CUT_ARGUMENTS);
  }

  /** An upstream that ignores its limit does so without a stream, too. */
  private Event whole(Event.CompleteAnswer completeAnswer) {
    delivered.add(completeAnswer);
    if (!delivered.exceeds(mostTokens)) {
      return completeAnswer;
    }
    whenCut.accept(endpoint);
    return new Event.CompleteAnswer(AnswerTruncator.of(completeAnswer.answer(), mostTokens));
  }

  @Override
  public boolean ready() {
    return ended || upstream.ready();
  }

  /** What came whole is in use after its end: by plugins, and by whoever writes the answer. */
  @Override
  public void close() {
    if (cameWhole && collected != null) {
      collected.keep(upstream);
    } else {
      upstream.close();
    }
  }
}
