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
 * Checks an adapter's stream against what its call asked for. An answer that exceeds the output its
 * hold covers is cut there: the upstream is closed, and the answer ends as one that reached its
 * limit. An answer that is collected ends when no memory is left for it. A tool call with
 * incomplete arguments that the upstream reports as complete is a failure of the upstream. Decision
 * 24.
 *
 * <p>Read by one thread, closed by any.
 */
public final class CheckedStream implements EventStream {
  private static final Event.Finished AT_THE_LIMIT =
      new Event.Finished(StopReason.LENGTH, null, null);

  /**
   * The tokens tolerated beyond the hold: some upstreams have a minimum of output tokens, or count
   * tokens not yet sent.
   */
  private static final long SPARE_TOKENS = 64;

  /** The most output tokens of an endpoint that states no limit. */
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
  private long counted; // output tokens, by the upstream, so far
  private boolean begun; // content came: events are collected from then on
  private volatile boolean ended;
  private volatile boolean cameWhole;

  /**
   * Returns an opener that checks the answers of adapters: the innermost step of every attempt,
   * before all plugins.
   *
   * @param delegate the opener of everything else around each attempt
   * @param whenCut receives the id of the endpoint when an answer is cut, once, before its end
   * @param collected the budget for collected answers; null when they are only passed on
   */
  public static Opener opener(
      Opener delegate, Consumer<String> whenCut, OutputBudget.@Nullable Share collected) {
    return (adapter, call, funds) ->
        delegate.open(new Checked(adapter, funds, whenCut, collected), call, funds);
  }

  /** Opens the adapter and checks its stream. */
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

  /** Returns the most tokens to deliver: what the hold covers, at most the endpoint's limit. */
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
      counted = usage.completionTokens() - usage.reasoning(); // some do not limit reasoning
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

  /**
   * Returns whether memory is left for an event; events before the first content are bounded by
   * {@link AttemptOpening}.
   */
  private boolean fits(Event event) {
    begun |= event.isContent();
    return !begun || collected == null || collected.add(event);
  }

  private Event outOfMemory() {
    upstream.close();
    return new Event.Failed(GatewayEnding.OUT_OF_MEMORY, null);
  }

  /**
   * Returns whether an event has content although the upstream already reported more tokens than
   * are held.
   */
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

  /** Counts the last event, whose frame may repeat the whole answer. */
  private Event finished(Event.Finished finished) {
    return collected == null || collected.add(finished) ? finished : outOfMemory();
  }

  private static Event cutInside() {
    return Event.Failed.upstream(FailurePolicy.CUT_ARGUMENTS);
  }

  /** Cuts a complete answer that is too long; upstreams may ignore limits there, too. */
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

  /** Keeps a complete answer open when it is collected: its parts are used after its end. */
  @Override
  public void close() {
    if (cameWhole && collected != null) {
      collected.keep(upstream);
    } else {
      upstream.close();
    }
  }
}
