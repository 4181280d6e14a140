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
  private static final Event.Finished FINISHED_AT_LIMIT =
      new Event.Finished(StopReason.LENGTH, null, null);

  /**
   * The tokens tolerated beyond the hold: some upstreams have a minimum of output tokens, or count
   * tokens not yet sent.
   */
  private static final long SPARE_TOKENS = 64;

  /** The output limit, in tokens, of an endpoint that states none. */
  private static final long DEFAULT_ENDPOINT_LIMIT = 1 << 20;

  private final EventStream upstream;
  private final InferenceRequest request;
  private final long heldTokens;
  private final long deliverableTokens;
  private final String endpoint;
  private final Consumer<String> onCut;
  private final @Nullable CollectedOutput collectedOutput;
  private final DeliveredOutput deliveredOutput = new DeliveredOutput();
  private @Nullable ArgumentScan arguments; // most answers have no calls
  private long reportedTokens; // output tokens, by the upstream, so far
  private boolean hasContent; // content came: events are collected from then on
  private volatile boolean ended;
  private volatile boolean endedInCompleteAnswer;

  /**
   * Returns an opener that checks the answers of adapters: the step next to the adapter, so that
   * plugins see only checked answers.
   *
   * @param delegate opens an attempt with everything that stands around the adapter; is given the
   *     adapter with the checks
   * @param onCut receives the id of the endpoint when an answer is cut, once, before its end
   * @param budget the budget for collected answers; null when they are only passed on
   */
  public static Opener opener(
      Opener delegate, Consumer<String> onCut, OutputBudget.@Nullable Share budget) {
    return (adapter, call, funds) ->
        delegate.open(new CheckedProvider(adapter, funds, onCut, budget), call, funds);
  }

  /** Opens the adapter and checks its stream. */
  private record CheckedProvider(
      ChatProvider adapter,
      Funds funds,
      Consumer<String> onCut,
      OutputBudget.@Nullable Share budget)
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

  private CheckedStream(EventStream upstream, Call call, CheckedProvider provider) {
    this.upstream = upstream;
    this.request = call.request();
    this.heldTokens = call.outputHold();
    this.deliverableTokens = deliverableTokens(call);
    this.endpoint = call.endpoint().id();
    this.onCut = provider.onCut();
    this.collectedOutput =
        provider.budget() == null ? null : new CollectedOutput(provider.budget());
  }

  /**
   * Returns the most output tokens to deliver: what the hold covers, but at most the larger of the
   * endpoint's output limit and its context length.
   */
  private static long deliverableTokens(Call call) {
    Endpoint endpoint = call.endpoint();
    int endpointLimit = Math.max(endpoint.maxOutputTokens(), endpoint.contextLength());
    long limit = endpointLimit > 0 ? endpointLimit : DEFAULT_ENDPOINT_LIMIT;
    return call.outputHold() > 0 ? Math.min(call.outputHold(), limit) : limit;
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
    Event checked = event.isTerminal() ? checkEnding(event) : checkPiece(event);
    endedInCompleteAnswer = checked instanceof Event.CompleteAnswer;
    ended = checked.isTerminal();
    return checked;
  }

  private Event checkPiece(Event event) {
    deliveredOutput.add(event);
    if (event instanceof Event.UsageReport report) {
      Usage usage = report.usage();
      // some upstreams do not count reasoning against the limit
      reportedTokens = usage.completionTokens() - usage.reasoning();
    }
    if (deliveredOutput.exceeds(deliverableTokens)
        || exceedsReportedTokens(event)
        || exceedsToolCallLimit(event)) {
      return cutAtLimit();
    }
    return tryCollect(event) ? event : outOfMemory();
  }

  private boolean exceedsToolCallLimit(Event event) {
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
  private boolean tryCollect(Event event) {
    hasContent |= event.isContent();
    return !hasContent || collectedOutput == null || collectedOutput.tryAdd(event);
  }

  private Event outOfMemory() {
    upstream.close();
    return new Event.Failed(GatewayEnding.OUT_OF_MEMORY, null);
  }

  /**
   * Returns whether an event has content although the upstream already reported more tokens than
   * are held.
   */
  private boolean exceedsReportedTokens(Event event) {
    return heldTokens > 0 && reportedTokens > heldTokens + SPARE_TOKENS && event.isContent();
  }

  private Event cutAtLimit() {
    onCut.accept(endpoint);
    upstream.close();
    return FINISHED_AT_LIMIT;
  }

  private Event checkEnding(Event event) {
    return switch (event) {
      case Event.Finished finished when finished.reason() == StopReason.TOOL_CALLS ->
          arguments != null && arguments.isIncomplete()
              ? incompleteArguments()
              : countFinished(finished);
      case Event.Finished finished -> countFinished(finished);
      case Event.CompleteAnswer(Answer answer)
          when answer.stopReason() == StopReason.TOOL_CALLS
              && ArgumentScan.isIncomplete(answer, request) ->
          incompleteArguments();
      case Event.CompleteAnswer completeAnswer -> checkCompleteAnswer(completeAnswer);
      default -> event;
    };
  }

  /** Counts the last event, whose frame may repeat the whole answer. */
  private Event countFinished(Event.Finished finished) {
    return collectedOutput == null || collectedOutput.tryAdd(finished) ? finished : outOfMemory();
  }

  private static Event incompleteArguments() {
    return Event.Failed.upstream(FailurePolicy.INCOMPLETE_ARGUMENTS);
  }

  /** Cuts a complete answer that is too long; upstreams may ignore limits there, too. */
  private Event checkCompleteAnswer(Event.CompleteAnswer completeAnswer) {
    deliveredOutput.add(completeAnswer);
    if (!deliveredOutput.exceeds(deliverableTokens)) {
      return completeAnswer;
    }
    onCut.accept(endpoint);
    return new Event.CompleteAnswer(AnswerTruncator.of(completeAnswer.answer(), deliverableTokens));
  }

  @Override
  public boolean ready() {
    return ended || upstream.ready();
  }

  /** Keeps a complete answer open when it is collected: its parts are used after its end. */
  @Override
  public void close() {
    if (endedInCompleteAnswer && collectedOutput != null) {
      collectedOutput.keepOpen(upstream);
    } else {
      upstream.close();
    }
  }
}
