package io.strowger.core.tools;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.AnswerCollector;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One answer made of several turns. Content is passed on as it arrives, also between turns; calls
 * of the gateway's tools are run when their turn is over. Pulled by one thread, closed by any.
 */
final class LoopStream implements EventStream {
  private final Chain chain;
  private final ToolRun run;
  private final StopRules rules;
  private final ToolCallCounter tally;
  private final InferenceRequest callerRequest;
  private final DeferredTools deferred;
  private final Deque<Event> queue = new ArrayDeque<>();
  // content of unstreamed turns that was not passed on yet
  private final List<Part> heldParts = new ArrayList<>();
  private Dialect dialect; // of the last unstreamed answer
  private InferenceRequest request;
  private volatile EventStream turn;
  private TurnEvents turnEvents;
  private AnswerCollector collector = new AnswerCollector();
  private int steps;
  private int turnCount = 1;
  private long tokens;
  private boolean lastTurn; // the model may call no more tools
  private boolean hasStreamed; // something was passed on as a stream
  private boolean done;
  private volatile boolean closed;

  /**
   * @param callerRequest the caller's request
   */
  LoopStream(Chain chain, ToolRun run, ToolCallCounter tally, InferenceRequest callerRequest) {
    this.chain = chain;
    this.run = run;
    this.rules = StopRules.of(callerRequest);
    this.tally = tally;
    this.callerRequest = callerRequest;
    this.deferred = DeferredTools.of(callerRequest, run.tools());
    this.dialect = callerRequest.dialect();
    InferenceRequest first = ToolRequests.firstTurn(callerRequest, run.tools(), deferred);
    this.request = first;
    this.turnEvents = new TurnEvents(this::runsHere, true);
    this.turn = chain.proceed(first);
  }

  private boolean runsHere(String function) {
    return run.tools().findByName(function) != null;
  }

  @Override
  public @Nullable Event next() {
    while (queue.isEmpty() && !done && !closed) {
      Event event = turn.next();
      if (event == null) {
        return null; // closed, or a turn without a terminal event: the reader handles both
      }
      handle(event);
    }
    return closed ? null : queue.poll();
  }

  private void handle(Event event) {
    collector.add(event);
    if (event instanceof Event.Finished finished) {
      endTurn(finished.reason(), finished.nativeReason(), false);
    } else if (event instanceof Event.CompleteAnswer(Answer answer)) {
      endTurn(answer.stopReason(), answer.nativeReason(), true);
    } else if (event instanceof Event.Failed failed) {
      handleFailure(failed);
    } else {
      emit(turnEvents.visibleEvents(event));
    }
  }

  /** Passes on events as a stream, after all content that was held back. */
  private void emit(List<Event> events) {
    if (!events.isEmpty()) {
      if (!heldParts.isEmpty()) {
        queue.addAll(PartEvents.of(heldParts, dialect));
        heldParts.clear();
      }
      hasStreamed = true;
      queue.addAll(events);
    }
  }

  /** Tries a turn without tools if the funds do not suffice; other failures end the answer. */
  private void handleFailure(Event.Failed failure) {
    if (failure.code() == ErrorCode.PAYMENT_REQUIRED && turnCount > 1 && !lastTurn) {
      begin(request.toBuilder().mayCallTools(false).build(), true);
    } else {
      recordToolStage();
      end(failure);
    }
  }

  private void endTurn(StopReason reason, @Nullable String nativeReason, boolean isUnstreamed) {
    Answer answer = collector.answer(request.dialect());
    Usage usage = answer.usage();
    tokens += usage == null ? 0 : usage.promptTokens() + usage.completionTokens();
    List<Part.ToolCall> gatewayCalls = new ArrayList<>();
    int calls = 0;
    for (Part part : answer.parts()) {
      if (part instanceof Part.ToolCall call) {
        calls++;
        if (runsHere(call.name())) {
          gatewayCalls.add(call);
        }
      }
    }
    boolean hasCallerCalls = calls > gatewayCalls.size();
    if (gatewayCalls.isEmpty() || lastTurn || reason != StopReason.TOOL_CALLS) {
      boolean ignoresCalls = lastTurn && !gatewayCalls.isEmpty() && !hasCallerCalls;
      finish(answer, ignoresCalls ? StopReason.END : reason, isUnstreamed);
      return;
    }
    turn.close();
    List<ToolRun.CompletedCall> results = runAll(gatewayCalls);
    if (closed) {
      return;
    }
    if (results.size() < gatewayCalls.size()) {
      begin(request, true); // cancelled: the engine ends this turn with its own error
    } else if (hasCallerCalls) {
      results.forEach(this::emitRun);
      finish(answer, reason, isUnstreamed);
    } else {
      continueLoop(answer, results, reasons(reason, nativeReason), isUnstreamed);
    }
  }

  private List<ToolRun.CompletedCall> runAll(List<Part.ToolCall> calls) {
    tally.addRequested(calls.size());
    var results = new ArrayList<ToolRun.CompletedCall>(calls.size());
    InferenceRequest turnRequest = request.toBuilder().tools(callerRequest.tools()).build();
    for (Part.ToolCall call : calls) {
      if (closed || chain.cancellation().isCancelled()) {
        break; // the result would be paid for but not read
      }
      OfferedTools.Offer offer = run.tools().findByName(call.name());
      if (offer != null && rules.allowsCall(steps)) {
        steps++;
        results.add(run.run(call, offer, turnRequest));
      } else if (offer != null) {
        results.add(run.refuse(call, offer, rules.maxCalls()));
      }
    }
    return results;
  }

  private void continueLoop(
      Answer answer,
      List<ToolRun.CompletedCall> results,
      Set<String> reasons,
      boolean isUnstreamed) {
    var calledTools = new HashSet<String>();
    for (ToolRun.CompletedCall result : results) {
      calledTools.add(result.call().name());
      calledTools.add(result.type());
    }
    boolean mustStop =
        rules.isMet(
            new StopRules.Progress(steps, calledTools, tokens, chain.settledAndHeld(), reasons));
    if (isUnstreamed) {
      emitContent(answer);
    }
    turnCount++;
    InferenceRequest next = ToolRequests.nextTurn(request, answer.parts(), results, !mustStop);
    boolean foundTools = deferred.releaseFound(results);
    begin(
        foundTools
            ? ToolRequests.turnAfterSearch(next, callerRequest, run.tools(), deferred)
            : next,
        mustStop);
  }

  private void begin(InferenceRequest next, boolean last) {
    request = next;
    lastTurn = last;
    collector = new AnswerCollector();
    turnEvents = new TurnEvents(this::runsHere, false);
    EventStream stream = chain.proceed(next);
    turn = stream;
    if (closed) {
      stream.close();
    }
  }

  /**
   * Passes on the content of an unstreamed turn: at once if the answer is a stream, otherwise at
   * the end.
   */
  private void emitContent(Answer answer) {
    dialect = answer.dialect();
    List<Part> parts = visibleParts(answer);
    if (hasStreamed || request.streaming()) {
      emit(PartEvents.of(parts, dialect));
    } else {
      heldParts.addAll(parts);
    }
  }

  /** Returns all parts but the calls that the gateway runs. */
  private List<Part> visibleParts(Answer answer) {
    var parts = new ArrayList<Part>();
    for (Part part : answer.parts()) {
      if (!(part instanceof Part.ToolCall call && runsHere(call.name()))) {
        parts.add(part);
      }
    }
    return parts;
  }

  private static Set<String> reasons(StopReason reason, @Nullable String nativeReason) {
    var words = new HashSet<String>();
    words.add(reason.name().toLowerCase(Locale.ROOT));
    if (nativeReason != null) {
      words.add(nativeReason);
    }
    return words;
  }

  /**
   * Passes on a run of a turn that also calls functions of the caller; the caller's next request
   * sends the run back.
   */
  private void emitRun(ToolRun.CompletedCall result) {
    var shownRun =
        new Part.ServerToolRun(
            result.call().id(), result.type(), result.call().arguments(), result.result(), null);
    if (hasStreamed || request.streaming()) {
      emit(List.of(new Event.ServerToolRun(shownRun)));
    } else {
      heldParts.add(shownRun);
    }
  }

  /** Ends the answer; an unstreamed one for which no tool was run is passed on unchanged. */
  private void finish(Answer answer, StopReason reason, boolean isUnstreamed) {
    recordToolStage();
    if (isUnstreamed
        && run.runCounts().isEmpty()
        && !hasStreamed
        && visibleParts(answer).size() == answer.parts().size()) {
      end(new Event.CompleteAnswer(answer));
      return;
    }
    if (isUnstreamed) {
      emitContent(answer);
    }
    if (hasStreamed || request.streaming()) {
      end(new Event.Finished(reason, answer.nativeReason(), null));
    } else {
      end(
          new Event.CompleteAnswer(
              new Answer(
                  heldParts,
                  reason,
                  answer.nativeReason(),
                  answer.usage(),
                  answer.dialect(),
                  null)));
    }
  }

  /** Adds the tools that were run to the pipeline of the request. */
  private void recordToolStage() {
    if (run.runCounts().isEmpty()) {
      return;
    }
    String summary =
        run.runCounts().entrySet().stream()
            .map(entry -> entry.getKey() + " x" + entry.getValue())
            .collect(Collectors.joining(", "));
    List<Json> types = run.runCounts().keySet().stream().<Json>map(Json::of).toList();
    chain.recordStage(
        new TraceEntry.Stage(
            "server_tools",
            ToolLoop.ID,
            summary,
            Json.object().put("mode", "sdk").put("tools", Json.array(types)).build()));
  }

  private void end(Event last) {
    queue.add(last);
    done = true;
  }

  @Override
  public boolean ready() {
    return done || closed || !queue.isEmpty() || turn.ready();
  }

  @Override
  public void close() {
    closed = true;
    turn.close();
  }
}
