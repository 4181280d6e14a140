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
  private final ToolTally tally;
  private final InferenceRequest given; // the caller's request
  private final DeferredTools deferred;
  private final Deque<Event> queue = new ArrayDeque<>();
  private final List<Part> heldParts =
      new ArrayList<>(); // content of unstreamed turns, not passed on yet
  private Dialect dialect; // of the last unstreamed answer
  private InferenceRequest request;
  private volatile EventStream turn;
  private TurnEvents shown;
  private AnswerCollector collected = new AnswerCollector();
  private int steps;
  private int turns = 1;
  private long tokens;
  private boolean lastTurn;
  private boolean streamed; // something was passed on as a stream
  private boolean done;
  private volatile boolean closed;

  /**
   * @param given the caller's request
   */
  LoopStream(Chain chain, ToolRun run, ToolTally tally, InferenceRequest given) {
    this.chain = chain;
    this.run = run;
    this.rules = StopRules.of(given);
    this.tally = tally;
    this.given = given;
    this.deferred = DeferredTools.of(given, run.tools());
    this.dialect = given.dialect();
    InferenceRequest first = ToolRequests.first(given, run.tools(), deferred);
    this.request = first;
    this.shown = new TurnEvents(this::runsHere, true);
    this.turn = chain.proceed(first);
  }

  private boolean runsHere(String function) {
    return run.tools().named(function) != null;
  }

  @Override
  public @Nullable Event next() {
    while (queue.isEmpty() && !done && !closed) {
      Event event = turn.next();
      if (event == null) {
        return null; // closed, or a turn without a terminal event: the reader handles both
      }
      take(event);
    }
    return closed ? null : queue.poll();
  }

  private void take(Event event) {
    collected.add(event);
    if (event instanceof Event.Finished finished) {
      turnOver(finished.reason(), finished.nativeReason(), false);
    } else if (event instanceof Event.CompleteAnswer(Answer answer)) {
      turnOver(answer.stopReason(), answer.nativeReason(), true);
    } else if (event instanceof Event.Failed failed) {
      failed(failed);
    } else {
      show(shown.shown(event));
    }
  }

  /** Passes on events as a stream, after all content that was held back. */
  private void show(List<Event> events) {
    if (!events.isEmpty()) {
      if (!heldParts.isEmpty()) {
        queue.addAll(PartEvents.of(heldParts, dialect));
        heldParts.clear();
      }
      streamed = true;
      queue.addAll(events);
    }
  }

  /** Tries a turn without tools if the funds do not suffice; other failures end the answer. */
  private void failed(Event.Failed failed) {
    if (failed.code() == ErrorCode.PAYMENT_REQUIRED && turns > 1 && !lastTurn) {
      begin(request.toBuilder().mayCallTools(false).build(), true);
    } else {
      stage();
      end(failed);
    }
  }

  private void turnOver(StopReason reason, @Nullable String nativeReason, boolean whole) {
    Answer answer = collected.answer(request.dialect());
    Usage usage = answer.usage();
    tokens += usage == null ? 0 : usage.promptTokens() + usage.completionTokens();
    List<Part.ToolCall> ours = new ArrayList<>();
    int calls = 0;
    for (Part part : answer.parts()) {
      if (part instanceof Part.ToolCall call) {
        calls++;
        if (runsHere(call.name())) {
          ours.add(call);
        }
      }
    }
    boolean callers = calls > ours.size();
    if (ours.isEmpty() || lastTurn || reason != StopReason.TOOL_CALLS) {
      boolean ignored = lastTurn && !ours.isEmpty() && !callers;
      finish(answer, ignored ? StopReason.END : reason, whole);
      return;
    }
    turn.close();
    List<ToolRun.Done> results = runAll(ours);
    if (closed) {
      return;
    }
    if (results.size() < ours.size()) {
      begin(request, true); // cancelled: the engine ends this turn with its own error
    } else if (callers) {
      results.forEach(this::emitRun);
      finish(answer, reason, whole);
    } else {
      goOn(answer, results, reasons(reason, nativeReason), whole);
    }
  }

  private List<ToolRun.Done> runAll(List<Part.ToolCall> calls) {
    tally.requested(calls.size());
    var results = new ArrayList<ToolRun.Done>(calls.size());
    InferenceRequest asked = request.toBuilder().tools(given.tools()).build();
    for (Part.ToolCall call : calls) {
      if (closed || chain.cancellation().isCancelled()) {
        break; // the result would be paid for but not read
      }
      OfferedTools.Offer offer = run.tools().named(call.name());
      if (offer != null && rules.allowsCall(steps)) {
        steps++;
        results.add(run.run(call, offer, asked));
      } else if (offer != null) {
        results.add(run.refused(call, offer, rules.mostCalls()));
      }
    }
    return results;
  }

  private void goOn(Answer answer, List<ToolRun.Done> results, Set<String> reasons, boolean whole) {
    var called = new HashSet<String>();
    for (ToolRun.Done one : results) {
      called.add(one.call().name());
      called.add(one.type());
    }
    boolean stop =
        rules.isMet(new StopRules.Progress(steps, called, tokens, chain.spent(), reasons));
    if (whole) {
      say(answer);
    }
    turns++;
    InferenceRequest next = ToolRequests.next(request, answer.parts(), results, !stop);
    boolean more = deferred.found(results);
    begin(more ? ToolRequests.found(next, given, run.tools(), deferred) : next, stop);
  }

  private void begin(InferenceRequest next, boolean last) {
    request = next;
    lastTurn = last;
    collected = new AnswerCollector();
    shown = new TurnEvents(this::runsHere, false);
    EventStream begun = chain.proceed(next);
    turn = begun;
    if (closed) {
      begun.close();
    }
  }

  /**
   * Passes on the content of an unstreamed turn: at once if the answer is a stream, otherwise at
   * the end.
   */
  private void say(Answer answer) {
    dialect = answer.dialect();
    List<Part> said = said(answer);
    if (streamed || request.streaming()) {
      show(PartEvents.of(said, dialect));
    } else {
      heldParts.addAll(said);
    }
  }

  /** Returns all parts but the calls that the gateway runs. */
  private List<Part> said(Answer answer) {
    var said = new ArrayList<Part>();
    for (Part part : answer.parts()) {
      if (!(part instanceof Part.ToolCall call && runsHere(call.name()))) {
        said.add(part);
      }
    }
    return said;
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
  private void emitRun(ToolRun.Done one) {
    var shownRun =
        new Part.ServerToolRun(
            one.call().id(), one.type(), one.call().arguments(), one.result(), null);
    if (streamed || request.streaming()) {
      show(List.of(new Event.ServerToolRun(shownRun)));
    } else {
      heldParts.add(shownRun);
    }
  }

  /** Ends the answer; an unstreamed one for which no tool was run is passed on unchanged. */
  private void finish(Answer answer, StopReason reason, boolean whole) {
    stage();
    if (whole
        && run.runs().isEmpty()
        && !streamed
        && said(answer).size() == answer.parts().size()) {
      end(new Event.CompleteAnswer(answer));
      return;
    }
    if (whole) {
      say(answer);
    }
    if (streamed || request.streaming()) {
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
  private void stage() {
    if (run.runs().isEmpty()) {
      return;
    }
    String summary =
        run.runs().entrySet().stream()
            .map(one -> one.getKey() + " x" + one.getValue())
            .collect(Collectors.joining(", "));
    List<Json> types = run.runs().keySet().stream().<Json>map(Json::of).toList();
    chain.stage(
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
