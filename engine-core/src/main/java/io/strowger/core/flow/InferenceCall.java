package io.strowger.core.flow;

import io.strowger.core.account.Caller;
import io.strowger.core.account.Tab;
import io.strowger.core.attempt.AttemptLoop;
import io.strowger.core.attempt.Stickiness;
import io.strowger.core.attempt.Watchdog;
import io.strowger.core.health.Statistics;
import io.strowger.core.meter.PromptSize;
import io.strowger.core.plan.HoldSize;
import io.strowger.core.plan.PluginFailure;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.routing.Candidate;
import io.strowger.spi.routing.RoutePlan;
import io.strowger.spi.routing.RoutingQuery;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.spi.store.Hold;
import io.strowger.spi.store.Ledger;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request's way through the steps 4 to 16 of the pipeline: resolve, plan, hold, attempt; then
 * the answer is handed out metered. Whatever happens, what was held is settled or given back once,
 * and the call is recorded once.
 */
final class InferenceCall implements Inference.Underway {
  private static final Logger log = LoggerFactory.getLogger(InferenceCall.class);
  private static final int PLANNING_TRIES = 3;

  /**
   * A hold outlives the request a little, so that it never expires under a settlement that is late.
   */
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final Engine engine;
  private final Received received;
  private final Caller caller;
  private final InferenceRequest request;
  private final Cancellation cancellation;
  private final AtomicReference<@Nullable MeteredAnswer> answer = new AtomicReference<>();
  private @Nullable Hold hold;

  InferenceCall(Engine engine, Caller caller, InferenceRequest request, Cancellation cancellation) {
    this.engine = engine;
    this.received = Received.now(engine.ambient(), caller, request);
    this.caller = caller;
    this.request = request;
    this.cancellation = cancellation;
  }

  @Override
  public String id() {
    return received.id();
  }

  @Override
  public Reply reply() {
    if (caller.management()) {
      return refusedEarly(
          GatewayError.of(
              ErrorCode.PERMISSION_DENIED, "Management keys cannot be used for inference"));
    }
    while (true) {
      Snapshot snapshot = engine.current().get();
      if (snapshot == null) {
        return refusedEarly(GatewayError.of(ErrorCode.UNAVAILABLE));
      }
      Watchdog.Watch watch = watch(snapshot);
      engine.watchdog().add(watch);
      if (engine.current().get() == snapshot) {
        return run(snapshot, watch);
      }
      watch.end(); // swapped between the look and the lease: what was taken may be closed already
    }
  }

  private Reply refusedEarly(GatewayError error) {
    return new Reply.Refused(id(), received.createdSeconds(), error, Delivery.NONE);
  }

  private Watchdog.Watch watch(Snapshot snapshot) {
    long totalDue = received.nanos() + snapshot.deadlines().total().toNanos();
    return new Watchdog.Watch(engine.watchdog(), cancellation, totalDue, snapshot, this::abandon);
  }

  private Reply run(Snapshot snapshot, Watchdog.Watch watch) {
    var told = new CallLog(engine, received, snapshot);
    Reply reply = null;
    try {
      reply = serve(snapshot, watch, told);
      return reply;
    } catch (RuntimeException | Error bug) {
      log.error("request {} failed", id(), bug);
      if (bug instanceof PluginFailure router) {
        told.note(new TraceEntry.Note(router.plugin(), "failed"));
      }
      reply = refused(told, GatewayError.of(ErrorCode.INTERNAL), false, List.of());
      return reply;
    } finally {
      if (!(reply instanceof Reply.Answered)) {
        watch.end();
      }
    }
  }

  private Reply serve(Snapshot snapshot, Watchdog.Watch watch, CallLog told) {
    if (Question.models(request, snapshot.terms()).isEmpty()) {
      return refused(told, Question.NO_MODEL, false, List.of());
    }
    notePlugins(snapshot, told);
    PromptSize size = PromptSize.of(request);
    Stickiness.Conversation conversation = engine.stickiness().of(caller.owner(), request);
    RoutingQuery.Builder question = Question.of(request, size, snapshot, caller.key());
    Tab tab = tab(snapshot);
    for (int attempt = 1; ; attempt++) {
      Statistics statistics = snapshot.board().published();
      RoutingQuery query = asked(question, snapshot, conversation, statistics, tab.remaining());
      RoutePlan plan = snapshot.planner().plan(query, statistics);
      told.decided(query, statistics, plan);
      switch (plan) {
        case RoutePlan.NoRoute none -> {
          return refused(told, none.error(), false, List.of());
        }
        case RoutePlan.Attempts attempts -> {
          if (tab.hold(dearest(attempts.inOrder(), query))
              instanceof Ledger.Outcome.Granted granted) {
            hold = granted.hold();
            var run = new Serving(snapshot, watch, told, conversation, query, size);
            return attempt(run, attempts.inOrder(), granted.hold());
          }
          // somebody else took the money between the look and the hold: look again
          if (attempt == PLANNING_TRIES) {
            return refused(told, GatewayError.of(ErrorCode.PAYMENT_REQUIRED), false, List.of());
          }
        }
      }
    }
  }

  private RoutingQuery asked(
      RoutingQuery.Builder question,
      Snapshot snapshot,
      Stickiness.Conversation conversation,
      Statistics statistics,
      @Nullable Usd budget) {
    return question
        .sticky(conversation.endpoints(Question.models(request, snapshot.terms())))
        .statistics(statistics.sequence())
        .budget(budget)
        .at(received.at())
        .seed(received.seed())
        .build();
  }

  private Tab tab(Snapshot snapshot) {
    return Tab.open(
        engine.ledger(),
        caller,
        snapshot.terms().credits(),
        received.at(),
        received.at().plus(snapshot.deadlines().total()).plus(GRACE));
  }

  private void notePlugins(Snapshot snapshot, CallLog told) {
    engine.notes(request, snapshot).forEach(told::note);
  }

  private boolean echoes() {
    return request.streaming()
        && request.member("debug") instanceof Json.Obj debug
        && Json.TRUE.equals(debug.get("echo_upstream_body"));
  }

  private static Usd dearest(List<Candidate> candidates, RoutingQuery query) {
    Usd dearest = Usd.ZERO;
    for (Candidate candidate : candidates) {
      Usd size = HoldSize.of(candidate.endpoint(), query);
      dearest = size.isMoreThan(dearest) ? size : dearest;
    }
    return dearest;
  }

  /** What the attempts of one plan need to know. */
  private record Serving(
      Snapshot snapshot,
      Watchdog.Watch watch,
      CallLog told,
      Stickiness.Conversation conversation,
      RoutingQuery query,
      PromptSize size) {}

  private Reply attempt(Serving run, List<Candidate> candidates, Hold held) {
    Snapshot snapshot = run.snapshot();
    var template =
        new AttemptLoop.Template(
            request, EndUser.hash(request.user(), caller), echoes(), cancellation);
    var loop =
        new AttemptLoop(
            engine.ambient(),
            snapshot.catalog(),
            snapshot.upstreams(),
            snapshot.deadlines(),
            snapshot.board(),
            engine.codec());
    return switch (loop.run(
        candidates, template, candidate -> outputCap(run, candidate), run.watch())) {
      case AttemptLoop.Outcome.Exhausted exhausted ->
          refused(run.told(), exhausted.error(), exhausted.cancelled(), exhausted.attempts());
      case AttemptLoop.Outcome.Delivers delivers -> answered(run, delivers, held);
    };
  }

  private Reply.Answered answered(Serving run, AttemptLoop.Outcome.Delivers delivers, Hold held) {
    var metered =
        new MeteredAnswer(
            engine.ambient(),
            delivers.stream(),
            delivers.candidate(),
            run.size(),
            received.at(),
            held,
            end -> ended(run, delivers, end));
    answer.set(metered);
    if (cancellation.cause() == Cancellation.Cause.SHUTDOWN || engine.current().get() == null) {
      metered.close(); // the gateway closed before it could see the answer
    }
    return new Reply.Answered(
        id(), received.createdSeconds(), metered, () -> run.told().delivery(delivers, metered));
  }

  private void ended(Serving run, AttemptLoop.Outcome.Delivers delivers, MeteredAnswer.End end) {
    run.watch().end();
    Candidate by = delivers.candidate();
    if (end.outcome() == CallRecord.Outcome.COMPLETE) {
      run.conversation()
          .served(run.query().models().get(by.model()), by.endpoint(), end.bill().usage());
    }
    run.told().ended(delivers, end);
  }

  /**
   * The caller's own limit is sent as it came; a limit of ours is sent because the hold covers no
   * more.
   */
  private static int outputCap(Serving run, Candidate candidate) {
    HoldSize.OutputCap cap = HoldSize.outputCap(candidate.endpoint(), run.query());
    if (cap.byBudget()) {
      run.told()
          .note(
              new TraceEntry.Note(
                  "engine",
                  "output_capped_by_budget: " + candidate.endpoint().id() + " to " + cap.tokens()));
    }
    return cap.tokens();
  }

  private Reply.Refused refused(
      CallLog told, GatewayError error, boolean cancelled, List<TraceEntry> attempts) {
    Hold held = hold;
    if (held != null) {
      held.release();
    }
    return told.refused(error, cancelled, attempts);
  }

  /** The gateway is closing: end whatever the request is doing and account for it. */
  private void abandon() {
    cancellation.cancel(Cancellation.Cause.SHUTDOWN);
    MeteredAnswer begun = answer.get();
    if (begun != null) {
      begun.close();
    }
  }
}
