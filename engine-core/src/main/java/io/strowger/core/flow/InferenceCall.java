package io.strowger.core.flow;

import io.strowger.core.account.Caller;
import io.strowger.core.account.Tab;
import io.strowger.core.attempt.AttemptLoop;
import io.strowger.core.attempt.Watchdog;
import io.strowger.core.meter.PromptSize;
import io.strowger.core.plan.HoldSize;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.routing.Candidate;
import io.strowger.spi.routing.RoutePlan;
import io.strowger.spi.routing.RoutingQuery;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.spi.store.Hold;
import io.strowger.spi.store.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

  private static final GatewayError NO_MODEL =
      GatewayError.of(
          ErrorCode.INVALID_REQUEST,
          List.of(
              new Problem(
                  JsonPointer.ROOT.child("model"),
                  "is required, since the account has no default model",
                  "")));

  private final Engine engine;
  private final Caller caller;
  private final InferenceRequest request;
  private final Cancellation cancellation;
  private final Instant started;
  private final long startedNanos;
  private final long seed;
  private final String id;
  private final AtomicReference<@Nullable MeteredAnswer> answer = new AtomicReference<>();
  private final List<TraceEntry> notes = new ArrayList<>();
  private @Nullable RoutePlan plan;
  private @Nullable Hold hold;

  InferenceCall(Engine engine, Caller caller, InferenceRequest request, Cancellation cancellation) {
    this.engine = engine;
    this.caller = caller;
    this.request = request;
    this.cancellation = cancellation;
    this.started = engine.ambient().now();
    this.startedNanos = engine.ambient().nanoTime();
    this.seed = engine.ambient().seed();
    this.id = GenerationId.of(started, seed, engine.ambient().seed());
  }

  @Override
  public String id() {
    return id;
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

  private Watchdog.Watch watch(Snapshot snapshot) {
    long totalDue = startedNanos + snapshot.deadlines().total().toNanos();
    return new Watchdog.Watch(engine.watchdog(), cancellation, totalDue, snapshot, this::abandon);
  }

  private Reply run(Snapshot snapshot, Watchdog.Watch watch) {
    Reply reply = null;
    try {
      reply = serve(snapshot, watch);
      return reply;
    } catch (RuntimeException | Error bug) {
      log.error("request {} failed", id, bug);
      reply = refused(snapshot, GatewayError.of(ErrorCode.INTERNAL), false, List.of());
      return reply;
    } finally {
      if (!(reply instanceof Reply.Answered)) {
        watch.end();
      }
    }
  }

  private Reply serve(Snapshot snapshot, Watchdog.Watch watch) {
    if (request.models().isEmpty() && snapshot.defaultModel() == null) {
      return refused(snapshot, NO_MODEL, false, List.of());
    }
    notePlugins();
    PromptSize size = PromptSize.of(request);
    Tab tab =
        Tab.open(
            engine.ledger(),
            caller,
            snapshot.credits(),
            started,
            started.plus(snapshot.deadlines().total()).plus(GRACE));
    for (int attempt = 1; ; attempt++) {
      RoutingQuery query = Question.of(request, size, snapshot, tab.remaining(), started, seed);
      RoutePlan decided = snapshot.planner().plan(query);
      plan = decided;
      switch (decided) {
        case RoutePlan.NoRoute none -> {
          return refused(snapshot, none.error(), false, List.of());
        }
        case RoutePlan.Attempts attempts -> {
          Ledger.Outcome outcome = tab.hold(dearest(attempts.inOrder(), query));
          switch (outcome) {
            case Ledger.Outcome.Granted granted -> {
              hold = granted.hold();
              return attempt(snapshot, watch, attempts, query, size, granted.hold());
            }
            case Ledger.Outcome.Refused refused -> {
              // somebody else took the money between the look and the hold: look again
              if (attempt == PLANNING_TRIES) {
                return refused(
                    snapshot, GatewayError.of(ErrorCode.PAYMENT_REQUIRED), false, List.of());
              }
            }
          }
        }
      }
    }
  }

  private void notePlugins() {
    for (Descriptor idle : engine.plugins().inactive(request.plugins())) {
      notes.add(new TraceEntry.Note(idle.id(), "accepted without effect: not built yet"));
    }
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

  private Reply attempt(
      Snapshot snapshot,
      Watchdog.Watch watch,
      RoutePlan.Attempts attempts,
      RoutingQuery query,
      PromptSize size,
      Hold held) {
    var template =
        new AttemptLoop.Template(
            request, EndUser.hash(request.user(), caller), echoes(), cancellation);
    AttemptLoop.Outcome outcome =
        new AttemptLoop(engine.ambient(), snapshot.upstreams(), snapshot.deadlines())
            .run(attempts.inOrder(), template, candidate -> outputCap(candidate, query), watch);
    return switch (outcome) {
      case AttemptLoop.Outcome.Exhausted exhausted ->
          refused(snapshot, exhausted.error(), exhausted.cancelled(), exhausted.attempts());
      case AttemptLoop.Outcome.Delivers delivers -> {
        var metered =
            new MeteredAnswer(
                engine.ambient(),
                delivers.stream(),
                delivers.candidate().endpoint(),
                size,
                started,
                held,
                end -> finished(snapshot, watch, delivers, end));
        answer.set(metered);
        if (cancellation.cause() == Cancellation.Cause.SHUTDOWN || engine.current().get() == null) {
          metered.close(); // the gateway closed before it could see the answer
        }
        yield new Reply.Answered(
            id, started.getEpochSecond(), metered, () -> delivery(snapshot, delivers, metered));
      }
    };
  }

  /**
   * The caller's own limit is sent as it came; a limit of ours is sent because the hold covers no
   * more.
   */
  private int outputCap(Candidate candidate, RoutingQuery query) {
    HoldSize.OutputCap cap = HoldSize.outputCap(candidate.endpoint(), query);
    if (cap.byBudget()) {
      notes.add(
          new TraceEntry.Note(
              "engine",
              "output_capped_by_budget: " + candidate.endpoint().id() + " to " + cap.tokens()));
    }
    return cap.tokens();
  }

  private void finished(
      Snapshot snapshot,
      Watchdog.Watch watch,
      AttemptLoop.Outcome.Delivers delivers,
      MeteredAnswer.End end) {
    watch.end();
    var lines = new ArrayList<CallRecord.Line>();
    for (TraceEntry entry : delivers.attempts()) {
      if (entry instanceof TraceEntry.Attempted attempted) {
        lines.add(
            attempted.failure() == null
                ? new CallRecord.Line(attempted.endpoint(), end.bill().usage(), end.bill().total())
                : free(attempted));
      }
    }
    engine.observe(
        record(snapshot, end.outcome(), lines, delivers.attempts())
            .endpoint(delivers.candidate().endpoint().id())
            .stopReason(end.stopReason())
            .error(end.error())
            .firstContentNanos(delivers.firstContentNanos() - startedNanos)
            .build());
  }

  private CallRecord.Builder record(
      Snapshot snapshot,
      CallRecord.Outcome outcome,
      List<CallRecord.Line> lines,
      List<TraceEntry> attempts) {
    return CallRecord.builder(id, started, outcome)
        .keyName(caller.name())
        .requested(requested(snapshot))
        .lines(lines)
        .plan(plan)
        .attempts(events(attempts))
        .totalNanos(engine.ambient().nanoTime() - startedNanos);
  }

  private static CallRecord.Line free(TraceEntry.Attempted attempted) {
    return new CallRecord.Line(attempted.endpoint(), Usage.NONE, Usd.ZERO);
  }

  private Reply refusedEarly(GatewayError error) {
    return new Reply.Refused(id, started.getEpochSecond(), error, Delivery.NONE);
  }

  private Reply refused(
      Snapshot snapshot, GatewayError error, boolean cancelled, List<TraceEntry> attempts) {
    Hold held = hold;
    if (held != null) {
      held.release();
    }
    var lines = new ArrayList<CallRecord.Line>();
    for (TraceEntry entry : attempts) {
      if (entry instanceof TraceEntry.Attempted attempted) {
        lines.add(free(attempted));
      }
    }
    var outcome = cancelled ? CallRecord.Outcome.CANCELLED : CallRecord.Outcome.ERROR;
    engine.observe(record(snapshot, outcome, lines, attempts).error(error.code()).build());
    return new Reply.Refused(
        id,
        started.getEpochSecond(),
        error,
        new Delivery(
            requested(snapshot),
            snapshot.catalog(),
            plan,
            events(attempts),
            null,
            lines.size(),
            -1));
  }

  private Delivery delivery(
      Snapshot snapshot, AttemptLoop.Outcome.Delivers delivers, MeteredAnswer metered) {
    long ended = metered.endedNanos();
    return new Delivery(
        requested(snapshot),
        snapshot.catalog(),
        plan,
        events(delivers.attempts()),
        delivers.candidate().endpoint(),
        delivers.number(),
        ended - delivers.dispatchedNanos());
  }

  private List<TraceEntry> events(List<TraceEntry> attempts) {
    var all = new ArrayList<TraceEntry>(notes);
    all.addAll(attempts);
    return all;
  }

  private String requested(Snapshot snapshot) {
    return request.models().isEmpty()
        ? Objects.requireNonNullElse(snapshot.defaultModel(), "")
        : request.models().get(0).toString();
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
